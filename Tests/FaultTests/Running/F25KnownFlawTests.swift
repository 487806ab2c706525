import Foundation
import TestSupport
import XCTest

/// F25: a source with flaws that stay, behind servers that list them: a link that leads nowhere, a
/// file that nobody may read. The index once waited for them for ever, and nothing was removed.
final class F25KnownFlawTests: FaultTestCase {
  private static let options = ["--last", "dists/**", "--retries", "0"]

  private func publish(round: Int, _ pool: [String: String]) throws {
    // Each state has its own date.
    let date = Self.longAgo.addingTimeInterval(Double(round * 86_400))
    try publish(["dists/Index": "\(round)"], dated: date)
    try publish(pool, dated: date)
  }

  private func breakPool(_ name: String) throws {
    let file = source.appending(path: "pool/\(name)")
    try? FileManager.default.removeItem(at: file)
    try FileManager.default.createSymbolicLink(
      atPath: file.path, withDestinationPath: "nowhere")
  }

  private func index() throws -> String? { try copied()["dists/Index"] }

  func testF25_flawsThatStayDontKeepTheIndexBack() throws {
    let kinds: [ListingServer.Kind] = [.python, .apache("FancyIndexing"), .lighttpd]
    for kind in kinds {
      try publish(round: 1, ["pool/a": "a", "pool/old": "old"])
      try breakPool("broken")
      let url = try serve(by: kind).url
      let first = try sync(url, Self.options)
      let isListed = first.end == .exited(2)
      XCTAssertEqual(try index(), isListed ? nil : "1", "a flaw that is new: \(first)")
      for round in 2...4 {
        try publish(round: round, ["pool/p\(round)": "p"])
        if round == 3 { try withdraw("pool/old") }
        let next = try sync(url, Self.options)
        assertEnd(next, 0)
        XCTAssertEqual(next.said, "", "told when it was new")
        XCTAssertEqual(try index(), "\(round)", "\(url)")
      }
      XCTAssertNil(try copied()["pool/old"])
      try FileManager.default.removeItem(at: copy)
      try FileManager.default.removeItem(at: source)
      try makeFolder(at: source)
    }
    try Extent.record(
      "F25", "servers of a source with a link that leads nowhere", count: kinds.count,
      "told when it is new; from the second run on the index comes and removals are made")
  }

  func testF25_anItemThatARunHeldKeepsTheIndexBackInEveryRun() throws {
    try publish(round: 1, ["pool/a": "a", "pool/b": "b"])
    let url = try serve(by: .python).url
    assertEnd(try sync(url, Self.options), 0)
    try breakPool("b")
    for round in 2...4 {
      try publish(round: round, ["pool/a": "a \(round)"])
      let next = try sync(url, Self.options)
      assertEnd(next, 2)
      XCTAssertTrue(next.said.contains("pool/b"), "\(next)")
      XCTAssertEqual(try index(), "1")
      XCTAssertEqual(try copied()["pool/b"], "b")
    }
    try Extent.record(
      "F25", "runs in which an item is refused that was held before", count: 3,
      "the index stays, and what is held stays with it")
  }
}
