import Foundation
import SyncLock
import TestSupport
import XCTest

/// F11: servers that fail or refuse. What fails in passing is tried again, what doesn't isn't, and
/// none of it is a deletion.
final class F11FailureTests: FaultTestCase {
  private static let old = Array("old".utf8)
  private static let new = Array("new bytes".utf8)

  /// What the server does about an item, what is said of it, and how often it is asked for with one
  /// retry.
  private struct Trouble: Sendable {
    var key: String
    var answer: FaultAnswer
    var words: String
    var requests: Int

    init(_ key: String, _ answer: FaultAnswer, _ words: String, requests: Int) {
      (self.key, self.answer, self.words, self.requests) = (key, answer, words, requests)
    }

    static func status(_ status: Int, requests: Int) -> Trouble {
      Trouble(
        "status-\(status)", FaultAnswer(text: "no", status: status), "status \(status)",
        requests: requests)
    }
  }

  private static let filler = String(repeating: "x", count: 1_000)
  private static let manyHeaders = (0..<300).map { ("X-Filler-\($0)", filler) }
  private static let head = FaultAnswer.head(framing: .length, length: new.count)

  private static let troubles: [Trouble] =
    [400, 401, 403, 404, 405, 407, 410, 411, 418, 451, 501, 505].map { .status($0, requests: 1) }
    + [408, 425, 429, 500, 502, 503, 504, 507, 599].map { .status($0, requests: 2) }
    + [
      Trouble(
        "many-headers", FaultAnswer(new, headers: manyHeaders), "the headers are too large",
        requests: 1),
      Trouble(
        "long-header", FaultAnswer(new, headers: [("X", String(repeating: "x", count: 300_000))]),
        "the headers are too large", requests: 1),
      Trouble("reset", FaultAnswer([.reset]), "the connection broke", requests: 2),
      Trouble(
        "reset-in-head", FaultAnswer([.bytes(Array(head.prefix(20))), .reset]),
        "the connection broke", requests: 2),
      Trouble(
        "reset-in-body", FaultAnswer([.bytes(head + new.prefix(4)), .reset]),
        "the connection broke", requests: 2),
      Trouble(
        "not-there-and-endless",
        FaultAnswer([.bytes(FaultAnswer.head(404, framing: .close)), .repeated(head, times: .max)]),
        "status 404", requests: 1),
    ]

  func testF11_whatFailsInPassingIsTriedAgainAndNothingIsADeletion() async throws {
    let server = try serve(HonestSite([:]))
    let plain = try serve(nil, NginxServer.Options())
    let gone = try LoopbackListener()
    gone.close()
    let secure = try serve(nil, NginxServer.Options(certificate: try Certificate(in: base)))
    let elsewhere: [(key: String, url: String, words: String)] = [
      ("no-such-name", "http://nowhere.invalid/x", "could not be resolved"),
      ("nobody-there", "http://127.0.0.1:\(gone.port)/x", "no connection could be made"),
      ("bad-certificate", "\(secure.url)x", "a certificate was not accepted"),
      ("no-tls", "https://127.0.0.1:\(plain.port)/x", "TLS"),
    ]
    let items = { (bytes: [UInt8]) in
      Self.troubles.enumerated().map { number, trouble in
        HonestSite.Item(
          key: trouble.key, bytes: bytes,
          url: "http://o\(number / 5).localhost:\(server.port)/\(trouble.key)")
      }
    }
    let before = HonestSite(
      items(Self.old) + elsewhere.map { HonestSite.Item(key: $0.key, bytes: Self.old) })
    let after = HonestSite(
      items(Self.new)
        + elsewhere.map { HonestSite.Item(key: $0.key, bytes: Self.new, url: $0.url) }
        + [HonestSite.Item(key: "good", bytes: Self.new)])
    server.follow(before.script)
    assertEnd(try sync(server), 0)
    let answers = Dictionary(uniqueKeysWithValues: Self.troubles.map { ("/" + $0.key, $0.answer) })
    server.follow { request, attempt in answers[request.path] ?? after.script(request, attempt) }
    _ = server.takeRequests()
    let outcome = try sync(
      server, HonestSite.catalogPath, ["--retries", "1", "--max-delete", "all", "--json"])
    let expected = Self.troubles.map { ($0.key, $0.words) } + elsewhere.map { ($0.key, $0.words) }
    try assertEachIsSaidAndKept(expected, outcome)
    assertEachWasAskedFor(server.requests)
    try await assertNothingIsLost(
      of: after.versions.merging(before.versions) { $0.union($1) }, "after troubles")
    var mended = after
    for index in mended.items.indices { mended.items[index].url = nil }
    try assertConverges(on: server, to: mended)
    try Extent.record(
      "F11", "statuses, resets, headers, names, certificates", count: expected.count,
      "retried if passing, the old one kept, the rest done")
  }

