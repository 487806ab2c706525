import Foundation
import TestSupport
import XCTest

/// F7: chains of pages that break, contradict themselves or don't end.
final class F7PagesTests: FaultTestCase {
  private static let length = 8

  /// One item a page.
  private let site = HonestSite(
    Dictionary(uniqueKeysWithValues: (0..<length).map { ("item\($0)", "bytes \($0)") }))

  /// How a page is told of the next one.
  private enum Chain: CaseIterable { case member, link }

  /// The page with this number.
  ///
  /// - Parameter header: Further members of its header line.
  private func page(_ number: Int, _ chain: Chain, next: String? = nil, header: String = "")
    -> FaultAnswer
  {
    let next = next ?? (number + 1 < Self.length ? "page\(number + 1)" : nil)
    let member = next.flatMap { chain == .member ? #","next":"\#($0)""# : nil } ?? ""
    let link = next.flatMap { chain == .link ? [("Link", "<\($0)>; rel=\"next\"")] : nil } ?? []
    return FaultAnswer(
      text: #"{"catalog":1,"complete":true\#(member)\#(header)}"# + "\n" + site.lines[number]
        + "\n", headers: link)
  }

  /// Serves the chain with some of its pages replaced.
  private func script(
    _ chain: Chain, replacing replaced: [Int: FaultAnswer] = [:]
  ) -> FaultServer.Script {
    var pages = (0..<Self.length).reduce(into: [String: FaultAnswer]()) {
      $0[$1 == 0 ? HonestSite.catalogPath : "/page\($1)"] = page($1, chain)
    }
    for (number, answer) in replaced {
      pages[number == 0 ? HonestSite.catalogPath : "/page\(number)"] = answer
    }
    return { [pages, site] request, attempt in
      pages[request.path] ?? site.script(request, attempt)
    }
  }

  func testF7_aPageOfAChainThatIsMissingIsAnError() async throws {
    for chain in Chain.allCases {
      let server = try serveFaults(script(chain))
      assertEnd(try sync(server), 0)
      let before = try tree()
      XCTAssertEqual(before.count, Self.length)
      for missing in 0..<Self.length {
        server.follow(script(chain, replacing: [missing: FaultAnswer(status: 404)]))
        let outcome = try sync(server)
        let claim = "page \(missing), \(chain): \(outcome)"
        XCTAssertEqual(outcome.end, .exited(1), claim)
        assertSays(outcome, ["404"], claim)
        if missing > 0 { assertSays(outcome, ["/page\(missing)"], claim) }
        try assertTree(is: before, claim)
      }
      try await assertIsWell(on: server, to: site, "after pages were missing")
      try FileManager.default.removeItem(at: copy)
    }
    try Extent.record(
      "F7", "page k of 8 missing, for every k, in both kinds of chain", count: 2 * Self.length,
      "error, nothing removed")
  }

  func testF7_aPageThatIsSomethingElseIsAnError() async throws {
    let server = try serveFaults(script(.member))
    assertEnd(try sync(server), 0)
    let before = try tree()
    let others: [(String, FaultAnswer, String)] = [
      ("a login page", FaultAnswer(text: "<html><body>Sign in</body></html>"), "an HTML page"),
      ("nothing", FaultAnswer(), "an empty body"),
      ("another revision", page(3, .member, header: #","revision":"r2""#), "another revision"),
      ("another count", page(3, .member, header: #","count":3"#), "another count"),
      ("a way back", page(3, .member, next: "catalog.ndjson"), "lead back"),
      ("itself", page(3, .member, next: "page3"), "lead back"),
      ("a file", page(3, .member, next: "file:///etc/passwd"), "is a file URL"),
      ("ftp", page(3, .link, next: "ftp://127.0.0.1/"), "scheme 'ftp'"),
      ("user-info", page(3, .member, next: "http://u:s3cr3t@127.0.0.1/"), "carries a user name"),
      ("no URL", page(3, .member, next: "http://a b/"), "isn't a URL"),
      ("a key twice", page(2, .member, next: "page4"), "twice"),
    ]
    for (claim, answer, words) in others {
      server.follow(script(.member, replacing: [3: answer]))
      let outcome = try sync(server)
      try assertLeftAlone(outcome, saying: [words], before, claim)
      XCTAssertFalse(outcome.said.contains("s3cr3t"), outcome.said)
    }
    try await assertIsWell(on: server, to: site, "after \(others.count) other pages")
    try Extent.record(
      "F7", "a page that contradicts the first, loops or is something else",
      count: others.count, "error, nothing changed")
  }

  func testF7_aRevisionOrCountThatChangesAmidTheChainIsAnError() async throws {
    let server = try serveFaults(script(.member))
    assertEnd(try sync(server), 0)
    let before = try tree()
    for word in ["revision", "count"] {
      for change in 1..<Self.length {
        let pages = (0..<Self.length).map { number in
          page(number, .member, header: #","\#(word)":\#(number < change ? 8 : 9)"#)
        }
        server.follow(
          script(
            .member,
            replacing: Dictionary(uniqueKeysWithValues: pages.enumerated().map { ($0, $1) })))
        try assertLeftAlone(
          try sync(server), saying: ["/page\(change)", "another \(word)"], before,
          "\(word) changes at page \(change)")
      }
    }
    try await assertIsWell(on: server, to: site, "after changes amid the chain")
  }

  func testF7_anEndlessChainEndsAtALimitInBoundedMemoryAndTime() async throws {
    let server = try serveFaults(script(.member))
    assertEnd(try sync(server), 0)
    let before = try tree()
    // Every page is new: 1 MiB of what a catalog may say beside its entries.
    let filler = String(repeating: "x", count: 1 << 17)
    server.follow { request, attempt in
      let number = Int(request.path.drop { !$0.isNumber }) ?? 0
      let header = #"{"catalog":1,"complete":true,"next":"page\#(number + 1)"}"# + "\n"
      let entries = (0..<8).map { #"{"key":"k\#(number)/\#($0)","extra":"\#(filler)"}"# + "\n" }
      return FaultAnswer(text: header + entries.joined())
    }
    let outcome = try sync(
      server, HonestSite.catalogPath, ["--max-catalog-size", "8M"], memory: 1 << 30)
    try assertLeftAlone(
      outcome, saying: ["limit of 8.0 MiB", "--max-catalog-size"], before, "endless chain")
    XCTAssertLessThan(server.requests.count, 50)
    try await assertIsWell(on: server, to: site, "after an endless chain")
  }
}
