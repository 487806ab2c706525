import Foundation
import RawSockets
import TestSupport
import XCTest

/// F7: what was cut is never taken for the whole, at whichever byte it was cut.
final class F7PrefixTests: FaultTestCase {
  private let site = HonestSite([
    "a.txt": "alpha", "b/ü.txt": "beta", "c": "gamma", "long name": "delta",
  ])

  /// A catalog of the site in every form, by name, and the options with which it speaks for
  /// everything that the folder holds.
  private var golden: [(name: String, text: String, options: [String])] {
    let entries = site.lines.joined(separator: ",\n ")
    let object = #"{"catalog":1,"count":4,"complete":true,"items":["# + entries + "]}\n"
    let sums = site.items.map { item in
      "\(HonestSite.digest(of: item.bytes))  \(item.key)\n"
    }
    return [
      ("NDJSON", site.catalog, []), ("object", object, []),
      ("array", "[" + entries + "]\n", ["--complete"]), ("digests", sums.joined(), []),
    ]
  }

  func testF7_noPrefixOfACatalogRemovesAnything() async throws {
    var count = 0
    for (name, text, options) in golden {
      let (server, before) = try mirrored(site)
      let bytes = Array(text.utf8)
      for length in try lengths(below: bytes.count - 1, quick: 8) {
        server.follow { [site] request, attempt in
          request.path == HonestSite.catalogPath
            ? FaultAnswer(Array(bytes[..<length])) : site.script(request, attempt)
        }
        // Whoever could remove one item could remove them all.
        let outcome = try sync(
          server, HonestSite.catalogPath, options + ["--max-delete", "all"])
        let claim = "\(name), \(length) of \(bytes.count) bytes: \(outcome)"
        XCTAssertTrue([.exited(0), .exited(1), .exited(2)].contains(outcome.end), claim)
        if outcome.end == .exited(0) {
          XCTAssertTrue(outcome.printed.contains("not removing anything"), claim)
        }
        assertSays(outcome, [], claim)
        try assertTree(is: before, claim)
        count += 1
      }
      try await assertIsWell(on: server, to: site, "after prefixes of \(name)")
      try FileManager.default.removeItem(at: copy)
    }
    try Extent.record(
      "F7", "prefixes of catalogs in four forms", count: count, "error or partial, nothing removed")
  }

  /// Each prefix is the page of a sub-directory, so that one run meets all of them.
  func testF7_noPrefixOfADirectoryListingRemovesAnything() async throws {
    for listing in NginxServer.Listing.allCases {
      let honest = try page(of: listing)
      let lengths = try lengths(below: honest.count - 2, quick: 60)
      let server = try serveFaults(directories(lengths.count, honest, listing))
      assertEnd(try sync(server, "/", within: .seconds(120)), 0)
      let before = try tree()
      XCTAssertEqual(before.count, lengths.count * 5)
      server.follow(directories(lengths.count, honest, listing) { lengths[$0] })
      let outcome = try sync(server, "/", ["--max-delete", "all"], within: .seconds(120))
      XCTAssertEqual(outcome.end, .exited(2), "\(outcome)")
      XCTAssertTrue(
        outcome.said.contains("\(lengths.count) directories aren't read"), "\(outcome)")
      let lines = 1 + min(lengths.count, 20) + (lengths.count > 20 ? 1 : 0)
      XCTAssertEqual(outcome.said.count { $0.isNewline }, lines, "\(outcome)")
      try assertTree(is: before, "\(listing)")
      try assertEachIsNamed(
        try sync(server, "/", ["--json", "--max-delete", "all"], within: .seconds(120)),
        lengths)
      let versions = before.keys.reduce(into: [String: Set<Data>]()) { $0[$1] = [Data("x".utf8)] }
      try await assertNothingIsLost(of: versions, "after prefixes of \(listing)")
      server.follow(directories(lengths.count, honest, listing))
      assertEnd(try sync(server, "/", within: .seconds(120)), 0)
      try assertTree(is: before, "\(listing)")
      try FileManager.default.removeItem(at: copy)
      try Extent.record(
        "F7", "prefixes of a directory listing in \(listing.rawValue)", count: lengths.count,
        "each speaks for itself and is named, nothing removed")
    }
  }

  /// What can't be read again is told again, and is no failure any more.
  private func assertEachIsNamed(_ outcome: ProgramOutcome, _ lengths: [Int]) throws {
    XCTAssertEqual(outcome.end, .exited(0), "\(outcome)")
    XCTAssertEqual(outcome.said, "")
    let ended = try XCTUnwrap(outcome.printed.split(separator: "\n").last)
    for number in lengths.indices {
      XCTAssertTrue(ended.contains("/d\(number)/\""), "nothing of \(lengths[number]) bytes")
    }
  }

  /// A real nginx's listing of four files.
  private func page(of listing: NginxServer.Listing) throws -> [UInt8] {
    for name in ["a", "b c", "ü&amp", "what?"] { try publish(["in/" + name: "x"]) }
    let server = try serve(listing: listing)
    let answer = try RawSocket.ask("GET /in/ HTTP/1.0\r\n\r\n", port: server.port)
    let head = try XCTUnwrap(answer.firstRange(of: Data("\r\n\r\n".utf8)))
    return Array(answer[head.upperBound...])
  }

  /// So many directories with the same page, of which each sends so many bytes.
  private func directories(
    _ count: Int, _ page: [UInt8], _ listing: NginxServer.Listing,
    cut: @escaping @Sendable (Int) -> Int? = { _ in nil }
  ) -> FaultServer.Script {
    let date = "Fri, 20 Nov 2020 21:47:24 GMT"
    let rows = (0..<count).map { number in
      listing == .json
        ? #"{ "name":"d\#(number)", "type":"directory", "mtime":"\#(date)" }"#
        : "<a href=\"d\(number)/\">d\(number)/</a>"
          + String(repeating: " ", count: 49 - "\(number)".count) + "20-Nov-2020 21:47"
          + "                   -"
    }
    let root =
      listing == .json
      ? "[\r\n" + rows.joined(separator: ",\r\n") + "\r\n]"
      : "<html>\r\n<head><title>Index of /</title></head>\r\n<body>\r\n<h1>Index of /</h1><hr><pre>"
        + "<a href=\"../\">../</a>\r\n" + rows.map { $0 + "\r\n" }.joined()
        + "</pre><hr></body>\r\n</html>\r\n"
    // Its files are older than the answer, so that their dates prove something.
    let headers = [("Date", "Sat, 21 Nov 2026 00:00:00 GMT")]
    return { request, _ in
      if request.path == "/" { return FaultAnswer(text: root, headers: headers) }
      guard request.path.hasSuffix("/") else { return FaultAnswer(text: "x", headers: headers) }
      let number = Int(request.path.dropFirst(2).dropLast()) ?? 0
      let title = Array("Index of /in/".utf8), own = Array("Index of /d\(number)/".utf8)
      let sent = Array(page[..<(cut(number) ?? page.count)])
      return FaultAnswer(sent.replacing(title, with: own), headers: headers)
    }
  }

  private func lengths(below count: Int, quick: Int) throws -> [Int] {
    guard Extent.asked == .quick else { return Array(0..<count) }
    var random = SeededGenerator(seed: Extent.seed())
    return Array((0..<count).shuffled(using: &random).prefix(quick)).sorted()
  }
}
