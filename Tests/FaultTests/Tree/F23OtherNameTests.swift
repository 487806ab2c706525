import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncText

/// F23: names that a file system holds for that of the mirror's own folder.
///
/// On a stick with FAT, `MIRROR~1/marker` was written over the marker of the folder.
final class F23OtherNameTests: FaultTestCase {
  private static let fat = ["mIrRoR~1", ".mirror.", ".mirror. .", ".Mirror "]
  private static let joined = [".mi\u{200C}rror", ".mirror\u{200D}", ".MIRROR"]

  func testF23_anotherNameOfTheMirrorsFolderFailsThatItemOnFAT() async throws {
    try await refuse(Self.fat, on: .vfat)
  }

  /// As FUSE serves many: the number of the directory doesn't tell that it is the same.
  func testF23_whereEachNameHasANumberOfItsOwnWhatIsInTheFolderTells() async throws {
    try await refuse(Self.fat, on: .renumberedFAT)
  }

  func testF23_anotherFormOfTheMirrorsNameFailsThatItemOnHFSPlus() async throws {
    try await refuse(Self.joined, on: .hfsPlus)
  }

  func testF23_anotherCaseOfTheMirrorsNameFailsThatItemOnExFAT() async throws {
    try await refuse([".MIRROR", ".Mirror"], on: .exFAT)
  }

  private func refuse(_ names: [String], on kind: CarriedDisk.Kind) async throws {
    try mount(kind, at: copy)
    let server = try serve()
    let catalog = server.url + Self.catalogName
    try list(["good"])
    assertEnd(try mirror("sync", catalog, copy.path), 0)
    let before = try own()
    let below = ["x", "marker", "index.sqlite", "lock", "staging/x", "displaced/d/x"]
    var count = 0
    let rounds = [names] + below.map { part in names.map { "\($0)/\(part)" } }
    for (round, keys) in rounds.enumerated() {
      try list(["good", "good too"] + keys, round: round + 1)
      let outcome = try mirror("sync", catalog, copy.path)
      assertEnd(outcome, 2)
      for key in keys {
        XCTAssertTrue(
          outcome.said.contains("mirror: \(escaped(key)): "), "\(kind), \(key): \(outcome)")
      }
      XCTAssertEqual(try own(), before, "\(kind), \(keys)")
      XCTAssertEqual(Set(try files(in: copy).keys), ["good", "good too"], "\(kind), \(keys)")
      count += keys.count
    }
    assertEnd(try mirror("verify", copy.path), 0)
    try list(["good"], round: 20)
    assertEnd(try mirror("sync", catalog, copy.path), 0)
    try await assertEqual(Self.untruths(in: copy), [])
    try Extent.record(
      "F23", "keys that lead into .mirror by another name, on \(kind)", count: count,
      "each failed by name, .mirror stayed as it was, the others went on")
  }

  /// What stands in `.mirror`, but for the quarantine: the marker with its bytes, the index, which
  /// every run writes to, and the lock.
  private func own() throws -> [String: Data] {
    let control = copy.appending(path: ".mirror")
    let names = try FileManager.default.subpathsOfDirectory(atPath: control.path)
      .filter { !$0.hasPrefix("quarantine") }
    return try names.reduce(into: [:]) { found, name in
      let isKept = name == "marker" || name.hasPrefix("staging/")
      found[name] =
        isKept ? try Data(contentsOf: control.appending(path: name)) : Data()
    }
  }

  /// As keys are printed.
  private func escaped(_ key: String) -> String {
    CatalogKey(bytes: Array(key.utf8)).description
  }
}
