import Foundation
import TestSupport
import XCTest

/// F7: what isn't the list that others publish, or not the whole of it, changes nothing.
final class F7PublishedListsTests: FaultTestCase {
  private typealias Fault = (claim: String, answer: FaultAnswer)

  /// What comes in the place of a page.
  private func faults(of site: PublishedSite) -> [Fault] {
    let page = site.page
    func body(_ claim: String, _ bytes: [UInt8], _ type: String? = nil) -> Fault {
      let headers = [("Content-Type", type ?? page.type)]
      return (claim, FaultAnswer(bytes, status: page.status, headers: headers))
    }
    let login = Array("<!DOCTYPE html><html><body><form>Sign in</form></body></html>".utf8)
    let text = Array(page.text.utf8)
    let bodies = [
      body("empty", []), body("blank", Array(" \r\n\t".utf8)),
      body("a login page", login, "text/html"), body("a login page under its type", login),
      body("an API's error", Array(#"{"message":"no"}"#.utf8), "application/json"),
      body("an error in XML", Array("<?xml version='1.0'?><Error><Code>X</Code></Error>".utf8)),
      body("binary data", [0x7F, 0x45, 0x4C, 0x46, 0, 1, 2]),
      body("UTF-16", [0xFF, 0xFE] + text.flatMap { [$0, 0] }),
      body("more behind its end", text + Array("rubbish\n".utf8)),
      body("invalid UTF-8 behind its end", text + [0xFF, 0x0A]),
      body("nothing but nesting", Array(String(repeating: "<a>", count: 100_000).utf8)),
      body("nothing but nesting in JSON", Array(String(repeating: "[", count: 100_000).utf8)),
      body(
        "declarations", Array("<!DOCTYPE a [<!ENTITY b 'c'>]>".utf8) + text, "application/xml"),
    ]
    let unfit = page.status == 207 ? 200 : 207
    let statuses = [unfit, 201, 206, 401, 403, 404, 410, 500, 503].map { status in
      ("status \(status)", FaultAnswer(text, status: status, headers: [("Retry-After", "0")]))
    }
    return bodies + statuses
  }

  /// All of them, or in the quick form a few, others for each site and each day.
  private func chosen<Case>(
    _ cases: [Case], quick: Int, _ random: inout SeededGenerator
  ) -> [Case] {
    Extent.asked == .full ? cases : Array(cases.shuffled(using: &random).prefix(quick))
  }

  func testF7_whatIsNoPublishedListIsAnErrorAndChangesNothing() async throws {
    var count = 0
    var random = SeededGenerator(seed: Extent.seed())
    for site in PublishedSite.all {
      let (server, before) = try begin(site)
      for (claim, answer) in chosen(faults(of: site), quick: 7, &random) {
        server.follow(site.script(answer))
        let outcome = try sync(
          server, site.path, site.options + ["--max-delete", "all", "--retries", "0"])
        let name = String(site.spoiled.split(separator: "/").last ?? "")
        try assertLeftAlone(outcome, saying: [name], before, "\(site.name), \(claim)")
        count += 1
      }
      try await end(site, server, before)
    }
    try Extent.record(
      "F7", "lists in 15 published forms that are something else, or come with another status",
      count: count, "error, nothing changed")
  }

  func testF7_noPrefixOfAPublishedListRemovesAnything() async throws {
    var count = 0
    var random = SeededGenerator(seed: Extent.seed())
    for site in PublishedSite.all {
      let (server, before) = try begin(site)
      let bytes = Array(site.page.text.utf8)
      for length in chosen(Array(0..<bytes.count), quick: 4, &random) {
        let headers = [("Content-Type", site.page.type)]
        server.follow(
          site.script(
            FaultAnswer(Array(bytes[..<length]), status: site.page.status, headers: headers)))
        let outcome = try sync(server, site.path, site.options + ["--max-delete", "all"])
        let claim = "\(site.name), \(length) of \(bytes.count) bytes"
        if site.isOfLines, outcome.end == .exited(0) {
          // Where a list can't say whether it is whole, a sync says so once, and a plan each time.
          let plan = try mirror(
            ["plan", server.url(site.path), copy.path] + site.options + ["--max-delete", "all"])
          XCTAssertTrue(plan.printed.contains("nothing would be removed: "), "\(claim): \(plan)")
          try assertTree(is: before, claim)
        } else {
          try assertLeftAlone(outcome, saying: [], before, claim)
        }
        count += 1
      }
      try await end(site, server, before)
    }
    try Extent.record(
      "F7", "prefixes of lists in 15 published forms", count: count,
      "error or partial, nothing removed")
  }

  /// A folder with what an honest server has, and what is in it.
  private func begin(_ site: PublishedSite) throws -> (FaultServer, [String: String]) {
    let server = try serveFaults(site.script())
    let outcome = try sync(server, site.path, site.options)
    XCTAssertEqual(outcome.end, .exited(0), "\(site.name): \(outcome)")
    let before = try tree()
    XCTAssertGreaterThanOrEqual(before.count, 2, site.name)
    return (server, before)
  }

  /// An honest server again: the folder is as it was.
  private func end(
    _ site: PublishedSite, _ server: FaultServer, _ before: [String: String]
  ) async throws {
    let files = try files(in: copy)
    try await assertNothingIsLost(of: files.mapValues { [$0] }, site.name)
    server.follow(site.script())
    for _ in 0..<2 {
      let outcome = try sync(server, site.path, site.options)
      XCTAssertEqual(outcome.end, .exited(0), "\(site.name): \(outcome)")
      XCTAssertEqual(try self.files(in: copy), files, site.name)
    }
    server.stop()
    try FileManager.default.removeItem(at: copy)
  }
}
