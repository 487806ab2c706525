import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncText

extension ModelMirrorTestCase {
  /// Two catalogs between which much changes: texts, kinds, places.
  static let before = [
    "same": "same", "changed": "old", "gone": "gone", "deep/gone": "gone too", "file": "a file",
    "directory/x": "x",
  ]
  static let after = [
    "same": "same", "changed": "new", "new": "new", "file/now": "in a directory",
    "directory": "a file", "deep/new": "new too",
  ]

  /// A disk that holds a mirror of ``before``, all of it written.
  func mirroredDisk() async throws -> ModelDisk {
    let disk = try emptyDisk()
    let report = try await sync(try site(Self.before), on: disk)
    XCTAssertEqual(report.outcome, .done, "\(report.failures)")
    disk.settle()
    return disk
  }

  /// Has one place after the other disturbed, until a run comes to its end before.
  func everywhere(
    moreThan least: Int, _ disturb: (_ number: Int) async throws -> Bool
  ) async throws {
    var last = 0
    for number in SimulationExtent.places(from: 1) {
      guard try await disturb(number) else { break }
      last = number
    }
    XCTAssertGreaterThan(last, least, "there was something to disturb")
  }

  /// The disk is sound, and the next run makes it equal to the catalog; one more does nothing.
  func assertIsMadeUpFor(
    _ disk: ModelDisk, _ before: [String: String], _ after: [String: String], _ place: String,
    _ change: (inout MirrorOptions) -> Void
  ) async throws {
    try await assertIsSound(disk, before, after, place)
    let report = try await sync(try site(after), on: disk, change)
    XCTAssertEqual(report.outcome, .done, "\(report.failures), \(place)")
    XCTAssertEqual(texts(disk), after, place)
    try await assertTrue(sync(try site(after), on: disk, change).wasUnchanged, place)
  }

  func assertIsSound(
    _ disk: ModelDisk, _ before: [String: String], _ after: [String: String], _ place: String
  ) async throws {
    let found = texts(disk)
    for (key, text) in found {
      XCTAssertTrue(
        [before[key], after[key]].contains(text),
        "\(key) is torn: \(text.debugDescription), \(place)")
    }
    for (key, text) in before where after[key] == text {
      XCTAssertEqual(found[key], text, "\(key) is lost, \(place)")
    }
    for (key, row) in try await rows(disk.copy()) where row.state == .present {
      guard let content = row.content, found[key].map(digest) != content.sha256 else { continue }
      XCTAssertEqual(found[key], after[key], "\(key) is claimed and not there, \(place)")
    }
  }

  func digest(of text: String) -> SHA256Digest {
    var hasher = SHA256Hasher()
    Array(text.utf8).withUnsafeBytes { hasher.update($0) }
    return hasher.finish()
  }
}
