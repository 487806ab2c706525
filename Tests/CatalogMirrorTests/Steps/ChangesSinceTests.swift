import Foundation
import SyncTransport
import XCTest

@testable import CatalogMirror

/// A format that can ask for what has changed since the pass before.
final class ChangesSinceTests: RunTestCase {
  private func serveFirst() throws {
    try serveBytes(["a": "alpha", "b": "beta", "d/x": "x", "d/y": "y"])
    try serveSteps("+a 1", "+b 1", "+d/x 1", "+d/y 1", "checkpoint one")
  }

  private func syncFirst() async throws {
    try serveFirst()
    assertEnds(try await syncSteps())
    XCTAssertEqual(site.asked.first, "/pub/steps", "nothing is known to ask from")
  }

  func testOnlyWhatChangedIsAskedForAndNothingElseIsTouched() async throws {
    try await syncFirst()
    try serveBytes(["a": "alpha 2", "c": "gamma"])
    try serveSteps("claim changes", "+a 2", "+c 1", "-b", "checkpoint two", at: "?since=one")
    assertEnds(try await syncSteps())
    XCTAssertEqual(try tree(), ["a": "alpha 2", "c": "gamma", "d/x": "x", "d/y": "y"])
    XCTAssertEqual(Set(site.asked), ["/pub/steps", "/pub/a", "/pub/c"])
    XCTAssertEqual(site.log.first?.address.text, Self.stepsURL + "?since=one")
    try serveSteps("claim changes", "checkpoint two", at: "?since=two")
    _ = try await syncSteps()
    XCTAssertEqual(site.log.map(\.address.text), [Self.stepsURL + "?since=two"])
    XCTAssertEqual(try tree().count, 4)
  }

  func testADirectoryThatIsGoneTakesAllBelowItAlong() async throws {
    try await syncFirst()
    try serveSteps("claim changes", "-d/", "checkpoint two", at: "?since=one")
    assertEnds(try await syncSteps { $0.maximumRemoval = .count(2) })
    XCTAssertEqual(try tree(), ["a": "alpha", "b": "beta"])
  }

  func testTheRemovalLimitHoldsForChangesToo() async throws {
    try await syncFirst()
    try serveSteps(
      "claim changes", "-a", "-b", "-d/x", "-d/y", "checkpoint two", at: "?since=one")
    assertEnds(try await syncSteps(), .removalRefused(count: 4, of: 4))
    XCTAssertEqual(try tree().count, 4)
  }

  func testWhereChangesCannotBeHadTheWholeListIsAskedFor() async throws {
    for answer in [Site.Answer.status(403), .text("<html>sign in</html>"), .text("steps\n+a 1\n")] {
      try await syncFirst()
      try site.answer(Self.stepsURL + "?since=one", answer)
      try serveBytes(["c": "gamma"])
      try serveSteps("+a 1", "+b 1", "+d/x 1", "+c 1", "checkpoint one")
      assertEnds(try await syncSteps())
      XCTAssertEqual(try tree(), ["a": "alpha", "b": "beta", "c": "gamma", "d/x": "x"])
      try FileManager.default.removeItem(atPath: folder)
    }
  }

  func testAfterAPassWithFailuresTheWholeListIsAskedFor() async throws {
    // What failed isn't named by the next list of changes.
    try await syncFirst()
    try serveSteps("claim changes", "+c 1", "checkpoint two", at: "?since=one")
    assertEnds(try await syncSteps(), .someFailed)
    try serveBytes(["c": "gamma"])
    try serveSteps("+a 1", "+b 1", "+c 1", "+d/x 1", "+d/y 1", "checkpoint two")
    assertEnds(try await syncSteps())
    XCTAssertEqual(site.log.first?.address.text, Self.stepsURL)
    XCTAssertEqual(try tree()["c"], "gamma")
  }

  func testWhatIsDamagedIsRepairedThoughNoChangeNamesIt() async throws {
    try await syncFirst()
    try remove("b")
    try serveBytes(["c": "gamma"])
    try serveSteps("claim changes", "+c 1", "checkpoint two", at: "?since=one")
    assertEnds(try await syncSteps())
    XCTAssertEqual(try tree()["b"], "beta")
    XCTAssertEqual(try tree()["c"], "gamma")
  }
}
