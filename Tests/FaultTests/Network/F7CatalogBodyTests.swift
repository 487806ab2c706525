import Foundation
import TestSupport
import XCTest

/// F7: a body that is no catalog, or not the whole of one, changes nothing.
final class F7CatalogBodyTests: FaultTestCase {
  private let site = HonestSite(["a": "alpha", "b/c": "beta", "d": "delta"])

  /// A body, its media type, and what has to be said of it.
  private struct Case {
    var claim: String
    var body: [UInt8]
    var type: String?
    var words: [String]

    init(_ claim: String, _ body: String, _ type: String? = nil, _ words: String...) {
      self.init(claim, Array(body.utf8), type, words)
    }

    init(_ claim: String, _ body: [UInt8], _ type: String? = nil, _ words: [String]) {
      (self.claim, self.body, self.type, self.words) = (claim, body, type, words)
    }
  }

  private var bodies: [Case] {
    let ndjson = site.catalog
    let object =
      #"{"catalog":1,"complete":true,"items":["# + site.lines.joined(separator: ",") + "]}"
    let sums = String(repeating: "ab", count: 32) + "  a\n"
    let page = "<!DOCTYPE html><html><body><form action=login>Sign in</form></body></html>"
    let deep = String(repeating: "[", count: 100_000)
    return [
      Case("empty", "", nil, "/catalog.ndjson gave an empty body"),
      Case("blank", " \n\r\n\t", nil, "an empty body"),
      Case("login page", page, "text/html", "an HTML page", "check the address"),
      Case("HTML for JSON", page, "application/json", "an HTML page"),
      Case("XML", "<?xml version='1.0'?><a/>", "text/xml", "an XML document"),
      Case("an API's error", #"{"error":"no"}"#, "application/json", "JSON that is no known"),
      Case("text", "Service temporarily unavailable\n", "text/plain", "text that is no known"),
      Case("binary", [0x7F, 0x45, 0x4C, 0x46, 0, 1, 2], nil, ["binary data"]),
      Case("rubbish after an object", object + " x", nil, "more after its end"),
      Case("two objects", object + object, nil, "more after its end"),
      Case("rubbish after lines", ndjson + "rubbish\n", nil, "begins no value"),
      Case("rubbish after an array", "[" + site.lines[0] + "] x", nil, "more after its end"),
      Case("rubbish after digests", sums + "rubbish\n", nil, "something else in line 2"),
      Case("invalid UTF-8", Array(ndjson.utf8) + [0xFF, 0x0A], nil, ["aren't UTF-8"]),
      Case("UTF-16", [0xFF, 0xFE] + utf16(ndjson), nil, ["UTF-16"]),
      Case("UTF-16, the other way", [0xFE, 0xFF] + utf16(ndjson).swapped, nil, ["UTF-16"]),
      Case("nesting", #"{"catalog":1,"x":"# + deep, nil, "levels of nesting"),
      Case("nested items", #"{"catalog":1,"items":"# + deep, nil, "levels of nesting"),
      Case(
        "a count too big to be", ndjson.replacing(#":3}"#, with: ":99999999999999999999}"),
        nil, "count"),
      Case("a count with a fraction", ndjson.replacing(#":3}"#, with: ":3.5}"), nil, "count"),
      Case("a count that disagrees", ndjson.replacing(#":3}"#, with: ":4}"), nil, "4", "3"),
      Case("another format", ndjson.replacing(#""catalog":1"#, with: #""catalog":2"#), nil, "2"),
      Case("a key twice", object.replacing("]}", with: "," + site.lines[0] + "]}"), nil, "twice"),
    ]
  }

  func testF7_aBodyThatIsNoCatalogIsAnErrorAndChangesNothing() async throws {
    let (server, before) = try mirrored(site)
    for bad in bodies {
      server.follow { _, _ in
        FaultAnswer(bad.body, headers: bad.type.map { [("Content-Type", $0)] } ?? [])
      }
      _ = server.takeRequests()
      let outcome = try sync(server)
      try assertLeftAlone(outcome, saying: bad.words, before, bad.claim)
      XCTAssertEqual(server.takeRequests().count, 1, "\(bad.claim): more than the catalog")
    }
    try await assertIsWell(on: server, to: site, "after \(bodies.count) bad bodies")
    try Extent.record(
      "F7", "bodies that are no catalog", count: bodies.count, "error, nothing changed")
  }

  func testF7_anAnswerWithoutSuccessChangesNothing() async throws {
    let (server, before) = try mirrored(site)
    let statuses = [201, 202, 203, 204, 205, 206, 300, 305, 400, 401, 403, 404, 410, 418, 501, 600]
    for status in statuses {
      let catalog = site.catalog
      server.follow { _, _ in FaultAnswer(text: status == 204 ? "" : catalog, status: status) }
      let outcome = try sync(server)
      try assertLeftAlone(outcome, saying: ["\(status)"], before, "status \(status)")
    }
    try await assertIsWell(on: server, to: site, "after other statuses")
    try Extent.record(
      "F7", "catalog with another status than 200", count: statuses.count, "error, nothing changed")
  }

  func testF7_anEmptyListRemovesNothing() async throws {
    let (server, before) = try mirrored(site)
    let empty = #"{"catalog":1,"complete":true,"count":0}"# + "\n"
    for (body, options, status) in [
      ("[]", [], Int32(0)), ("[]", ["--complete"], 3), (empty, [], 3),
      (#"{"catalog":1,"complete":true,"items":[]}"#, [], 3),
    ] {
      server.follow { _, _ in FaultAnswer(text: body) }
      let outcome = try sync(server, HonestSite.catalogPath, options)
      XCTAssertEqual(outcome.end, .exited(status), "\(body): \(outcome)")
      if status == 3 {
        assertSays(outcome, ["holds 3 items", "nothing was removed", "--max-delete"], body)
      }
      if status == 0 { XCTAssertTrue(outcome.printed.contains("not removing"), "\(outcome)") }
      try assertTree(is: before, body)
    }
    try await assertIsWell(on: server, to: site, "after empty lists")
  }

  func testF7_aNumberThatDoesNotFitSpoilsItsItemOnly() async throws {
    let numbers = ["99999999999999999999", "1e400", "-1", "3.5", "\"12\"", "1e3"]
    let lines = numbers.enumerated().map { #"{"key":"bad\#($0)","size":\#($1)}"# }
    let text = (site.lines + lines).map { $0 + "\n" }.joined()
    let header = #"{"catalog":1,"complete":true,"count":\#(3 + numbers.count)}"# + "\n"
    let honest = site.script
    let server = try serveFaults { request, attempt in
      request.path == HonestSite.catalogPath
        ? FaultAnswer(text: header + text) : honest(request, attempt)
    }
    let outcome = try sync(server)
    assertEnd(outcome, 2)
    for number in numbers.indices { assertSays(outcome, ["bad\(number)", "size"], "\(number)") }
    try await assertNothingIsLost(of: site.versions, "after numbers that don't fit")
    XCTAssertEqual(try files(in: copy).count, 3)
    try assertConverges(on: server, to: site)
  }

  func testF7_aRevisionThatLiesIsAnError() async throws {
    let server = try serve(site)
    let say = { (header: String, site: HonestSite) in
      server.follow { request, attempt in
        request.path == HonestSite.catalogPath
          ? FaultAnswer(text: site.catalog(header)) : site.script(request, attempt)
      }
    }
    say(#","revision":7"#, site)
    assertEnd(try sync(server), 0)
    let before = try tree()
    let changed = HonestSite(["a": "alpha", "b/c": "other"])
    say(#","revision":7"#, changed)
    try assertLeftAlone(
      try sync(server), saying: ["still says revision '7'", "new revision"], before, "same")
    say(#","revision":6"#, changed)
    try assertLeftAlone(
      try sync(server), saying: ["from revision 7 to 6", "--allow-rollback"], before, "back")
    try await assertNothingIsLost(of: site.versions, "after revisions that lie")
    say(#","revision":8"#, changed)
    assertEnd(try sync(server), 0)
    try await assertNothingIsLost(of: changed.versions, "after a new revision")
    XCTAssertEqual(try copied(), ["a": "alpha", "b/c": "other"])
  }

  private func utf16(_ text: String) -> [UInt8] {
    text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
  }
}

extension [UInt8] {
  /// With every two bytes exchanged.
  fileprivate var swapped: [UInt8] { indices.map { self[$0 ^ 1] } }
}
