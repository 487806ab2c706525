import SyncTransport
import SynchronizerTesting
import TestSupport
import TransportTesting
import XCTest

@testable import CatalogMirror

/// Bytes are counted and checked as they arrive; what is wrong never reaches the tree.
final class CheckedTransferTests: RunTestCase {
  private var url: String { Self.root + "a" }

  /// Mirrors "old", then has the catalog promise "right" and the server answer as told.
  private func change(
    _ answers: Site.Answer..., thing change: (inout Thing) -> Void = { _ in },
    options: (inout MirrorOptions) -> Void = { _ in }
  ) async throws -> MirrorReport {
    try await syncWell(to: [Thing("a", "old"), Thing("b", "b")])
    try serve([Thing("a", "right", change), Thing("b", "b2")])
    try site.setAnswers(url, answers)
    return try await sync(options)
  }

  private func assertOldStays(
    _ report: MirrorReport, saying words: String..., advising advice: MirrorAdvice? = nil,
    line: UInt = #line
  ) async throws {
    XCTAssertEqual(report.outcome, .someFailed, line: line)
    XCTAssertEqual(report.failures.map(\.key), ["a"], line: line)
    let sentence = report.failures.map(\.sentence).joined()
    for word in words { XCTAssert(sentence.contains(word), sentence, line: line) }
    XCTAssertEqual(report.failures.map(\.advice), [advice], line: line)
    XCTAssertEqual(try tree(), ["a": "old", "b": "b2"], line: line)
    try await assertIndexIsTrue(line: line)
  }

  private var requests: [HTTPRequest] { site.log.filter { $0.address.path == "/pub/a" } }

  func testWrongBytesAreAskedForOnceMorePastTheCaches() async throws {
    assertEnds(try await change(.text("wrong"), .text("right")))
    XCTAssertEqual(try tree(), ["a": "right", "b": "b2"])
    XCTAssertEqual(requests.map { $0.headers["Cache-Control"] }, [nil, "no-cache"])
  }

  func testBytesThatAreWrongTwiceFailTheItemAndTheOldFileStays() async throws {
    let report = try await change(.text("wrong"))
    try await assertOldStays(report, saying: "digest")
    XCTAssertEqual(requests.count, 2)
  }

  func testALongerBodyIsCut() async throws {
    var endless = Site.Answer.text(String(repeating: "right ", count: 10_000))
    endless.framing = .chunked
    endless.pieceSize = 16
    let report = try await change(endless) { $0.hasDigest = false }
    try await assertOldStays(report, saying: "5 B that")
    XCTAssertLessThan(report.bytes, 100)
  }

  func testABodyOfUndeclaredSizeIsCutAtTheLimit() async throws {
    let report = try await change(.text(String(repeating: "x", count: 1_000))) { thing in
      thing.hasSize = false
      thing.hasDigest = false
      thing.version = "2"
    } options: {
      $0.maximumItemSize = 999
    }
    try await assertOldStays(report, saying: "999", "larger", advising: .raiseItemSize)
  }

  func testADeclaredSizeGoesPastTheLimitForUndeclaredOnes() async throws {
    let report = try await change(.text("right"), options: { $0.maximumItemSize = 2 })
    XCTAssertEqual(report.failures.map(\.key), [])
    XCTAssertEqual(try tree()["a"], "right")
  }

  func testAShorterBodyIsTriedAgainAndThenFails() async throws {
    let report = try await change(.text("righ")) { $0.hasDigest = false }
    try await assertOldStays(report, saying: "4 B of 5 B")
  }

  func testAnInterruptedBodyStartsOver() async throws {
    var torn = Site.Answer.text("rig")
    torn.breakage = .interrupted
    try serve([Thing("a", "right")])
    try site.answer(url, torn, .text("right"))
    let mirror = mirror { $0.retries = 1 }
    async let run = mirror.sync()
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    let report = try await run
    XCTAssertEqual(report.outcome, .done)
    XCTAssertEqual(try tree(), ["a": "right"])
    XCTAssertEqual(report.bytes, 5)
    XCTAssertEqual(mirror.progress.bytesDone, 5)
  }

  func testABodyWhoseEndNothingVouchesForIsRefused() async throws {
    var unframed = Site.Answer.text("right")
    unframed.framing = .untilClose
    let report = try await change(unframed) { thing in
      thing.hasSize = false
      thing.hasDigest = false
      thing.version = "2"
    }
    try await assertOldStays(report, saying: "the whole", advising: .allowUnframed)
    let status = try await mirror().status()
    XCTAssertEqual(status.failures, report.failures, "the index keeps the advice, too")
    XCTAssertEqual(status.runs.first?.error, report.failures.first?.sentence)
    XCTAssertEqual(status.runs.first?.advice, .allowUnframed)
    try await syncWell { $0.allowsUnframed = true }
    XCTAssertEqual(try tree()["a"], "right")
  }

  func testSizeOrDigestVouchForAnUnframedBody() async throws {
    for hasSize in [true, false] {
      var unframed = Site.Answer.text("right")
      unframed.framing = .untilClose
      let report = try await change(unframed) { thing in
        thing.hasSize = hasSize
        thing.hasDigest = !hasSize
      }
      XCTAssertEqual(report.outcome, .done)
      XCTAssertEqual(try tree()["a"], "right")
    }
  }

  func testAPartOfTheBodyThatNobodyAskedForIsNotTheItem() async throws {
    for status in [203, 204, 206] {
      var part = Site.Answer.text("rig")
      part.status = status
      let report = try await change(part) { thing in
        thing.hasSize = false
        thing.hasDigest = false
        thing.version = "2"
      }
      try await assertOldStays(report, saying: "\(status)")
      XCTAssertEqual(requests.count, 1)
    }
  }

  func testA304ThatNobodyAskedForIsNoSuccess() async throws {
    let report = try await change(.status(304))
    try await assertOldStays(report, saying: "304")
  }

  func testACodedAnswerIsKeptAsSentIfItIsVouchedFor() async throws {
    for hasSize in [true, false] {
      let report = try await change(.text("right", ("Content-Encoding", "gzip"))) { thing in
        thing.hasSize = hasSize
        thing.hasDigest = !hasSize
      }
      XCTAssertEqual(report.outcome, .done)
      XCTAssertEqual(try tree()["a"], "right")
    }
  }

  func testACodedAnswerThatNothingVouchesForIsAnError() async throws {
    let report = try await change(.text("right", ("Content-Encoding", "br"))) { thing in
      thing.hasSize = false
      thing.hasDigest = false
      thing.version = "2"
    }
    try await assertOldStays(report, saying: "'br'", advising: .allowCoded)
    try await syncWell { $0.allowsCoded = true }
    XCTAssertEqual(try tree()["a"], "right")
  }

  func testContentsAreAskedForWithoutCodingAndCatalogsWithIt() async throws {
    try await syncWell(to: [Thing("a", "right")])
    XCTAssertEqual(site.log.map(\.acceptsCompression), [true, false])
  }
}

extension Site {
  func setAnswers(_ url: String, _ answers: [Answer]) throws {
    switch answers.count {
    case 1: try answer(url, answers[0])
    default: try answer(url, answers[0], answers[1])
    }
  }
}
