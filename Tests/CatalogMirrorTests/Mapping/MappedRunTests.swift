import Foundation
import SyncTransport
import TestSupport
import XCTest

@testable import CatalogMirror

/// Whole runs over JSON that a mapping reads.
final class MappedRunTests: RunTestCase {
  private static let list = root + "list"

  private func serve(_ path: String, _ keys: [String]) throws {
    let items = keys.map { #"{"name":"\#($0)","v":1}"# }.joined(separator: ",")
    try site.answer(Self.list + path, .text("[\(items)]"))
    for key in keys { try site.answer(Self.root + key, .text("text of " + key)) }
  }

  private func syncMapped(
    _ change: (inout MirrorOptions) -> Void = { _ in }
  ) async throws -> MirrorReport {
    try await sync { options in
      options.catalog = Self.list
      options.mapping = try? JSONMapping("items=.,key=name,version=v,next=?page")
      change(&options)
    }
  }

  func testPagesAreCountedUntilOneIsEmpty() async throws {
    try serve("", ["a", "b"])
    try serve("?page=2", ["c"])
    try serve("?page=3", [])
    assertEnds(try await syncMapped())
    XCTAssertEqual(Set(try tree().keys), ["a", "b", "c"])
  }

  /// The addresses of counted pages repeat the catalog's own query, and were kept with it.
  func testASecretInTheAddressIsNotKeptWithItsPages() async throws {
    let secret = "Hw8vQ2rT"
    for (path, keys) in [("", ["a"]), ("&page=2", ["b"]), ("&page=3", [])] {
      try serve("?token=\(secret)" + path, keys)
      let items = keys.map { #"{"name":"\#($0)","v":1}"# }.joined()
      try site.answer(Self.list + "?token=\(secret)" + path, .text("[\(items)]", ("ETag", "\"1\"")))
    }
    let named: @Sendable (inout MirrorOptions) -> Void = { options in
      options.catalog = Self.list + "?token=" + secret
      options.vouchesForCompleteness = true
    }
    assertEnds(try await syncMapped(named))
    let kept = try FileManager.default.subpathsOfDirectory(atPath: folder)
    for path in kept {
      let data = FileManager.default.contents(atPath: folder + "/" + path) ?? Data()
      XCTAssertNil(data.firstRange(of: Data(secret.utf8)), path)
    }
    try await assertTrue(syncMapped(named).wasUnchanged)
    XCTAssertEqual(site.log.map { $0.headers["If-None-Match"] }, ["\"1\"", "\"1\"", "\"1\""])
  }

  func testWhatTheListLacksGoesOnlyByAPersonsWord() async throws {
    try serve("", ["a", "b", "c", "d"])
    try serve("?page=2", [])
    _ = try await syncMapped()
    try serve("", ["a", "b", "c"])
    assertEnds(try await syncMapped())
    XCTAssertEqual(try tree().count, 4)
    _ = try await syncMapped { $0.vouchesForCompleteness = true }
    XCTAssertEqual(Set(try tree().keys), ["a", "b", "c"])
  }

  func testAServerThatIgnoresTheNumberGivesAnErrorAndNothingGoes() async throws {
    try serve("", ["a", "b"])
    try serve("?page=2", ["a", "b"])
    assertEnds(try await syncMapped { $0.vouchesForCompleteness = true }, .failed)
    XCTAssertEqual(site.asked.filter { $0 == "/pub/list" }.count, 2)
  }

  func testAnotherMappingIsAnotherQuestion() async throws {
    // The same page by other names is another list: a 304 would prove nothing.
    try serve("", ["a"])
    try serve("?page=2", [])
    _ = try await syncMapped { $0.vouchesForCompleteness = true }
    let report = try await syncMapped { options in
      options.vouchesForCompleteness = true
      options.maximumRemoval = .all
      options.mapping = try? JSONMapping("items=.,key=x/{name},url=name,version=v,next=?page")
    }
    XCTAssertEqual(report.outcome, .done, "\(report.failures)")
    XCTAssertEqual(Set(try tree().keys), ["x/a"])
  }
}

/// Which numbers are taken for dates.
final class MappedDateTests: XCTestCase {
  /// Versions such as 1.1 dated files to 1970.
  func testANumberIsADateOnlyAsAMomentAfter1980() {
    let table: [(String, Double?)] = [
      ("1.1", nil), ("0", nil), ("20240131", nil), ("315532799", nil), ("315532800", 315_532_800),
      ("1700000000", 1_700_000_000), ("1700000000.5", 1_700_000_000.5),
      ("1700000000000", 1_700_000_000), ("1700000000000000", nil), ("1.1.1", nil),
      ("1975-01-01T00:00:00Z", 157_766_400),
    ]
    for (text, seconds) in table {
      XCTAssertEqual(DateText.seconds(text), seconds, text)
    }
  }
}
