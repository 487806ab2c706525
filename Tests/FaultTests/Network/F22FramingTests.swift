import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror

/// F22: answers whose end two readers would find in two places. They are errors: nothing is taken
/// from them, nothing goes for them, and their connection carries nothing else.
final class F22FramingTests: FaultTestCase {
  private static let lies = FramingLie.all

  /// Thirty items, of which twenty are left where a catalog is cut.
  private static func site(_ word: String) -> HonestSite {
    HonestSite(
      Dictionary(
        uniqueKeysWithValues: (0..<30).map { ("item\(10 + $0)", "\(word) of item \(10 + $0)") }))
  }

  /// The catalog without a count, which nothing but its length vouches for, and where it's cut: at
  /// the end of a line.
  private static func catalog(_ site: HonestSite) -> (bytes: [UInt8], cut: Int) {
    let lines = [#"{"catalog":1,"complete":true}"#] + site.lines
    let texts = [lines, Array(lines.dropLast(10))].map { $0.map { $0 + "\n" }.joined() }
    return (Array(texts[0].utf8), texts[1].utf8.count)
  }

  func testF22_aCatalogThatCouldBeCutRemovesNothing() async throws {
    let site = Self.site("words")
    let (bytes, cut) = Self.catalog(site)
    let (server, before) = try mirrored(site)
    for lie in Self.lies {
      server.follow { request, attempt in
        request.path == HonestSite.catalogPath
          ? lie.answer(bytes, cut: cut) : site.script(request, attempt)
      }
      try assertLeftAlone(
        try sync(server), saying: ["isn't valid HTTP", lie.words], before, lie.name)
    }
    try await assertIsWell(on: server, to: site, "after catalogs that could be cut")
    try Extent.record(
      "F22", "catalogs whose end two readers find in two places", count: Self.lies.count,
      "error, nothing changed")
  }

  /// A directory of a site's files below another one, as nginx lists them in JSON.
  private struct Directories {
    static let type = "application/json"
    let site: HonestSite
    let top: [UInt8]
    let page: [UInt8]
    /// Where the page is cut; closed by what a lenient reader leaves out: no listing, whoever reads
    /// it.
    let cut: Int

    init(_ site: HonestSite) {
      let date = #""mtime":"Sun, 06 Nov 1994 08:49:37 GMT""#
      let rows = site.items.map { item in
        #"{"name":"\#(item.key)","type":"file",\#(date),"size":\#(item.bytes.count)}"#
      }
      self.site = site
      top = Array((#"[{"name":"sub","type":"directory",\#(date)}]"# + "\n").utf8)
      page = Array(("[\n" + rows.joined(separator: ",\n") + "\n]\n").utf8)
      cut = rows.prefix(20).joined(separator: ",\n").utf8.count + 2
    }

    /// A page without a date of its own leaves open whether its items changed since: each is asked
    /// for with its own validator in the next run, wherever the listing of that run comes from.
    var script: FaultServer.Script {
      { request, attempt in
        switch request.path {
        case "/pub/": return FaultAnswer(top, headers: [("Content-Type", Self.type)])
        case "/pub/sub/": return FaultAnswer(page, headers: [("Content-Type", Self.type)])
        default:
          let name = request.path.split(separator: "/").last ?? ""
          let item = RawRequest(lines: ["GET /\(name)"] + request.lines.dropFirst())
          return site.script(item, attempt)
        }
      }
    }
  }

  func testF22_aDirectoryPageThatCouldBeCutRemovesNothing() async throws {
    let directories = Directories(Self.site("words"))
    let server = try serveFaults(directories.script)
    let first = try sync(server, "/pub/")
    XCTAssertEqual(first.end, .exited(0), "\(first)")
    let before = try tree()
    XCTAssertEqual(before.filter { $0.key.hasPrefix("sub/") }.count, 30)
    let step = Extent.asked == .full ? 1 : 3
    let lies = stride(from: 0, to: Self.lies.count, by: step).map { Self.lies[$0] }
    let pages = [
      ("/pub/", directories.top, 3), ("/pub/sub/", directories.page, directories.cut),
    ]
    for (path, body, cut) in pages {
      for lie in lies {
        server.follow { request, attempt in
          request.path == path
            ? lie.answer(body, cut: cut, type: Directories.type)
            : directories.script(request, attempt)
        }
        try assertNothingIsTaken(from: path, lie, server, before)
      }
    }
    try Extent.record(
      "F22", "directory pages whose end two readers find in two places",
      count: 2 * lies.count, "error, nothing changed")
  }

  private func assertNothingIsTaken(
    from path: String, _ lie: FramingLie, _ server: FaultServer, _ before: [String: String]
  ) throws {
    _ = server.takeRequests()
    let outcome = try sync(server, "/pub/")
    try assertTree(is: before, "\(path), \(lie.name): \(outcome)")
    let items = server.takeRequests().filter { !$0.path.hasSuffix("/") }
    XCTAssertTrue(
      items.allSatisfy { $0["If-None-Match"] != nil }, "fetched for a lie: \(lie.name)")
    // A page below the catalog speaks for itself only.
    guard path == "/pub/" else {
      return XCTAssertNotEqual(outcome.end, .exited(1), "\(lie.name): \(outcome)")
    }
    XCTAssertEqual(outcome.end, .exited(1), "\(lie.name): \(outcome)")
    assertSays(outcome, ["isn't valid HTTP", lie.words], lie.name)
  }

  private static let facts: [Set<HonestSite.Fact>] = [[], [.size], [.digest], [.size, .digest]]

  /// An item for each lie and whatever the catalog may say of it, and one that is told of honestly.
  private static func items(_ word: String) -> HonestSite {
    let items = lies.indices.flatMap { lie in
      facts.indices.map { number in
        HonestSite.Item(
          key: "lie\(lie)-\(number)", bytes: Array("\(word) of \(lie), \(number)".utf8),
          declares: facts[number])
      }
    }
    return HonestSite(items + [HonestSite.Item(key: "good", bytes: Array(word.utf8))])
  }

  func testF22_anItemThatCouldBeCutIsNotTaken() async throws {
    let (before, after) = (Self.items("old bytes"), Self.items("other words"))
    let server = try serve(before)
    assertEnd(try sync(server), 0)
    let bodies = after.items.reduce(into: [:]) { $0["/" + $1.key] = $1.bytes }
    server.follow { request, attempt in
      let name = request.path.dropFirst("/lie".count).prefix { $0 != "-" }
      guard let number = Int(name), let body = bodies[request.path] else {
        return after.script(request, attempt)
      }
      return Self.lies[number].answer(body, cut: body.count - 1)
    }
    let connections = server.connectionCount
    let outcome = try sync(server, HonestSite.catalogPath, ["--retries", "0", "--json"])
    assertEnd(outcome, 2)
    XCTAssertGreaterThanOrEqual(
      server.connectionCount - connections, bodies.count - 1,
      "a connection went on after such an answer")
    try await assertNothingIsLost(
      of: after.versions.merging(before.versions) { $0.union($1) }, "after items")
    let (held, said) = (try files(in: copy), outcome.failureLines)
    for item in before.items where item.key != "good" {
      let lie = Self.lies[Int(item.key.dropFirst(3).prefix { $0 != "-" }) ?? 0]
      XCTAssertTrue(held[item.key] == Data(item.bytes), "\(item.key): \(lie.name)")
      let line = said.first { $0.hasPrefix("mirror: \(item.key): ") } ?? ""
      XCTAssertTrue(line.contains(lie.words), "\(lie.name): \(line)")
    }
    XCTAssertTrue(held["good"] == Data("other words".utf8), "the others weren't fetched")
    try assertConverges(on: server, to: after)
    try Extent.record(
      "F22", "items whose end two readers find in two places", count: bodies.count - 1,
      "error, the old one kept, the connection closed")
  }
}
