import Foundation
import TestSupport
import XCTest

/// Folders with links that lead back above them, as old mirrors of archives have. A run asked for
/// the same lists again and again until it failed, or, with two such links, without an end.
final class RepeatedDirectoryTests: MirrorTestCase {
  private static let kinds: [ListingServer.Kind] = [
    .apache("FancyIndexing"), .apache("FancyIndexing HTMLTable"), .lighttpd, .caddy, .python,
  ]

  /// A tree, and links beneath it: from the name to where it leads.
  private func publish(linking links: [String: String]) throws {
    try publish(["a.txt": "a", "pool/deep/b.txt": "b"])
    for (name, target) in links {
      try makeLink(at: source.appending(path: name).path, to: target)
    }
  }

  /// What a run over the tree fetches and says, and that the next one has nothing to say.
  private func check(
    _ url: String, _ options: [String] = [], leavesAlone names: [String], _ kind: String,
    line: UInt = #line
  ) throws {
    try? FileManager.default.removeItem(at: copy)
    let first = try sync(url, options, within: .seconds(60))
    assertEnd(first, 2, line: line)
    XCTAssertEqual(
      try copied(), ["a.txt": "a", "pool/deep/b.txt": "b"], "\(kind): \(first)", line: line)
    let status = try mirror("status", copy.path).printed
    for name in names {
      XCTAssertTrue(
        status.contains("excluding '/\(name)/' (--exclude)"), "\(kind): \(status)", line: line)
    }
    let second = try sync(url, options, within: .seconds(60))
    assertEnd(second, 0, line: line)
    XCTAssertTrue(second.printed.hasPrefix("unchanged"), "\(kind): \(second)", line: line)
    let excluded = names.flatMap { ["--exclude", "/\($0)/"] }
    let quiet = try sync(url, options + excluded, within: .seconds(60))
    assertEnd(quiet, 0, line: line)
    XCTAssertFalse(quiet.printed.contains("read"), "\(kind): \(quiet)", line: line)
  }

  func testALinkToTheFolderItselfIsLeftAloneByEachServersList() throws {
    try publish(linking: ["updates": "."])
    for kind in Self.kinds {
      try check(serve(by: kind).url, leavesAlone: ["updates"], "\(kind)")
    }
    for listing in NginxServer.Listing.allCases {
      try check(serve(listing: listing).url, leavesAlone: ["updates"], "\(listing)")
    }
  }

  /// WsgiDAV answers for what a link leads to, with the tags that the same files have above.
  func testALinkToTheFolderItselfIsLeftAloneInACollectionOfWebDAV() throws {
    for links in [["updates": "."], ["updates": ".", "pool/up": ".."]] {
      try? FileManager.default.removeItem(at: source)
      try publish(linking: links)
      let folder = base.appending(path: "dav\(links.count)")
      let server = try CatalogServers.webDAV("wsgidav", of: source, in: folder)
      atEnd { try server.stop() }
      try check(
        server.address + "/", ["--format", "webdav"], leavesAlone: links.keys.sorted(),
        "wsgidav, \(links.count)")
    }
  }

  func testSeveralLinksCostAFewRequestsEach() throws {
    try publish(linking: ["updates": ".", "latest": ".", "pool/up": ".."])
    let server = try serve(listing: .html)
    try check(server.url, leavesAlone: ["updates", "latest", "pool/up"], "three")
    XCTAssertLessThan(try server.takeRequests().count, 300)
  }

  func testThePatternThatIsToldCanBeTypedAsItStands() throws {
    try publish(["a b/a.txt": "a"])
    try makeLink(at: source.appending(path: "a b/lo op").path, to: ".")
    let server = try serve(listing: .html)
    let first = try sync(server.url)
    assertEnd(first, 2)
    let told = first.said.split(separator: "excluding '").last?.split(separator: "'").first
    let pattern = try XCTUnwrap(told.map(String.init), "\(first)")
    let second = try sync(server.url, ["--exclude", pattern])
    assertEnd(second, 0)
    XCTAssertFalse(second.printed.contains("read"), "\(pattern): \(second)")
  }

