import Foundation
import TestSupport
import XCTest

/// F9: answers about an item that are something else than the item.
final class F9OddAnswerTests: FaultTestCase {
  private static let old = Array("the old bytes".utf8)
  private static let new = Array(String(repeating: "new bytes, ", count: 300).utf8)

  /// What the server does about an item, and what must come of it.
  private struct Case {
    var key: String
    var declares: Set<HonestSite.Fact> = [.size, .digest]
    /// What is said when it fails; `nil` when it ends well.
    var failure: String?
    var script: FaultServer.Script
  }

  private static func whole(_ headers: [(String, String)] = []) -> FaultAnswer {
    FaultAnswer(new, headers: [("ETag", "\"n\"")] + headers)
  }

  /// Always this.
  private static func always(
    _ key: String, _ declares: Set<HonestSite.Fact> = [.size, .digest], fails words: String?,
    _ answer: FaultAnswer
  ) -> Case {
    Case(key: key, declares: declares, failure: words) { _, _ in answer }
  }

  private static let failing: [Case] = [
    always("longer", fails: "more came than the 3.2 KiB", FaultAnswer(new + old)),
    always(
      "longer-chunked", [.size], fails: "more came than the 3.2 KiB",
      FaultAnswer(new + old, framing: .chunked)),
    always("endless", fails: "more came than the 3.2 KiB", endless),
    always("endless-digest", [.digest], fails: "--max-item-size", endless),
    always("endless-nothing", [], fails: "--max-item-size", endlessChunks),
    always(
      "length-too-small", fails: "the body ended too early (10 B of 3.2 KiB)",
      FaultAnswer([.bytes(FaultAnswer.head(framing: .length, length: 10) + new)])),
    always(
      "length-too-big", fails: "the body ended too early",
      FaultAnswer([.bytes(FaultAnswer.head(framing: .length, length: 9_999) + new)])),
    always(
      "two-lengths", fails: "two lengths",
      FaultAnswer(new, headers: [("Content-Length", "3301")])),
    always("empty", fails: "the body ended too early (0 B of 3.2 KiB)", FaultAnswer()),
    always("empty-digest", [.digest], fails: "don't have the SHA-256 digest", FaultAnswer()),
    always("digest", fails: "don't have the SHA-256 digest", FaultAnswer(new.reversed())),
    always(
      "login", [.digest], fails: "don't have the SHA-256 digest",
      FaultAnswer(text: "<html>Sign in</html>", headers: [("Content-Type", "text/html")])),
    always(
      "coded", [], fails: "in the coding 'gzip', unasked",
      FaultAnswer(new, headers: [("Content-Encoding", "gzip")])),
    always("unframed", [], fails: "--allow-unframed", FaultAnswer(new, framing: .close)),
    always(
      "part-unasked", fails: "status 206",
      FaultAnswer(new, status: 206, headers: [("Content-Range", "bytes 0-3299/3300")])),
    always(
      "unchanged-unasked", fails: "status 304",
      FaultAnswer([.bytes(FaultAnswer.head(304, framing: .close))])),
    always(
      "nothing", fails: "status 204", FaultAnswer([.bytes(FaultAnswer.head(204, framing: .close))])),
    always(
      "no-http", fails: "isn't valid HTTP", FaultAnswer([.bytes(Array("hello\r\n\r\n".utf8))])),
    always("silence", fails: "the connection broke", FaultAnswer([])),
    always(
      "half-a-head", fails: "the connection broke",
      FaultAnswer([.bytes(Array("HTTP/1.1 200 OK\r\nContent-Le".utf8))])),
    always(
      "bad-chunk", fails: "the size of a chunk isn't a number",
      FaultAnswer(
        [.bytes(FaultAnswer.head(framing: .chunked) + Array("zz\r\n".utf8) + new)])),
  ]

  private static let endless = FaultAnswer(
    [.bytes(FaultAnswer.head(framing: .close)), .repeated(new, times: .max)])
  private static let endlessChunks = FaultAnswer(
    [.bytes(FaultAnswer.head(framing: .chunked)), .repeated(FaultAnswer.chunk(new), times: .max)])

  /// The first attempt is cut, so that the second asks for the rest and gets `answer` to that; who
  /// then asks for the whole gets it.
  private static func resuming(
    _ key: String, _ declares: Set<HonestSite.Fact> = [.size, .digest],
    _ answer: @escaping @Sendable (_ start: Int) -> FaultAnswer
  ) -> Case {
    Case(key: key, declares: declares, failure: nil) { request, attempt in
      if attempt == 1 {
        return .cut(new, after: 1_000, framing: .length, headers: [("ETag", "\"n\"")])
      }
      return request.rangeStart.map(answer) ?? whole()
    }
  }

  private static func part(
    _ bytes: [UInt8], _ range: String, etag: String? = "\"n\"", _ headers: [(String, String)] = []
  ) -> FaultAnswer {
    FaultAnswer(
      bytes, status: 206,
      headers: [("Content-Range", range)] + (etag.map { [("ETag", $0)] } ?? []) + headers)
  }

  private static let other = [UInt8](repeating: 0x58, count: new.count)

