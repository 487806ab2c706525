import SyncTransport
import SynchronizerTesting
import TestSupport
import XCTest

@testable import CatalogMirror

/// Passing failures are tried again, others aren't, and neither is a deletion.
final class RetriedTransferTests: RunTestCase {
  private var url: String { Self.root + "a" }

  func testAPassingFailureIsTriedAgainAfterAWait() async throws {
    try serve([Thing("a", "alpha")])
    try site.answer(url, .status(503, ("Retry-After", "7")), .text("alpha"))
    let mirror = mirror { $0.retries = 5 }
    async let run = mirror.sync()
    try await clock.sleepers(atLeast: 1)
    XCTAssertEqual(clock.deadlines.map(\.sinceStart), [.seconds(7)])
    clock.advance(by: .seconds(7))
    assertEnds(try await run)
    XCTAssertEqual(try tree(), ["a": "alpha"])
  }

  func testThePassingFailuresOfTheCatalogAreTriedAgainToo() async throws {
    try serve([Thing("a", "alpha")])
    let whole = Site.Answer.text(try catalog([Thing("a", "alpha")]))
    try site.answer(Self.catalogURL, .status(502), whole)
    let mirror = mirror { $0.retries = 1 }
    async let run = mirror.sync()
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    assertEnds(try await run)
  }

  func testItGivesUpAfterTheRetriesAndGoesOnWithTheOthers() async throws {
    try serve([Thing("a", "alpha"), Thing("b", "beta")])
    try site.answer(url, .status(429))
    let mirror = mirror { $0.retries = 2 }
    async let run = mirror.sync()
    for _ in 0..<2 {
      try await clock.sleepers(atLeast: 1)
      clock.advance(by: .seconds(60))
    }
    assertEnds(try await run, .someFailed)
    XCTAssertEqual(site.asked.filter { $0 == "/pub/a" }.count, 3)
    XCTAssertEqual(try tree(), ["b": "beta"])
  }

  func testAPermanentFailureIsAskedForOnceAndIsNoDeletion() async throws {
    try await syncWell(to: [Thing("a", "alpha"), Thing("b", "beta")])
    for status in [400, 401, 403, 404, 410, 501, 505] {
      try serve([Thing("a", "new \(status)"), Thing("b", "beta")])
      try site.answer(url, .status(status))
      try await assertEqual(sync(ending: .someFailed) { $0.retries = 5 }.removed, 0)
      XCTAssertEqual(site.asked.filter { $0 == "/pub/a" }.count, 1, "\(status)")
      XCTAssertEqual(try tree(), ["a": "alpha", "b": "beta"])
    }
    try await assertIndexIsTrue()
  }

  func testAHostThatKeepsFailingIsGivenUpOnAndTheRestGetsDone() async throws {
    let dead = (0..<40).map { number in
      Thing("dead\(number)", "x") { $0.urls = ["https://dead.test/\(number)"] }
    }
    let alive = (0..<5).map { Thing("alive\($0)", "text") }
    try serve(dead + alive)
    for number in dead.indices { try site.answer("https://dead.test/\(number)", .status(503)) }
    let report = try await sync(ending: .someFailed) { $0.concurrency = 1 }
    XCTAssertEqual(report.failed, 40)
    XCTAssertEqual(report.failures.count, 10 + 1, "what is left alone is told once")
    XCTAssertEqual(
      report.failures.last?.sentence,
      "https://dead.test/: this directory kept failing and is left alone for the rest of this run. "
        + "Look at its first failures, then run again, or leave it out.")
    XCTAssertEqual(site.log.filter { $0.address.host == "dead.test" }.count, 10)
    XCTAssertEqual(try tree().count, 5)
  }

  func testLocatorsAreTriedInTheirOrder() async throws {
    let urls = ["https://one.test/a", "https://two.test/a", "https://three.test/a"]
    try serve([Thing("a", "alpha") { $0.urls = urls }])
    try site.answer(urls[0], .status(404))
    try site.answer(urls[1], .text("wrong"))
    try await syncWell()
    XCTAssertEqual(
      site.log.dropFirst().map(\.address.host), ["one.test", "two.test", "two.test", "three.test"])
    XCTAssertEqual(try tree(), ["a": "alpha"])
  }

  func testWhenEveryLocatorFailsTheItemFailsOnce() async throws {
    let urls = ["https://one.test/a", "https://two.test/a"]
    try serve([Thing("a", "alpha") { $0.urls = urls }])
    for url in urls { try site.answer(url, .status(404)) }
    let report = try await sync()
    XCTAssertEqual(report.failures.map(\.key), ["a"])
    XCTAssert(report.failures.first?.sentence.contains("two.test") ?? false)
  }

  func testStopOnErrorStopsAtTheFirstFailureAndRemovesNothing() async throws {
    try await syncWell(to: [Thing("gone", "gone"), Thing("b", "beta")])
    try serve([Thing("a", "alpha"), Thing("b", "beta"), Thing("c", "c")])
    try site.answer(url, .status(404))
    try await sync(ending: .someFailed) {
      $0.stopOnError = true
      $0.concurrency = 1
    }
    XCTAssertEqual(try tree(), ["gone": "gone", "b": "beta"])
    XCTAssertFalse(site.asked.contains("/pub/c"))
  }
}
