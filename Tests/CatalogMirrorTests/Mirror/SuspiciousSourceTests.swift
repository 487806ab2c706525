import SyncTransport
import TestSupport
import TransportTesting
import XCTest

@testable import CatalogMirror

/// A source that doesn't answer with what it should: nothing is lost by it.
final class SuspiciousSourceTests: RunTestCase {
  private let things = (1...4).map { Thing("\($0).txt", "text \($0)") }
  private var texts: [String: String] {
    things.reduce(into: [:]) { $0[$1.key] = $1.text }
  }

  func testAPartialListingRemovesNothingAndFetchesWhatIsNew() async throws {
    try await syncWell(to: things)
    let report = try await syncWell(to: [Thing("new.txt", "new")], isComplete: false)
    XCTAssertEqual(report.removed, 0)
    XCTAssertNotEqual(report.partial, [])
    XCTAssertEqual(try tree(), texts.merging(["new.txt": "new"]) { $1 })
    try await assertFalse(keepsValidators())
  }

  func testAnUnusableEntryFailsAloneAndItsOldFileStays() async throws {
    try await syncWell(to: things)
    var changed = things
    changed[1].text = "other"
    try serve(changed)
    var lines = try catalog(changed).split(separator: "\n").map(String.init)
    lines[1] = #"{"key":"1.txt","size":"big"}"#
    lines.append(#"{"key":"../escape","size":3}"#)
    try serveCatalog(lines.map { $0 + "\n" }.joined())
    let report = try await sync(ending: .someFailed)
    XCTAssertEqual(Set(report.failures.compactMap(\.key)), ["1.txt", "../escape"])
    XCTAssertEqual(try tree(), texts.merging(["2.txt": "other"]) { $1 })
    try await assertFalse(keepsValidators())
  }
}

/// A list that can't say whether it is whole says so once.
final class PartialNewsTests: RunTestCase {
  func testWhyNothingIsRemovedIsNewsOnce() async throws {
    var told: [Bool] = []
    for isComplete in [false, false, true, false] {
      try serve([Thing("a", "alpha")], isComplete: isComplete)
      let mirror = mirror()
      let events = mirror.events
      _ = try await mirror.sync()
      mirror.endEvents()
      for await case .listed(_, let partial, let isNews) in events {
        XCTAssertEqual(partial.isEmpty, isComplete)
        told.append(isNews)
      }
    }
    XCTAssertEqual(told, [true, false, false, true])
  }
}
