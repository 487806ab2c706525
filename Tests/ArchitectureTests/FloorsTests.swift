import Foundation
import XCTest

/// The sources of this package stand in floors: between targets, and between the folders of each.
final class FloorsTests: XCTestCase {
  private static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL

  /// Circles that are there and are to go, by target. One that has gone must go from here, too.
  private let known: [String: [[String]]] = [:]

  func testNoFoldersOfATargetUseEachOther() throws {
    for (target, files) in try Self.targets() {
      let circles = FloorPlan(files).circles
      for circle in circles where !(known[target] ?? []).contains(circle.folders) {
        XCTFail("\(target): these folders use each other: \(circle)")
      }
      for folders in known[target] ?? [] where !circles.contains(where: { $0.folders == folders }) {
        XCTFail("\(target): \(folders) is a circle no more; take it out of the list above")
      }
    }
  }

  func testNoTargetImportsWhatStandsAboveIt() throws {
    for (target, files) in try Self.targets() {
      let complaints = files.flatMap { path, names in
        House.ours.complaints(about: path, of: target, importing: names.imported)
      }
      for complaint in Set(complaints).sorted() { XCTFail(complaint) }
    }
  }

  /// What only one processor stands on needn't stand on a floor of its own.
  func testEachTargetBetweenHasTwoThatImportIt() throws {
    let targets = try Self.targets()
    for name in House.between {
      let importers = targets.filter { target, files in
        target != name && files.values.contains { $0.imported.contains(name) }
      }
      let isAlone = House.ofOneTenant[name] != nil
      XCTAssertEqual(
        importers.count < 2, isAlone, "\(name) is imported by \(importers.keys.sorted())")
    }
  }

  func testWhatATargetDeclaresToNeedItImports() throws {
    let manifest = Manifest(
      try String(contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8))
    XCTAssertGreaterThan(manifest.targets.count, 20)
    for target in manifest.targets {
      let imported = try Self.texts(below: target.folder).filter { $0.path.hasSuffix(".swift") }
        .reduce(into: Set<String>()) {
          $0.formUnion(SourceNames(String(decoding: $1.bytes, as: UTF8.self)).imported)
        }
      for module in target.dependencies where !imported.contains(module) {
        XCTFail("\(target.name) declares to need \(module), and imports it nowhere")
      }
    }
  }

  /// What a program can do, an app can do too.
  func testProgramsStandOnPublicAPIAlone() throws {
    let manifest = Manifest(
      try String(contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8))
    let open: Set = [
      "OneWaySynchronizer", "CatalogMirror", "CatalogPublishing", "RecordSync", "DocumentSync",
      "DocumentEndpoints", "Console", "Access",
    ]
    for name in ["mirror", "records", "documents"] {
      let program = try XCTUnwrap(manifest.targets.first { $0.name == name })
      XCTAssertFalse(program.seesPackage, "\(name) may use what only this package sees")
      XCTAssertEqual(Set(program.dependencies).subtracting(open), [], name)
    }
  }

  func testFilesAreShort() throws {
    var counts: [Int] = []
    for (target, files) in try Self.targets() {
      for (path, names) in files {
        counts.append(names.lineCount)
        XCTAssertLessThanOrEqual(names.lineCount, 300, "\(target)/\(path) holds more than one idea")
      }
    }
    // Trails of tiny files are as hard to follow as long ones are.
    let median = counts.sorted()[counts.count / 2]
    XCTAssertTrue((60...150).contains(median), "the median of all files is \(median) lines")
  }

  func testNoNumberOfAPromiseStandsInASource() throws {
    for folder in ["Sources", "Tests", "Demo"] {
      for (path, bytes) in try Self.texts(below: folder) {
        for line in PromiseNumbers.lines(of: bytes) {
          XCTFail("\(folder)/\(path):\(line) says a number where it could say what is promised")
        }
      }
    }
  }

  /// Which option of which program is meant, the program says: a library has none.
  func testNoSentenceOfALibraryNamesAnOptionOfAProgram() throws {
    for (path, bytes) in try Self.texts(below: "Sources") where path.hasSuffix(".swift") {
      let literals = CodeBytes(String(decoding: bytes, as: UTF8.self)).literals
      for line in OptionNames.lines(of: literals) {
        XCTFail("Sources/\(path):\(line) names an option; say what is meant, and advise it")
      }
    }
  }

  func testEveryKnownCircleIsOfATargetThatIsThere() throws {
    XCTAssertTrue(Set(known.keys).isSubset(of: try Self.targets().keys))
  }

  // MARK: - Reading

  private static let read = Result { try readTargets() }

  /// The names in every Swift source of every target, by target and path; read once.
  private static func targets() throws -> [String: [String: SourceNames]] { try read.get() }

  private static func readTargets() throws -> [String: [String: SourceNames]] {
    var targets: [String: [String: SourceNames]] = [:]
    // Of the programs' targets, the one that others stand on.
    let texts =
      try texts(below: "Sources")
      + texts(below: "Demo").filter {
        $0.path.hasPrefix("Console/")
      }
    for (path, bytes) in texts where path.hasSuffix(".swift") {
      let parts = path.split(separator: "/", maxSplits: 1).map(String.init)
      guard parts.count == 2, !path.contains(".docc/") else { continue }
      targets[parts[0], default: [:]][parts[1]] =
        SourceNames(String(decoding: bytes, as: UTF8.self))
    }
    return targets
  }

  private static func texts(below folder: String) throws -> [(path: String, bytes: [UInt8])] {
    let top = root.appending(path: folder)
    let kinds = [".swift", ".md", ".patch", ".sh", ".c", ".h"]
    return try FileManager.default.subpathsOfDirectory(atPath: top.path)
      .filter { path in kinds.contains { path.hasSuffix($0) } }
      .map { ($0, Array(try Data(contentsOf: top.appending(path: $0)))) }
  }
}
