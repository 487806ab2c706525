import SyncTransport
import TestSupport
import TransportTesting
import XCTest

@testable import CatalogMirror

/// An item of which the catalog says no version is asked for with its own validator; a
/// validator speaks of one URL only.
final class OwnValidatorTests: RunTestCase {
  private func bare(_ key: String, _ text: String, _ urls: [String]? = nil) -> Thing {
    Thing(key, text) { thing in
      thing.hasSize = false
      thing.hasDigest = false
      thing.urls = urls
    }
  }

  private let one = "https://one.test/a"
  private let two = "https://two.test/a"

  func testAnUnchangedItemIsConfirmedAndNotFetched() async throws {
    try serve([bare("a", "alpha")])
    try site.answer(Self.root + "a", .text("alpha", ("ETag", "\"x\"")))
    try await syncWell()
    let report = try await syncWell()
    XCTAssertEqual(report.confirmed, 1)
    XCTAssertEqual(report.bytes, 0)
    XCTAssertEqual(site.log.last?.headers["If-None-Match"], "\"x\"")
    try site.answer(Self.root + "a", .text("beta", ("ETag", "\"y\"")))
    try await syncWell()
    XCTAssertEqual(try tree(), ["a": "beta"])
  }

  private func dated(_ text: String, _ modified: String, length: Int? = nil) -> Site.Answer {
    var answer = Site.Answer.text(text, ("Last-Modified", modified), ("Date", Site.today))
    if let length { answer.headers.add("Content-Length", "\(length)") }
    return answer
  }

  /// Of anything older a server says that it wasn't modified since: what was put back stayed away.
  func testWithoutATagTheDateIsComparedAndWhatIsPutBackIsFetched() async throws {
    let (before, modified) = ("Fri, 31 Dec 2021 23:00:00 GMT", "Sat, 01 Jan 2022 00:00:00 GMT")
    try serve([bare("a", "alpha")])
    try site.answer(Self.root + "a", dated("alpha", modified))
    try await syncWell()
    for length in [5, nil] {
      try site.answer(Self.root + "a", dated("other", modified, length: length))
      site.forgetLog()
      let report = try await syncWell()
      XCTAssertEqual([report.confirmed, Int(report.bytes)], [1, 0])
      XCTAssertEqual(questions, ["HEAD"])
    }
    try site.answer(Self.root + "a", dated("older", before))
    site.forgetLog()
    try await assertEqual(syncWell().updated, 1)
    XCTAssertEqual(questions, ["HEAD", "GET"])
    XCTAssertTrue(site.log.allSatisfy { $0.headers["If-Modified-Since"] == nil })
    XCTAssertEqual(try tree(), ["a": "older"])
    try site.answer(Self.root + "a", dated("longer", before, length: 6))
    try await assertEqual(syncWell().updated, 1, "another length under one date")
    XCTAssertEqual(try tree(), ["a": "longer"])
  }

  func testWhereHEADIsRefusedTheItemIsAskedForAndNotReadIfItIsTheSame() async throws {
    let modified = "Sat, 01 Jan 2022 00:00:00 GMT"
    try serve([bare("a", "alpha")])
    try site.answer(Self.root + "a", dated("alpha", modified))
    try await syncWell()
    try site.answer(Self.root + "a", .status(405), dated("other", modified))
    site.forgetLog()
    let report = try await syncWell()
    XCTAssertEqual([report.confirmed, Int(report.bytes)], [1, 0])
    XCTAssertEqual(questions, ["HEAD", "GET"])
    XCTAssertEqual(try tree(), ["a": "alpha"])
  }

  private var questions: [String] {
    site.log.filter { $0.address.path == "/pub/a" }.map(\.method.name)
  }

  func testAValidatorOfTheAnswersOwnSecondProvesNothing() async throws {
    // Made of the date to the second, it is the same after another change in that second.
    let date = "Fri, 31 Jan 2025 12:00:00 GMT"
    try serve([
      Thing("a", "alpha") {
        $0.hasSize = false; $0.hasDigest = false
      }
    ])
    try site.answer(
      Self.root + "a",
      .text("alpha", ("ETag", "\"1\""), ("Last-Modified", date), ("Date", date)))
    try await syncWell()
    try await assertEqual(syncWell().bytes, 5, "it came again")
    XCTAssertTrue(
      site.log.allSatisfy {
        $0.headers["If-None-Match"] == nil && $0.headers["If-Modified-Since"] == nil
      })
  }

  func testAValidatorIsNotSentToAnotherURL() async throws {
    try serve([bare("a", "alpha", [one])])
    try site.answer(one, .text("alpha", ("ETag", "\"1\"")))
    try await syncWell()
    try serve([bare("a", "beta", [two])])
    try site.answer(two, .text("beta", ("ETag", "\"1\"")))
    try await syncWell()
    XCTAssertEqual(try tree(), ["a": "beta"])
  }

  func testAValidatorIsNotSentToAnotherLocatorOfTheItem() async throws {
    try serve([bare("a", "alpha", [one, two])])
    try site.answer(one, .text("alpha", ("ETag", "\"1\"")))
    try await syncWell()
    try site.answer(one, .status(404))
    try site.answer(two, .text("beta", ("ETag", "\"1\"")))
    try await syncWell()
    XCTAssertEqual(try tree(), ["a": "beta"])
  }

  func testAValidatorFromAnotherLocatorIsNotSentToTheFirst() async throws {
    try serve([bare("a", "alpha", [one, two])])
    try site.answer(one, .status(404))
    try site.answer(two, .text("alpha", ("ETag", "\"1\"")))
    try await syncWell()
    try site.answer(one, .text("beta", ("ETag", "\"1\"")))
    try await syncWell()
    XCTAssertEqual(try tree(), ["a": "beta"])
  }

  func testAValidatorIsForgottenWhenThePreviewBroughtAnotherURL() async throws {
    try serve([bare("a", "alpha", [one])])
    try site.answer(one, .text("alpha", ("ETag", "\"1\"")))
    try await syncWell { $0.previews = .also }
    var moved = bare("a", "beta", [two])
    moved.preview = Thing.Preview(url: "p.png", text: "preview", version: "1")
    try serve([moved])
    try site.answer(two, .status(404))
    try await sync(ending: .someFailed) { $0.previews = .also }
    try site.answer(two, .text("beta", ("ETag", "\"1\"")))
    try await syncWell { $0.previews = .also }
    XCTAssertEqual(try tree(), ["a": "beta"])
  }
}