  /// A run ended with status 2 after the advice was taken, and said nothing new: the other
  /// directory that it couldn't read was told before.
  func testAfterTheAdviceWasTakenADirectoryThatWasToldBeforeIsNoNews() throws {
    for listing in NginxServer.Listing.allCases {
      for folder in [source, copy] { try? FileManager.default.removeItem(at: folder) }
      try publish(linking: ["loop": "."])
      try publish(["closed/c.txt": "c"])
      let closed = source.appending(path: "closed").path
      try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: closed)
      var options = NginxServer.Options(listing: listing)
      options.mayReadAll = false
      if geteuid() != 0 {
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: closed)
      }
      let server = try serve(nil, options)
      assertEnd(try sync(server.url), 2)
      let advised = ["--exclude", "/loop/"]
      assertEnd(try mirror(["plan", server.url, copy.path] + advised), 0)
      let second = try sync(server.url, advised)
      assertEnd(second, 0)
      XCTAssertTrue(
        second.printed.contains("unchanged, but for 1 directory that isn't read"), "\(second)")
      let third = try sync(server.url)
      assertEnd(third, 2)
      XCTAssertTrue(third.said.contains("/loop/"), "\(third)")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: closed)
    }
  }

  /// One repetition was taken for a link where a filter left out the directory that would have
  /// shown that there is none: what lay beside that was removed.
  func testAFilterOnTheWayDownMakesNoLinkOfARealTree() throws {
    let texts = [
      "README": "r", "src/f": "1", "archive/README": "r", "archive/src/f": "2",
      "archive/archive/src/f": "3",
    ]
    for listing in NginxServer.Listing.allCases {
      for folder in [source, copy] { try? FileManager.default.removeItem(at: folder) }
      try publish(texts)
      for name in texts.keys {
        let attributes = [FileAttributeKey.modificationDate: Date(timeIntervalSince1970: 1e9)]
        let path = source.appending(path: name).path
        try FileManager.default.setAttributes(attributes, ofItemAtPath: path)
      }
      let server = try serve(listing: listing)
      assertEnd(try sync(server.url), 0)
      XCTAssertEqual(try copied(), texts, "\(listing)")
      for pattern in ["/archive/archive/", "/archive/a*", "archive/archive/**"] {
        let second = try sync(server.url, ["--exclude", pattern])
        assertEnd(second, 0)
        XCTAssertEqual(try copied()["archive/src/f"], "2", "\(listing) \(pattern): \(second)")
      }
    }
  }

  func testWhatIsHeldBelowSuchALinkStays() throws {
    try publish(["a.txt": "a", "updates/b.txt": "b"])
    let server = try serve(listing: .json)
    assertEnd(try sync(server.url), 0)
    try withdraw("updates/b.txt")
    try FileManager.default.removeItem(at: source.appending(path: "updates"))
    try makeLink(at: source.appending(path: "updates").path, to: ".")
    let outcome = try sync(server.url)
    assertEnd(outcome, 2)
    XCTAssertEqual(try copied(), ["a.txt": "a", "updates/b.txt": "b"], "\(outcome)")
  }

  func testWhatComesLastIsPlacedAllTheSame() throws {
    try publish(linking: ["updates": "."])
    try publish(["dists/Index": "1"])
    let server = try serve(listing: .html)
    let outcome = try sync(server.url, ["--last", "/dists/"])
    assertEnd(outcome, 2)
    XCTAssertEqual(try copied()["dists/Index"], "1", "\(outcome)")
  }

  /// Whoever unpacks an archive in itself has a tree of the same names, sizes and dates.
  func testATreeThatHoldsACopyOfItselfArrivesWhole() throws {
    let paths = ["a.txt", "x/a.txt", "x/x/a.txt", "x/x/x/b.txt"]
    try publish(Dictionary(uniqueKeysWithValues: paths.map { ($0, "a") }))
    for path in paths + ["x/x/x", "x/x", "x"] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)],
        ofItemAtPath: source.appending(path: path).path)
    }
    try assertArrives(paths, from: serve(listing: .html).url)
    try assertArrives(paths, from: serve(by: .python).url)
  }

  /// Nine directories, one in the other, that list the same in name, size and date.
  func testATreeOfEqualDirectoriesArrivesWhole() throws {
    let folders = (0...9).map { String(repeating: "x/", count: $0) }
    let paths = folders.map { $0 + "a.txt" }
    try publish(Dictionary(uniqueKeysWithValues: paths.map { ($0, "a") }))
    for path in paths + folders.reversed() {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)],
        ofItemAtPath: source.appending(path: path).path)
    }
    try assertArrives(paths, from: serve(listing: .json).url)
    try assertArrives(paths, from: serve(by: .python).url)
  }

  private func assertArrives(_ paths: [String], from url: String, line: UInt = #line) throws {
    try? FileManager.default.removeItem(at: copy)
    let outcome = try sync(url, within: .seconds(60))
    assertEnd(outcome, 0, line: line)
    XCTAssertEqual(try copied().keys.sorted(), paths.sorted(), "\(outcome)", line: line)
  }
}
