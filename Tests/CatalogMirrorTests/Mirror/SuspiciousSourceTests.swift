import SyncTransport
import TransportTesting
import XCTest

@testable import CatalogMirror

/// A source that doesn't answer with what it should: nothing is lost by it.
final class SuspiciousSourceTests: RunTestCase {
  private let things = (1...4).map { Thing("\($0).txt", "text \($0)") }
  private var texts: [String: String] {
    things.reduce(into: [:]) { $0[$1.key] = $1.text }
  }

  private func assertNothingHappens(
    saying words: String..., line: UInt = #line
  ) async throws {
    let before = try await rows()
    let report = try await sync()
    XCTAssertEqual(report.outcome, .failed, line: line)
    let sentence = report.failures.map(\.sentence).joined()
    for word in words { XCTAssert(sentence.contains(word), sentence, line: line) }
    XCTAssertEqual(try tree(), texts, line: line)
    let after = try await rows()
    XCTAssertEqual(after, before, line: line)
    XCTAssertEqual(site.asked, ["/pub/catalog.ndjson"], line: line)
  }

  func testWhatIsNoCatalogRemovesAndFetchesNothing() async throws {
    try serve(things)
    try await syncWell()
    let whole = try catalog(things)
    let bodies = [
      "<html><head><title>Sign in</title></head><body><form></form></body></html>", "", "{",
      String(whole.dropLast(30)), "[]]", "null", "{\"error\":\"try later\"}",
      whole + whole,
    ]
    for body in bodies {
      try serveCatalog(body)
      try await assertNothingHappens(saying: body == whole + whole ? "twice" : Self.catalogURL)
    }
  }

  func testAFailedRequestRemovesAndFetchesNothing() async throws {
    try serve(things)
    try await syncWell()
    for status in [401, 403, 404, 410, 500, 503] {
      try site.answer(Self.catalogURL, .status(status))
      try await assertNothingHappens(saying: Self.catalogURL, "\(status)")
    }
  }

  func testACatalogPageThatDidNotComeWith200IsNoListing() async throws {
    try serve(things)
    try await syncWell()
    for status in [203, 206] {
      var answer = Site.Answer.text(try catalog([things[0]]))
      answer.status = status
      try site.answer(Self.catalogURL, answer)
      try await assertNothingHappens(saying: Self.catalogURL, "\(status)")
    }
  }

  func testAPartialListingRemovesNothingAndFetchesWhatIsNew() async throws {
    try serve(things)
    try await syncWell()
    try serve([Thing("new.txt", "new")], isComplete: false)
    let report = try await syncWell()
    XCTAssertEqual(report.removed, 0)
    XCTAssertNotEqual(report.partial, [])
    XCTAssertEqual(try tree(), texts.merging(["new.txt": "new"]) { $1 })
    let keeps = try await keepsValidators()
    XCTAssertFalse(keeps)
  }

  func testAMissingPageOfAChainIsAnErrorThatChangesNothing() async throws {
    try serve(things)
    try await syncWell()
    try serve([Thing("new.txt", "new")], header: #","next":"page2.ndjson""#)
    let report = try await sync()
    XCTAssertEqual(report.outcome, .failed)
    XCTAssertEqual(report.failures.count, 1)
    XCTAssertTrue(report.failures.first?.sentence.contains("page2.ndjson") ?? false)
    XCTAssertEqual(try tree(), texts)
  }

  func testABodyWhoseEndNobodyVouchesForRemovesNothing() async throws {
    try serve(things)
    try await syncWell()
    var answer = Site.Answer.text(try catalog([things[0]]))
    answer.framing = .untilClose
    try site.answer(Self.catalogURL, answer)
    let report = try await syncWell()
    XCTAssertEqual(report.removed, 0)
    XCTAssertEqual(try tree(), texts)
  }

  func testACountThatDoesNotAgreeRemovesNothing() async throws {
    try serve(things)
    try await syncWell()
    try serveCatalog(try catalog([things[0]], header: #","count":4"#))
    try await assertNothingHappens(saying: "4")
  }

  func testAnUnusableEntryFailsAloneAndItsOldFileStays() async throws {
    try serve(things)
    try await syncWell()
    var changed = things
    changed[1].text = "other"
    try serve(changed)
    var lines = try catalog(changed).split(separator: "\n").map(String.init)
    lines[1] = #"{"key":"1.txt","size":"big"}"#
    lines.append(#"{"key":"../escape","size":3}"#)
    try serveCatalog(lines.map { $0 + "\n" }.joined())
    let report = try await sync()
    XCTAssertEqual(report.outcome, .someFailed)
    XCTAssertEqual(Set(report.failures.compactMap(\.key)), ["1.txt", "../escape"])
    XCTAssertEqual(try tree(), texts.merging(["2.txt": "other"]) { $1 })
    let keeps = try await keepsValidators()
    XCTAssertFalse(keeps)
  }

  func testCollidingEntriesFailAndTheOldFileStays() async throws {
    try serve(things)
    try await syncWell()
    try serve(things + [Thing("2.txt/below", "x")])
    let report = try await sync()
    XCTAssertEqual(report.outcome, .someFailed)
    XCTAssertEqual(Set(report.failures.compactMap(\.key)), ["2.txt", "2.txt/below"])
    XCTAssertEqual(try tree(), texts)
  }

  func testAnEntryWithoutAKeyMakesTheListingPartial() async throws {
    try serve(things)
    try await syncWell()
    try serveCatalog(try catalog([things[0]]) + #"{"size":3}"# + "\n")
    let report = try await sync()
    XCTAssertEqual(report.outcome, .someFailed)
    XCTAssertEqual(report.removed, 0)
    XCTAssertEqual(try tree(), texts)
  }

  func testAKeyListedTwiceIsAnErrorOfTheListing() async throws {
    try serve(things)
    try await syncWell()
    try serveCatalog(try catalog([things[0], things[0]]))
    try await assertNothingHappens(saying: "1.txt", "twice")
  }
}
