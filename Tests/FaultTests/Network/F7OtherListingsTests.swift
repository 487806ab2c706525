import Foundation
import RawSockets
import TestSupport
import XCTest

/// F7: what was cut of a listing of another server than nginx is never taken for the whole, at
/// whichever byte it was cut.
final class F7OtherListingsTests: FaultTestCase {
  private static let kinds: [(name: String, kind: ListingServer.Kind, options: [String])] = [
    ("Apache, plain", .apache(nil), []), ("Apache, fancy", .apache("FancyIndexing"), []),
    ("Apache, table", .apache("FancyIndexing HTMLTable"), []), ("lighttpd", .lighttpd, []),
    ("Caddy, HTML", .caddy, []), ("Caddy, JSON", .caddy, ["--format", "caddy-json"]),
    ("Python", .python, []),
    ("any page", .python, ["--format", "listing", "--complete"]),
  ]

  /// Each prefix is the page of a sub-directory, so that one run meets all of them.
  func testF7_noPrefixOfAnotherServersListingRemovesAnything() throws {
    for name in ["a", "b c", "ü&amp", "what?"] { try publish(["d0/" + name: "x"]) }
    for (name, kind, options) in Self.kinds {
      let count = Extent.asked == .quick ? 20 : 200
      for number in 1..<count { try publish(["d\(number)/a": "x"]) }
      let server = try serve(by: kind)
      let root = try page("/", of: server, options)
      let page = try page("/d0/", of: server, options)
      server.stop()
      // What is behind the end of the page isn't missed.
      let whole = page.count - page.reversed().prefix { $0 == 0x0A || $0 == 0x0D }.count
      var random = SeededGenerator(seed: Extent.seed())
      let lengths = (0..<count).map { _ in Int.random(in: 0..<whole, using: &random) }
      let faults = try serveFaults(script(root, page))
      assertEnd(try sync(faults, "/", options, within: .seconds(120)), 0)
      // Where nothing tells a version, files may be fetched anew, with the same bytes.
      let before = try files(in: copy)
      XCTAssertEqual(before.count, count * 4, name)

      faults.follow(script(root, page) { lengths[$0] })
      let outcome = try sync(
        faults, "/", options + ["--max-delete", "all"], within: .seconds(120))
      XCTAssertEqual(outcome.end, .exited(2), "\(name): \(outcome)")
      XCTAssertTrue(
        outcome.said.contains("\(count) directories aren't read"), "\(name): \(outcome)")
      XCTAssertEqual(try files(in: copy), before, name)

      faults.follow(script(root, page))
      assertEnd(try sync(faults, "/", options, within: .seconds(120)), 0)
      XCTAssertEqual(try files(in: copy), before, name)
      try FileManager.default.removeItem(at: copy)
      try Extent.record(
        "F7", "prefixes of a directory listing of \(name)", count: count,
        "each speaks for itself, nothing removed")
    }
  }

  /// A real server's page.
  private func page(
    _ path: String, of server: ListingServer, _ options: [String]
  ) throws -> [UInt8] {
    let asked = options.contains("caddy-json") ? ["Accept: application/json"] : []
    let answer = try server.answer(to: path, headers: asked)
    let head = try XCTUnwrap(answer.firstRange(of: Data("\r\n\r\n".utf8)))
    return Array(answer[head.upperBound...])
  }

  /// The same page for each directory, of which each sends so many bytes.
  private func script(
    _ root: [UInt8], _ page: [UInt8], cut: @escaping @Sendable (Int) -> Int? = { _ in nil }
  ) -> FaultServer.Script {
    // Its files are older than the answer, so that their dates prove something.
    let headers = [("Date", "Sat, 21 Nov 2026 00:00:00 GMT")]
    return { request, _ in
      if request.path == "/" { return FaultAnswer(root, headers: headers) }
      guard request.path.hasSuffix("/") else { return FaultAnswer(text: "x", headers: headers) }
      let number = Int(request.path.dropFirst(2).dropLast()) ?? 0
      return FaultAnswer(Array(page[..<(cut(number) ?? page.count)]), headers: headers)
    }
  }
}