  private static let healing: [Case] = [
    Case(key: "wrong-then-right", failure: nil) { _, attempt in
      attempt == 1 ? FaultAnswer(other) : whole()
    },
    Case(key: "unchanged-then-right", failure: nil) { _, attempt in
      attempt == 1 ? FaultAnswer([.bytes(FaultAnswer.head(304, framing: .close))]) : whole()
    },
    always("coded-and-vouched-for", fails: nil, whole([("Content-Encoding", "gzip")])),
    resuming("the-rest") { part(Array(new[$0...]), "bytes \($0)-3299/3300") },
    resuming("the-whole-instead") { _ in whole() },
    resuming("not-satisfiable") { _ in FaultAnswer(status: 416) },
    resuming("from-zero") { _ in part(new, "bytes 0-3299/3300") },
    resuming("one-byte-off") { part(Array(new[($0 - 1)...]), "bytes \($0 - 1)-3299/3300") },
    resuming("another-range-under-ours") { part(other.dropLast($0), "bytes \($0)-3299/3300") },
    resuming("another-tag") { part(other.dropLast($0), "bytes \($0)-3299/3300", etag: "\"o\"") },
    resuming("a-weak-tag") { part(other.dropLast($0), "bytes \($0)-3299/3300", etag: "W/\"n\"") },
    resuming("no-tag") { part(other.dropLast($0), "bytes \($0)-3299/3300", etag: nil) },
    resuming("another-total") { part(Array(new[$0...]), "bytes \($0)-3299/9999") },
    resuming("no-range-said") { FaultAnswer(Array(new[$0...]), status: 206) },
    resuming("a-range-without-sense") { part(Array(new[$0...]), "bytes 3299-\($0)/3300") },
    resuming("numbers-that-dont-fit") {
      part(Array(new[$0...]), "bytes \($0)-99999999999999999999/99999999999999999999")
    },
    resuming("longer-than-its-range") { part(Array(new[$0...]) + old, "bytes \($0)-3299/3300") },
    resuming("multipart") {
      let text = "--x\r\nContent-Range: bytes \($0)-3299/3300\r\n\r\n"
      return part(
        Array(text.utf8) + Array(new[$0...]) + Array("\r\n--x--\r\n".utf8),
        "bytes \($0)-3299/3300", [("Content-Type", "multipart/byteranges; boundary=x")])
    },
    resuming("coded-rest") {
      part(Array(new[$0...]), "bytes \($0)-3299/3300", [("Content-Encoding", "gzip")])
    },
    resuming("unchanged-rest") { _ in FaultAnswer([.bytes(FaultAnswer.head(304, framing: .close))])
    },
    // What was cut is replaced: the honest answer to If-Range is the whole of the new one.
    Case(key: "replaced-meanwhile", declares: [.size], failure: nil) { _, attempt in
      attempt == 1
        ? .cut(other, after: 1_000, framing: .length, headers: [("ETag", "\"o\"")]) : whole()
    },
    Case(key: "replaced-and-if-range-ignored", declares: [.size], failure: nil) {
      request, attempt in
      if attempt == 1 {
        return .cut(other, after: 1_000, framing: .length, headers: [("ETag", "\"o\"")])
      }
      return request.rangeStart.map { part(Array(new[$0...]), "bytes \($0)-3299/3300") } ?? whole()
    },
  ]

  private static func site(_ cases: [Case], _ bytes: [UInt8], port: UInt16) -> HonestSite {
    HonestSite(
      cases.enumerated().map { number, one in
        HonestSite.Item(
          key: one.key, bytes: bytes, url: "http://o\(number / 5).localhost:\(port)/\(one.key)",
          declares: one.declares)
      })
  }

  func testF9_anAnswerThatIsNotTheItemKeepsTheOldOneOrIsTriedAgain() async throws {
    let cases = Self.failing + Self.healing
    let server = try serve(HonestSite([:]))
    let before = Self.site(cases, Self.old, port: server.port)
    let after = Self.site(cases, Self.new, port: server.port)
    server.follow(before.script)
    assertEnd(try sync(server), 0)
    let scripts = Dictionary(uniqueKeysWithValues: cases.map { ("/" + $0.key, $0.script) })
    server.follow { request, attempt in
      scripts[request.path]?(request, attempt) ?? after.script(request, attempt)
    }
    _ = server.takeRequests()
    let outcome = try sync(
      server, HonestSite.catalogPath, ["--retries", "1", "--max-item-size", "64K", "--json"])
    assertEnd(outcome, 2)
    try await assertNothingIsLost(
      of: after.versions.merging(before.versions) { $0.union($1) }, "after odd answers")
    let held = try files(in: copy)
    let lines = outcome.failureLines
    for one in cases {
      let line = lines.first { $0.hasPrefix("mirror: \(one.key): ") }
      XCTAssertTrue(
        held[one.key] == Data(one.failure == nil ? Self.new : Self.old),
        "\(one.key) isn't as it should be: \(line ?? "")")
      XCTAssertEqual(line != nil, one.failure != nil, "\(one.key): \(line ?? "nothing said")")
      if let words = one.failure, let line {
        XCTAssertTrue(line.contains(words), "no '\(words)' in: \(line)")
      }
    }
    assertAsked(
      server,
      [
        ("wrong-then-right", ["no-cache"]), ("the-rest", ["bytes=1000-", "\"n\""]),
      ])
    try assertConverges(on: server, to: after)
    try Extent.record(
      "F9", "answers that aren't the item, to a whole and to a range", count: cases.count,
      "the old one kept, or whole after a retry")
  }

  /// The second request for an item says these things.
  private func assertAsked(_ server: FaultServer, _ expected: [(key: String, words: [String])]) {
    for (key, words) in expected {
      let requests = server.requests.filter { $0.path == "/" + key }
      XCTAssertEqual(requests.count, 2, key)
      let said = requests.last?.lines.joined(separator: "\n") ?? ""
      for word in words { XCTAssertTrue(said.contains(word), "\(key): \(said)") }
    }
  }
}