  /// Each failed with its words and kept what it had; nothing else did.
  private func assertEachIsSaidAndKept(
    _ expected: [(key: String, words: String)], _ outcome: ProgramOutcome
  ) throws {
    assertEnd(outcome, 2)
    let (lines, held) = (outcome.failureLines, try files(in: copy))
    for (key, words) in expected {
      let line = lines.first { $0.hasPrefix("mirror: \(key): ") } ?? "nothing"
      XCTAssertTrue(line.contains(words), "no '\(words)' in: \(line)")
      XCTAssertTrue(held[key] == Data(Self.old), key)
    }
    XCTAssertEqual(lines.count, expected.count, outcome.printed)
    XCTAssertTrue(held["good"] == Data(Self.new))
  }

  private func assertEachWasAskedFor(_ asked: [RawRequest]) {
    for trouble in Self.troubles {
      let count = asked.count { $0.path == "/" + trouble.key }
      // libcurl asks once more by itself where a kept connection turns out to be dead.
      let most = trouble.key == "reset" ? 2 * trouble.requests : trouble.requests
      XCTAssertTrue((trouble.requests...most).contains(count), "\(trouble.key): \(count) requests")
    }
  }

  func testF11_aFailingHostIsGivenUpOnAndTheRestGetsDone() async throws {
    let server = try serve(HonestSite([:]))
    let bad = { (number: Int) in "http://bad.localhost:\(server.port)/bad\(number)" }
    // Bytes that the other host has, too, would be copied.
    let theirs = Array("theirs ".utf8)
    let site = { (bytes: [UInt8]) in
      HonestSite(
        (0..<200).map { HonestSite.Item(key: "bad\($0)", bytes: theirs + bytes, url: bad($0)) }
          + (0..<50).map { HonestSite.Item(key: "good\($0)", bytes: bytes) })
    }
    let (before, after) = (site(Self.old), site(Self.new))
    server.follow(before.script)
    assertEnd(try sync(server), 0)
    for failure in [
      FaultAnswer(status: 500), FaultAnswer([.reset]),
      FaultAnswer(status: 503, headers: [("Retry-After", "0")]),
    ] {
      server.follow { request, attempt in
        request.path.hasPrefix("/bad") ? failure : after.script(request, attempt)
      }
      _ = server.takeRequests()
      let options = ["--retries", "1", "--max-delete", "all"]
      let outcome = try sync(server, HonestSite.catalogPath, options)
      assertEnd(outcome, 2)
      assertSays(outcome, ["is left alone for the rest of this run", "first failures"], "given up")
      let held = try files(in: copy)
      for number in 0..<200 {
        XCTAssertTrue(held["bad\(number)"] == Data(theirs + Self.old), "\(number)")
      }
      for number in 0..<50 { XCTAssertTrue(held["good\(number)"] == Data(Self.new), "\(number)") }
      // Ten that were tried in full, and whoever was under way at that moment.
      XCTAssertLessThan(server.requests.count { $0.path.hasPrefix("/bad") }, 2 * (10 + 32))
      try await assertNothingIsLost(
        of: after.versions.merging(before.versions) { $0.union($1) }, "after a failing host")
    }
    try assertConverges(on: server, to: after)
    try Extent.record(
      "F11", "a host that fails for 200 of 250 items, in three ways", count: 3,
      "given up on after 10, the rest done, nothing removed")
  }

  func testF11_goodFilesOfADirectoryInWhichMostFailArriveInTheEnd() async throws {
    let server = try serve(HonestSite([:]))
    let items = { (name: String) in
      (0..<60).map { HonestSite.Item(key: "\(name)\($0)", bytes: Self.new) }
    }
    let good = items("good")
    let site = HonestSite(items("bad") + good + items("bad-too"))
    server.follow { request, attempt in
      request.path.hasPrefix("/bad") ? FaultAnswer(status: 500) : site.script(request, attempt)
    }
    var (arrived, runs) = (0, 0)
    while arrived < good.count, runs < 10 {
      let options = ["--retries", "1", "--concurrency", "16"]
      assertEnd(try sync(server, HonestSite.catalogPath, options), 2)
      let held = try files(in: copy)
      (arrived, runs) = (good.count { held[$0.key] == Data(Self.new) }, runs + 1)
      if runs == 1 { XCTAssertLessThan(arrived, good.count, "the directory isn't left alone") }
    }
    XCTAssertEqual(arrived, good.count, "after \(runs) runs")
    try assertConverges(on: server, to: site)
    try Extent.record(
      "F11", "a directory in which 60 of 180 files are good, and the others listed around them",
      count: 1, "the good ones arrive within ten runs")
  }
}
