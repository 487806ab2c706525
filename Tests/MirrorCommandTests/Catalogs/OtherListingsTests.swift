import Foundation
import TestSupport
import XCTest

/// Folders that other servers than nginx list, mirrored: names of all kinds, and a part of this
/// system's own documentation.
final class OtherListingsTests: MirrorTestCase {
  private static let debiansApache =
    "FancyIndexing VersionSort HTMLTable NameWidth=* DescriptionWidth=* Charset=UTF-8"

  func testApachesListsInEachForm() throws {
    let kinds: [ListingServer.Kind] = [
      .apache(nil), .apache("FancyIndexing"), .apache("FancyIndexing HTMLTable XHTML NameWidth=*"),
    ]
    for kind in kinds { try checkOddNames(kind) }
  }

  func testApachesListWithTextAboveAndBelow() throws {
    try publish([
      "HEADER.html": "<h1>Files</h1><a href=\"above\">above</a><ul><li><a href=\"a\">a</a></ul>",
      "README.html": "<pre><a href=\"below\">below</a>  2026-11-20 21:47  1K</pre>", "file": "text",
    ])
    let server = try serve(by: .apache("FancyIndexing"))
    let page = String(decoding: try server.answer(to: "/"), as: UTF8.self)
    XCTAssertTrue(page.contains("above</a>") && page.contains("below</a>"), page)
    assertEnd(try sync(server.url), 0)
    XCTAssertEqual(try copied().keys.sorted(), ["HEADER.html", "README.html", "file"])
  }

  func testLighttpdsLists() throws { try checkOddNames(.lighttpd) }

  func testCaddysLists() throws { try checkOddNames(.caddy) }

  func testCaddysListsInJSON() throws { try checkOddNames(.caddy, ["--format", "caddy-json"]) }

  func testPythonsLists() throws { try checkOddNames(.python) }

  func testAnyListsLinksAreMirroredAndNothingIsRemovedWithoutAPersonsWord() throws {
    try publish(["a.txt": "a", "b c.txt": "b", "sub/c.txt": "c"])
    let server = try serve(by: .python)
    assertEnd(try sync(server.url, ["--format", "listing"]), 0)
    try assertCopyIsTrue()
    try withdraw("a.txt")
    let doubtful = try sync(server.url, ["--format", "listing"])
    XCTAssertEqual(try copied().count, 3, "\(doubtful)")
    assertEnd(try sync(server.url, ["--format", "listing", "--complete"]), 0)
    try assertCopyIsTrue()
  }

  /// What `publish` remembers beside its catalog was listed and refused, and so each run failed.
  func testOfAPublishedFolderTheListIsMirroredWithoutWhatThePublisherRemembers() throws {
    try publish(["a.txt": "a", "sub/b.txt": "b"])
    assertEnd(try mirror("publish", source.path), 0)
    let state = source.appending(path: ".catalog.ndjson.mirror-state")
    XCTAssertTrue(isThere(state))
    let server = try serve(by: .apache("FancyIndexing"))
    let page = String(decoding: try server.answer(to: "/"), as: UTF8.self)
    XCTAssertTrue(page.contains("mirror-state"), page)
    for _ in 0..<2 { assertEnd(try sync(server.url), 0) }
    XCTAssertEqual(try copied().keys.sorted(), ["a.txt", "catalog.ndjson", "sub/b.txt"])
  }

  func testASystemsTreeListedByApache() throws { try checkTree(.apache(Self.debiansApache)) }

  func testASystemsTreeListedByLighttpd() throws { try checkTree(.lighttpd) }

  func testASystemsTreeListedByCaddy() throws { try checkTree(.caddy) }

  func testASystemsTreeListedByPython() throws { try checkTree(.python) }

  /// Python's server lets only five callers wait, and the others try again a second later.
  private func run(
    _ server: ListingServer, _ kind: ListingServer.Kind, _ options: [String] = []
  ) throws -> ProgramOutcome {
    let calm = kind == .python ? ["--connections", "2"] : []
    return try sync(server.url, options + calm, within: .seconds(120))
  }

