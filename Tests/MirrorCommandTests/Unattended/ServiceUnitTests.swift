import Foundation
import TestSupport
import XCTest

/// The units for systemd: what they say is what systemd knows, and what `mirror` takes.
final class ServiceUnitTests: XCTestCase {
  private let folder = Programs.package.appending(path: "Demo/mirror/systemd")

  private func texts() throws -> [String: String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return try names.reduce(into: [:]) { texts, name in
      texts[name] = try readText(folder.appending(path: name))
    }
  }

  /// With this build's `mirror` in place of the installed one, which need not be there.
  func testSystemdFindsNothingWrongWithThem() throws {
    let place = try temporaryFolder()
    let program = try Programs.find("systemd-analyze")
    var units: [String] = []
    for (name, text) in try texts() where !name.hasSuffix(".conf") {
      let unit = place.appending(path: name.replacing("@.", with: "@some."))
      try Data(text.replacing("/usr/bin/mirror", with: Programs.mirror).utf8).write(to: unit)
      units.append(unit.path)
    }
    XCTAssertEqual(units.count, 4)
    let child = try ChildProcess(
      program, ["verify", "--man=no"] + units.sorted(), environment: ["HOME": place.path],
      directory: place, records: place)
    XCTAssertEqual(try child.end(within: .seconds(60)), .exited(0), child.said)
    XCTAssertEqual(child.said, "")
  }

  func testWhatTheyStartIsWhatTheProgramTakes() throws {
    for (name, text) in try texts() where name.hasSuffix(".service") {
      let line = try XCTUnwrap(text.split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
      let words = line.split(separator: " ").map(String.init)
      XCTAssertEqual(words.count, 4, name)
      XCTAssertTrue(["watch", "sync"].contains(words[1]) && words[2] == "--config", name)
      for wall in ["NoNewPrivileges=yes", "ProtectSystem=strict", "ReadWritePaths=", "UMask=0022"] {
        XCTAssertTrue(text.contains("\n\(wall)"), "\(name) lacks \(wall)")
      }
    }
  }

  func testTheTemplateIsTheServiceWithAnotherConfiguration() throws {
    let texts = try texts()
    func lines(_ name: String) throws -> [Substring] {
      try XCTUnwrap(texts[name]).split(separator: "\n").filter { !$0.hasPrefix("#") }
    }
    let plain = try lines("mirror.service").map { line in
      String(line).replacing("/etc/mirror.ini", with: "/etc/mirror/%i.ini")
        .replacing("remote catalogs", with: "remote catalogs (%i)")
    }
    XCTAssertEqual(try lines("mirror@.service").map { String($0) }, plain)
  }
}
