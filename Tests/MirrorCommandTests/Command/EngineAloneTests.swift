import Foundation
import TestSupport
import XCTest

/// A package that depends on the engine alone.
final class EngineAloneTests: MirrorTestCase {
  func testItBuildsWithoutTheCLibrariesAndWithoutTheRestOfThisPackage() throws {
    try publish([
      "Package.swift": """
      // swift-tools-version: 6.2
      import PackageDescription
      let package = Package(
        name: "Alone",
        dependencies: [.package(name: "OneWaySynchronizer", path: "\(Programs.package.path)")],
        targets: [
          .executableTarget(
            name: "Alone",
            dependencies: [
              .product(name: "OneWaySynchronizer", package: "OneWaySynchronizer")
            ])
        ])
      """,
      "Sources/Alone/main.swift": """
      import OneWaySynchronizer
      print(SyncOptions.automaticConcurrency)
      """,
    ])
    let build = base.appending(path: "build")
    // A pkg-config that knows no library, as on a machine without them.
    let child = try start(
      ["run", "--package-path", source.path, "--scratch-path", build.path, "-q"],
      program: try Programs.find("swift"),
      environment: ["PKG_CONFIG_LIBDIR": base.path, "PKG_CONFIG_PATH": base.path])
    XCTAssertEqual(try child.end(within: .seconds(120)), .exited(0), child.printed + child.said)
    XCTAssertEqual(child.printed, "8\n")
    XCTAssertFalse(child.said.contains("warning"), child.said)
    // pkg-config is asked for libraries of targets that nobody uses, and their absence told.
    let manifest = Programs.package.appending(path: "Package.swift")
    XCTAssertFalse(try readText(manifest).contains("pkgConfig"))

    let names = try FileManager.default.subpathsOfDirectory(atPath: build.path)
      .filter { $0.hasSuffix(".swiftmodule") || $0.hasSuffix(".o") }
    for module in ["SyncEngine", "OneWaySynchronizer"] {
      XCTAssertTrue(names.contains { $0.contains(module) }, "\(names)")
    }
    let others = [
      "SyncEssentials", "SyncText", "SyncTransport", "SyncDatabase", "CatalogMirror", "CSyncCurl",
      "CSyncXML",
    ]
    for module in others {
      XCTAssertEqual(names.filter { $0.contains(module) }, [], "\(module) was built too")
    }
  }
}