  private func checkOddNames(_ kind: ListingServer.Kind, _ options: [String] = []) throws {
    var texts = ["top.txt": "top", "deep/er/and/deeper.txt": "down here"]
    if kind.listsDotFiles { texts[".dot.txt"] = "dotted" }
    for name in ListingTests.odd {
      texts[name] = name == "empty.txt" ? "" : name
      texts["odd \(name)/\(name)"] = "in \(name)"
    }
    try publish(texts)
    let server = try serve(by: kind)
    try? FileManager.default.removeItem(at: copy)
    assertEnd(try run(server, kind, options), 0)
    try assertCopyIsTrue()
    let first = try server.takeRequests()
    XCTAssertEqual(first.filter { !$0.isListing }.count, texts.count, "\(kind)")
    XCTAssertEqual(Set(first.map(\.method)), ["GET"], "\(kind)")

    assertEnd(try run(server, kind, options), 0)
    try assertSecondRun(
      try server.takeRequests(), kind, directories: 4 + ListingTests.odd.count,
      asked: kind.tellsDates && !options.contains("listing") ? 0 : texts.count)
    server.stop()
  }

  /// A request for each directory, and for the items that nothing was told of: they are confirmed,
  /// without a body.
  private func assertSecondRun(
    _ requests: [NginxServer.Request], _ kind: ListingServer.Kind, directories: Int, asked: Int
  ) throws {
    XCTAssertEqual(requests.filter(\.isListing).count, directories, "\(kind)")
    let items = requests.filter { !$0.isListing }
    XCTAssertEqual(items.count, asked, "\(kind)")
    XCTAssertEqual(items.filter { $0.status != 304 && $0.method != "HEAD" }, [], "\(kind)")
  }

  private func checkTree(_ kind: ListingServer.Kind) throws {
    let tree = try ServedTree.ofSystem(linkedIn: source)
    XCTAssertGreaterThan(tree.files.count, 200, "this system has hardly any documentation")
    let server = try serve(by: kind)
    assertEnd(try run(server, kind), 0)
    try tree.assertIsHeld(in: copy)
    let asked = try answeredRequests(server).map(\.target)
    XCTAssertEqual(Set(asked).count, tree.directories + tree.files.count)
    // Of a link Caddy lists the size of the link: the answer doesn't fit that, and is asked for once
    // more on a connection of its own.
    let repeated = Dictionary(asked.map { ($0, 1) }, uniquingKeysWith: +).filter { $0.value > 1 }
    let links = Set(tree.links.map { "/" + $0 })
    let others = repeated.keys.filter { !links.contains($0.removingPercentEncoding ?? $0) }
    XCTAssertEqual(others, [], "\(kind) was asked for these more than once")
    XCTAssertTrue(kind == .caddy || repeated.isEmpty, "\(kind): \(repeated)")
    assertEnd(try run(server, kind), 0)
    try assertSecondRun(
      try answeredRequests(server), kind, directories: tree.directories,
      asked: kind == .caddy ? tree.links.count : kind.tellsDates ? 0 : tree.files.count)
    server.stop()
  }

  /// What was asked for, without the lists that lighttpd puts off: it makes only a few at once, and
  /// answers 503 until one of them is sent.
  private func answeredRequests(_ server: ListingServer) throws -> [NginxServer.Request] {
    try server.takeRequests().filter { !($0.isListing && $0.status == 503) }
  }
}

/// A folder that nginx lists in other ways than its usual two, mirrored.
final class OtherNginxListingsTests: MirrorTestCase {
  func testFancyIndexWithExactSizesAndWithRoundedOnes() throws {
    for size in ["on", "off"] {
      try check("fancyindex on; fancyindex_exact_size \(size);", ["ngx_http_fancyindex_module"])
    }
  }

  func testTheListInXML() throws {
    try check("autoindex on; autoindex_format xml;")
  }

  func testTheListWithTextBeforeAndAfterIt() throws {
    try check(
      """
      autoindex on; add_before_body /.before; add_after_body /.after;
      location = /.before { return 200 '<h2><a href="before">before</a></h2>'; }
      location = /.after { return 200 '<pre><a href="after">after</a></pre>'; }
      """)
  }

  private func check(_ lines: String, _ modules: [String] = []) throws {
    var texts = ["top.txt": "top", "deep/er/deeper.txt": "down here"]
    for name in ListingTests.odd {
      texts[name] = name == "empty.txt" ? "" : name
      texts["odd \(name)/\(name)"] = "in \(name)"
    }
    try publish(texts)
    var options = NginxServer.Options(locations: [lines])
    options.modules = modules
    let server = try serve(nil, options)
    try? FileManager.default.removeItem(at: copy)
    assertEnd(try sync(server.url), 0)
    try assertCopyIsTrue()
    XCTAssertEqual(try server.takeRequests().filter { !$0.isListing }.count, texts.count)

    assertEnd(try sync(server.url), 0)
    let second = try server.takeRequests()
    XCTAssertEqual(second.filter { !$0.isListing }, [])
    XCTAssertEqual(second.count, 3 + ListingTests.odd.count)
  }
}
