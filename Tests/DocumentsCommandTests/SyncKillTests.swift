import Foundation
import TestSupport
import XCTest

/// The program is killed while it syncs documents and files with a real Kinto, at random moments.
///
/// `MIRROR_FAULT_COUNT` says how many times, `MIRROR_FAULT_SEED` when.
final class SyncKillTests: ServedTestCase {
  private static let environment = ProcessInfo.processInfo.environment
  private let count = environment["MIRROR_FAULT_COUNT"].flatMap { Int($0) } ?? 12
  private let seed =
    environment["MIRROR_FAULT_SEED"].flatMap { UInt64($0) }
    ?? UInt64(Date().timeIntervalSince1970)
  private let mine = (0..<5).map { "m\($0)" }
  /// So often it's killed on its way to the end of one sync.
  private static let mostKills = 20

  func testNothingIsLostAndNothingSentTwiceWhateverMomentItIsKilledAt() throws {
    var random = SeededGenerator(seed: seed)
    try makeStores()
    try documents("import", "a.db", input: shared(0, 0))
    try sync("a.db", "b.db")
    var (kills, turn, span, repairs) = (0, 0, UInt32(300_000), 0)
    while kills < count {
      turn += 1
      let content = String(
        repeating: "turn \(turn) ", count: .random(in: 1..<9_000, using: &random))
      try edit(turn, content)
      for _ in 0..<Self.mostKills {
        let end = try syncKilled(after: .random(in: 0..<span, using: &random))
        guard end == .killed(by: SIGKILL) else {
          XCTAssertEqual(end, .exited(0), "turn \(turn), seed \(seed)")
          break
        }
        kills += 1
      }
      let start = ContinuousClock.now
      try sync("a.db")
      let took = (ContinuousClock.now - start).components
      span = max(60_000, UInt32(took.attoseconds / 1_000_000_000_000))
      repairs += try meet()
      try check(turn, content)
    }
    try checkHistory(turn)
    print("\(kills) kills in \(turn) turns, seed \(seed); \(repairs) files were sent again")
  }

  /// Edits here of some documents, there of another, and on both sides of one; a new file, one
  /// document more and one fewer.
  private func edit(_ turn: Int, _ content: String) throws {
    try documents("import", "b.db", input: document("theirs", turn) + shared(turn - 1, turn))
    try sync("b.db")
    let lines = mine.map { document($0, turn) } + [shared(turn, turn - 1)]
    try documents("import", "a.db", input: (lines + [document("new\(turn)", turn)]).joined())
    if turn > 1 { try documents("delete", "a.db", "new\(turn - 1)") }
    try Data(content.utf8).write(to: folder.appending(path: "a.txt"))
    try Data("small \(turn)".utf8).write(to: folder.appending(path: "s.txt"))
    try documents("attach", "a.db", "m0", "file", "a.txt", "--preview", "s.txt", ends: 0)
  }

  private func document(_ id: String, _ turn: Int) -> String {
    "{\"id\": \"\(id)\", \"docType\": \"note\", \"n\": \(turn)}\n"
  }

  private func shared(_ mine: Int, _ theirs: Int) -> String {
    #"{"id": "shared", "docType": "note", "a": \#(mine), "b": \#(theirs)}"# + "\n"
  }

  private func syncKilled(after microseconds: UInt32) throws -> ChildProcess.End {
    let child = try start(["sync", "a.db"])
    usleep(microseconds)
    child.send(SIGKILL)
    return try child.end(within: .seconds(60))
  }

  /// Brings the other store in step. Answers how many files had to be sent again for that: an
  /// upload of a killed program may come after all, and take the content of the next one along.
  private func meet() throws -> Int {
    if try documents("sync", "b.db").status == 0 { return 0 }
    try sync("a.db", "b.db")
    return 1
  }

  private func check(_ turn: Int, _ content: String) throws {
    let claim = "turn \(turn), seed \(seed)"
    let digests = try ["a.db", "b.db"].map { try documents("digest", $0) }
    XCTAssertEqual(digests[0].printed, digests[1].printed, claim)
    XCTAssertEqual(digests.map(\.said), ["", ""], claim)
    for store in ["a.db", "b.db"] {
      let file = try documents("get", store, "m0", "--file", "file")
      XCTAssertTrue(file.printed == content, "\(claim): another content in \(store)")
      let listed = try documents("list", store, "--json").lines.compactMap {
        try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
      }
      let numbers = listed.filter { $0["id"] as? String != "shared" }.map { $0["n"] as? Int }
      XCTAssertEqual(numbers, Array(repeating: turn, count: mine.count + 2), claim)
      let both = listed.first { $0["id"] as? String == "shared" }
      XCTAssertEqual(both?["a"] as? Int, turn, claim)
      XCTAssertEqual(both?["b"] as? Int, turn, claim)
    }
  }

  /// The server's own record of who wrote what: all of our contents in their order, and none after
  /// a later one. Of two equal batches under one condition at the same moment, as of a killed
  /// program and of the next one, this server takes both now and then (8 of 2,000 documents when
  /// tried).
  private func checkHistory(_ turn: Int) throws {
    for id in mine.dropFirst() {
      let path = "buckets/home/history?record_id=\(id)&collection_id=note&_sort=last_modified"
      let curl = try ChildProcess(
        Programs.find("curl"),
        ["-sfg", "-u", "ann:secret", "\(try XCTUnwrap(server).address)/v1/\(path)"],
        environment: [:], directory: folder, records: folder)
      XCTAssertEqual(try curl.end(within: .seconds(30)), .exited(0), curl.said)
      let answer = try JSONSerialization.jsonObject(with: Data(curl.printed.utf8))
      let entries = (answer as? [String: Any])?["data"] as? [[String: Any]] ?? []
      let numbers = entries.compactMap { entry in
        ((entry["target"] as? [String: Any])?["data"] as? [String: Any])?["n"] as? Int
      }
      let changed = numbers.enumerated().filter { $0 == 0 || numbers[$0 - 1] != $1 }.map(\.element)
      XCTAssertEqual(changed, Array(1...turn), "\(id), seed \(seed)")
      XCTAssertLessThanOrEqual(numbers.count - turn, 1 + turn / 20, "\(id), seed \(seed)")
    }
  }
}
