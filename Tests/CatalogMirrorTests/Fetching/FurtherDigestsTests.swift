import Foundation
import SyncText
import SyncTransport
import TestSupport
import TransportTesting
import XCTest

@testable import CatalogMirror

/// What a catalog says of digests besides SHA-256: bytes that disagree are refused, and only a
/// digest that nobody can forge spares a request.
final class FurtherDigestsTests: RunTestCase {
  private func list(_ texts: [String: String], by algorithm: ContentDigest.Algorithm) throws {
    let lines = try texts.sorted { $0.key < $1.key }.map { name, text in
      let digest = try XCTUnwrap(ContentDigest(algorithm, of: Array(text.utf8)))
      return digest.description.dropFirst(algorithm.rawValue.count + 1) + "  \(name)\n"
    }
    try site.answer(
      Self.catalogURL,
      .text(lines.joined(), ("Content-Type", "text/plain"), ("ETag", "\"\(lines.hashValue)\"")))
    for (name, text) in texts { try site.answer(Self.root + name, .text(text)) }
  }

  private var requests: [HTTPRequest] { site.log.filter { $0.address.path == "/pub/a" } }

  func testBytesThatDisagreeAreAskedForOnceMoreAndThenRefused() async throws {
    for algorithm in [ContentDigest.Algorithm.md5, .sha1, .sha512] {
      try list(["a": "old"], by: algorithm)
      try await syncWell()
      try list(["a": "right"], by: algorithm)
      try site.answer(Self.root + "a", .text("wrong"))
      let report = try await sync(ending: .someFailed)
      XCTAssertEqual(requests.map { $0.headers["Cache-Control"] }, [nil, "no-cache"])
      let sentence = report.failures.map(\.sentence).joined()
      XCTAssert(sentence.contains(algorithm.title), sentence)
      XCTAssertEqual(try tree(), ["a": "old"])
      try site.answer(Self.root + "a", .text("wrong"), .text("right"))
      try await syncWell()
      XCTAssertEqual(try tree(), ["a": "right"])
      try await assertIndexIsTrue()
    }
  }

  func testAChangedDigestIsNoticedAndAnEqualOneCostsNoRequest() async throws {
    try list(["a": "one", "b": "two"], by: .md5)
    try await syncWell()
    try list(["a": "new", "b": "two"], by: .md5)
    try await syncWell()
    XCTAssertEqual(site.asked, ["/pub/catalog.ndjson", "/pub/a"])
    XCTAssertEqual(try tree(), ["a": "new", "b": "two"])
  }

  func testARepairHoldsTheBytesAgainstThemAsWell() async throws {
    try list(["a": "right"], by: .sha1)
    try await syncWell()
    try place("edited", at: "a")
    try site.answer(Self.root + "a", .text("wrong"))
    let report = try await sync()
    XCTAssertEqual(report.failures.map(\.key), ["a"])
    XCTAssert(report.failures.map(\.sentence).joined().contains("SHA-1"))
    XCTAssertFalse(try tree().values.contains("wrong"))
    try site.answer(Self.root + "a", .text("right"))
    try await syncWell()
    XCTAssertEqual(try tree(), ["a": "right"])
  }

  func testOnlyADigestThatNobodyCanForgeSparesARequest() async throws {
    for (algorithm, count) in [(ContentDigest.Algorithm.md5, 1), (.sha1, 1), (.sha512, 0)] {
      try? remove("")
      try makeFolder(at: folder)
      try place("right", at: "a")
      try list(["a": "right"], by: algorithm)
      let report = try await syncWell()
      XCTAssertEqual(requests.count, count, "\(algorithm)")
      XCTAssertEqual(report.adopted, 1)
    }
  }
}
