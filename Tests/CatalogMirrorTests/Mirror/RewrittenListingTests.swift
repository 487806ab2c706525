import Foundation
import SyncTransport
import TestSupport
import XCTest

@testable import CatalogMirror

/// Whole runs over a server's list whose links change on the way.
final class RewrittenListingTests: RunTestCase {
  private static let names = (0..<10).map { "f\($0).txt" }

  private func list(_ link: (String) -> String = { $0 }, head: String = "") -> String {
    let rows = Self.names.map { name in
      "<a href=\"\(link(name))\">\(name)</a>      02-Jan-2024 03:04                   5\r\n"
    }
    return """
      <html>\r\n<head><title>Index of /pub/</title>\(head)</head>\r\n<body>\r
      <h1>Index of /pub/</h1><hr><pre><a href="../">../</a>\r\n\(rows.joined())</pre><hr></body>\r
      </html>\r\n
      """
  }

  private func syncList(_ text: String) async throws -> MirrorReport {
    try site.answer(Self.root, .text(text, ("Content-Type", "text/html")))
    for name in Self.names { try site.answer(Self.root + name, .text("hello")) }
    return try await sync { $0.catalog = Self.root }
  }

  /// Some of the links were made absolute by a proxy: their files were removed.
  func testLinksThatAreMadeAbsoluteRemoveNothing() async throws {
    _ = try await syncList(list())
    let absolute = try await syncList(list { $0 < "f4" ? "/pub/" + $0 : $0 })
    XCTAssertEqual(absolute.outcome, .done)
    XCTAssertEqual(absolute.partial, [])
    XCTAssertEqual(try tree().count, 10)
    try await assertEqual(syncList(list { Self.root + $0 }).partial, [])
    XCTAssertEqual(try tree().count, 10)
  }

  func testLinksThatAreNotUnderstoodRemoveNothingAndAreTold() async throws {
    _ = try await syncList(list())
    let report = try await syncList(list { $0 < "f4" ? "get?name=" + $0 : $0 })
    XCTAssertEqual(
      report.partial, [.unreadLinks(url: Self.root, count: 4, example: "get?…")])
    XCTAssertEqual(try tree().count, 10)
  }

  func testABaseElsewhereIsAnErrorAndRemovesNothing() async throws {
    _ = try await syncList(list())
    assertEnds(try await syncList(list(head: "<base href=\"/files/\">")), .failed)
    XCTAssertEqual(try tree().count, 10)
  }

  /// The page of a directory was stored as a file of its name.
  func testWhatGivesTheSamePageWithASlashIsADirectory() async throws {
    try site.answer(Self.root, Self.page("sub", "b", "c.txt", "web", "raw"))
    for name in ["sub", "sub/"] { try site.answer(Self.root + name, Self.page("a.txt")) }
    for name in ["sub/a.txt", "b", "c.txt"] { try site.answer(Self.root + name, .text(name)) }
    try site.answer(Self.root + "web", Self.page("x.txt"))
    try site.answer(Self.root + "raw", .text("raw"))
    try site.answer(Self.root + "raw/", .text("raw"))
    try site.answer(Self.root + "web/", Self.page("y.txt"))
    try await sync(ending: .done) { options in
      options.catalog = Self.root
      options.format = "listing"
    }
    XCTAssertEqual(Set(try tree().keys), ["sub/a.txt", "b", "c.txt", "web", "raw"])
    XCTAssertFalse(site.asked.contains("/pub/c.txt/"))
  }

  /// Its page says something else each time, as one with a clock does.
  func testWhatIsSentOnToItsNameWithASlashIsADirectory() async throws {
    try site.answer(Self.root, Self.page("d"))
    try site.answer(Self.root + "d", .status(301, ("Location", Self.root + "d/")))
    let pages = (0..<3).map { Self.page("a.txt", footer: "<p>\($0)</p>") }
    try site.answer(Self.root + "d/", pages[0], pages[1], pages[2])
    try site.answer(Self.root + "d/a.txt", .text("a"))
    assertEnds(try await syncLinks())
    XCTAssertEqual(Set(try tree().keys), ["d/a.txt"])
  }

  func testOfALinkThatAsksForADownloadNobodyAsksWhetherItIsADirectory() async throws {
    try site.answer(Self.root, Self.page("d?download=1"))
    for name in ["d?download=1", "d?download=1/"] {
      try site.answer(Self.root + name, Self.page("a.txt"))
    }
    assertEnds(try await syncLinks())
    XCTAssertEqual(Set(try tree().keys), ["d"])
  }

  private static func page(_ links: String..., footer: String = "") -> Site.Answer {
    let rows = links.map { "<a href=\"\($0)\">\($0)</a>" }.joined()
    return .text(
      "<html><body>" + rows + footer + "</body></html>", ("Content-Type", "text/html"),
      ("ETag", "\"x\(footer.prefix(20))\""))
  }

  private func syncLinks() async throws -> MirrorReport {
    try await sync { options in
      options.catalog = Self.root
      options.format = "listing"
      options.vouchesForCompleteness = true
    }
  }

  /// Its files were removed, and its page was stored as a file of its name.
  func testADirectoryWhoseServerFailsForAWhileLosesNothing() async throws {
    try site.answer(Self.root, Self.page("d1", "b.txt"))
    try site.answer(Self.root + "b.txt", .text("b"))
    try site.answer(Self.root + "d1/a.txt", .text("a"))
    let whole = Self.page("a.txt")
    let long = Self.page("a.txt", footer: String(repeating: "<p>x</p>", count: 1_100_000))
    let troubles = [
      ("d1/", Site.Answer.status(503)), ("d1", .status(503)), ("d1/", .status(500)), ("d1/", long),
      ("d1", long),
    ]
    for (round, (name, trouble)) in troubles.enumerated() {
      for name in ["d1", "d1/"] { try site.answer(Self.root + name, whole) }
      site.forgetLog()
      let before = try await syncLinks()
      XCTAssertTrue(site.asked.contains("/pub/d1/"), "round \(round)")
      XCTAssertEqual(before.partial, [], "\(name): it is asked again, though the list is the same")
      XCTAssertEqual(Set(try tree().keys), ["d1/a.txt", "b.txt"], name)
      try site.answer(Self.root, Self.page("d1", "b.txt", footer: "<p>\(round)</p>"))
      try site.answer(Self.root + name, trouble)
      try await assertEqual(
        syncLinks().partial, [.unreadLinks(url: Self.root, count: 1, example: "d1")], name)
      XCTAssertEqual(Set(try tree().keys), ["d1/a.txt", "b.txt"], name)
    }
  }

  func testWhatIsForbiddenGoneOrNoPageWithASlashIsAFile() async throws {
    try site.answer(Self.root, Self.page("a", "b", "c"))
    for name in ["a", "b", "c"] { try site.answer(Self.root + name, .text(name)) }
    try site.answer(Self.root + "a/", .status(403))
    try site.answer(Self.root + "b/", .status(410))
    let long = String(repeating: "binary \n", count: 1_100_000)
    try site.answer(Self.root + "c/", .text(long, ("Content-Type", "application/octet-stream")))
    try await assertEqual(syncLinks().partial, [])
    XCTAssertEqual(Set(try tree().keys), ["a", "b", "c"])
  }
}
