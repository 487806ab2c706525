import Foundation
import TestSupport
import XCTest

/// The program is killed while it syncs rows with a service by Django REST framework, which makes
/// their keys itself, at random moments.
///
/// `MIRROR_FAULT_COUNT` says how many times, `MIRROR_FAULT_SEED` when.
final class DjangoKillTests: DocumentsTestCase {
  private static let variables = ProcessInfo.processInfo.environment
  private let count = variables["MIRROR_FAULT_COUNT"].flatMap { Int($0) } ?? 8
  private let seed =
    variables["MIRROR_FAULT_SEED"].flatMap { UInt64($0) }
    ?? UInt64(Date().timeIntervalSince1970)
  private let token = "token-of-the-tests"
  private var service: LoopbackService?
  /// The rows that are edited in each turn.
  private let edited = 1...3

  override func setUpWithError() throws {
    try super.setUpWithError()
    service = try DjangoService.start(token: token, in: folder.appending(path: ".service"))
    environment["DOCUMENTS_PASSWORD"] = token
    for store in ["a.db", "b.db"] {
      try documents(
        "init", store, "--rest", (service?.address ?? "") + "/api", "--model", "lists", "--rows",
        "results", "--modified", "updated", "--slash", "--server-keys", ends: 0)
    }
  }

  override func tearDownWithError() throws { try service?.stop() }

  /// A row whose creation got no answer is never made once more on a guess: it's set aside, and
  /// said, and a person decides. So each title is on the server once, or set aside here, or both.
  func testNothingIsLostAndNoRowIsMadeTwiceWhateverMomentItIsKilledAt() throws {
    var random = SeededGenerator(seed: seed)
    for key in edited { try put("a.db", #"{"title": "first \#(key)"}"#) }
    try documents("sync", "a.db", ends: 0)
    var (kills, turn, span, made) = (0, 0, UInt32(300_000), [String]())
    while kills < count {
      turn += 1
      made.append("made \(turn)")
      try put("a.db", #"{"title": "made \#(turn)"}"#)
      for key in edited { try put("a.db", "\(key)", #"{"title": "turn \#(turn) of \#(key)"}"#) }
      for _ in 0..<20 {
        let child = try start(["sync", "a.db", "--now"])
        usleep(.random(in: 0..<span, using: &random))
        child.send(SIGKILL)
        guard try child.end(within: .seconds(60)) == .killed(by: SIGKILL) else { break }
        kills += 1
      }
      let start = ContinuousClock.now
      try documents("sync", "a.db", "--now")
      span = max(60_000, UInt32((ContinuousClock.now - start) / .microseconds(1)))
      try check(turn, made)
    }
    print("\(kills) kills in \(turn) turns, seed \(seed)")
  }

  private func put(_ store: String, _ words: String...) throws {
    let outcome = try start(["put", store, "lists"] + words).outcome()
    XCTAssertEqual(outcome.end, .exited(0), outcome.said)
  }

  private func check(_ turn: Int, _ made: [String]) throws {
    let claim = "turn \(turn), seed \(seed)"
    try documents("sync", "b.db", ends: 0)
    let (here, there) = (try titles("a.db"), try titles("b.db"))
    let expected = edited.map { "turn \(turn) of \($0)" }
    XCTAssertEqual(there.filter { $0.hasPrefix("turn") }.sorted(), expected, claim)
    XCTAssertEqual(here.filter { $0.hasPrefix("turn") }.sorted(), expected, claim)
    let sent = there.filter { $0.hasPrefix("made") }
    XCTAssertEqual(Set(sent).count, sent.count, "\(claim): made twice: \(sent)")
    XCTAssertEqual(Set(here).union(sent).intersection(made), Set(made), "\(claim): lost")
  }

  private func titles(_ store: String) throws -> [String] {
    try documents("list", store, "--json").lines.compactMap {
      let object = try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
      return object?["title"] as? String
    }
  }
}
