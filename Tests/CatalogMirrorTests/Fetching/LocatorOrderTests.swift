import SyncTransport
import SynchronizerTesting
import TestSupport
import TransportTesting
import XCTest

@testable import CatalogMirror

/// An item with several locators comes from the first of them that gives the right bytes.
final class LocatorOrderTests: RunTestCase {
  private static let first = "https://one.test/a"
  private static let second = "https://two.test/a"

  /// A run in which the first place answers like this; the addresses that were asked for the item.
  private func asked(
    _ answers: Site.Answer..., thing change: (inout Thing) -> Void = { _ in }
  ) async throws -> [String] {
    try? remove("")
    let thing = Thing("a", "right") { thing in
      thing.urls = [Self.first, Self.second]
      change(&thing)
    }
    try serve([thing])
    try site.setAnswers(Self.first, answers)
    try site.answer(Self.second, .text("right"))
    try await syncWell()
    XCTAssertEqual(try tree(), ["a": "right"])
    try await assertIndexIsTrue()
    return site.log.map(\.address.text).filter { $0.hasSuffix("/a") }
  }

  func testTheFirstThatGivesTheRightBytesIsTheLastThatIsAsked() async throws {
    let first = try await asked(.text("right"))
    XCTAssertEqual(first, [Self.first])
  }

  func testTheNextIsTriedWhenTheFirstHasNothing() async throws {
    try await assertEqual(asked(.status(404)), [Self.first, Self.second], "asked once")
  }

  func testTheNextIsTriedWhenTheFirstGivesOtherBytesTwice() async throws {
    let wrong = try await asked(.text("wrong"))
    XCTAssertEqual(wrong, [Self.first, Self.first, Self.second], "once more without caches")
    try await assertEqual(asked(.text("right and more")), [Self.first, Self.first, Self.second])
  }

  func testTheNextIsTriedWhenTheFirstIsTooShort() async throws {
    let short = try await asked(.text("rig")) { $0.hasDigest = false }
    XCTAssertEqual(short.first, Self.first)
    XCTAssertEqual(short.last, Self.second)
  }

  func testADeadHostIsTriedAsOftenAsAnyAndThenTheNext() async throws {
    let dead = Thing("a", "right") { $0.urls = [Self.first, Self.second] }
    try serve([dead])
    try site.answer(Self.first, .status(503))
    try site.answer(Self.second, .text("right"))
    let mirror = mirror { $0.retries = 2 }
    async let run = mirror.sync()
    for seconds in [1, 2] {
      try await clock.sleepers(atLeast: 1)
      clock.advance(by: .seconds(seconds))
    }
    assertEnds(try await run)
    XCTAssertEqual(
      site.log.map(\.address.text).filter { $0.hasSuffix("/a") },
      [Self.first, Self.first, Self.first, Self.second], "two retries")
    XCTAssertEqual(try tree(), ["a": "right"])
  }

  func testWhenNoneGivesItTheLastOneIsTold() async throws {
    try serve([Thing("a", "right") { $0.urls = [Self.first, Self.second] }])
    try site.answer(Self.first, .status(404))
    try site.answer(Self.second, .status(403))
    let report = try await sync()
    XCTAssertEqual(report.failures.map(\.key), ["a"])
    XCTAssert(report.failures.map(\.sentence).joined().contains("403"))
  }
}
