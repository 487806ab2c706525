import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror

/// What a run counts is what truly happened.
final class WordsTests: RunTestCase {
  func testWhatIsFetchedAgainAndHasTheSameBytesIsConfirmed() async throws {
    let first = Thing("a", "alpha") { ($0.hasDigest, $0.version) = (false, "1") }
    let other = Thing("b", "beta") { ($0.hasDigest, $0.version) = (false, "1") }
    try await syncWell(to: [first, other])
    try serve([
      Thing("a", "alpha") { ($0.hasDigest, $0.version) = (false, "2") },
      Thing("b", "other") { ($0.hasDigest, $0.version) = (false, "2") },
    ])
    let done = try await Deeds(of: mirror())
    XCTAssertEqual(done.reasons, ["a": "equal", "b": "changed"])
    XCTAssertEqual(done.report.confirmed, 1)
    XCTAssertEqual(done.report.updated, 1)
    XCTAssertEqual(done.report.bytes, 10)
    let status = try await mirror().status()
    XCTAssertEqual(status.runs.first?.downloaded, 2, "both came")
    XCTAssertEqual(status.runs.first?.changed, 1, "and one of them is another")
  }

  func testContentsAfterARunOfPreviewsOnlyAreNew() async throws {
    let thing = Thing("a", "alpha") {
      $0.preview = .init(url: "p/1", text: "p", mediaType: "image/png")
    }
    let previews = try await syncWell(to: [thing]) { $0.previews = .only }
    XCTAssertEqual(previews.previews, 1)
    try await assertEqual(mirror().plan().fetches.map(\.reason), [.new])
    let done = try await Deeds(of: mirror())
    XCTAssertEqual(done.report.added, 1)
    XCTAssertEqual(done.report.updated, 0)
    XCTAssertEqual(done.reasons, ["a": "new"])
  }

  func testWhatWasDeletedHereIsNotCalledDamaged() async throws {
    try await syncWell(to: [Thing("a", "alpha"), Thing("b", "beta")])
    try remove("a")
    try place("mine", at: "b")
    let done = try await Deeds(of: mirror())
    XCTAssertEqual(done.reasons, ["a": "deleted", "b": "damaged"])
    XCTAssertEqual(done.report.repaired, 2)
  }
}
