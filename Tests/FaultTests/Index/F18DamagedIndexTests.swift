import Foundation
import SyncDatabase
import TestSupport
import XCTest

@testable import CatalogMirror

/// The index's file in every state but the one in which we left it.
final class F18DamagedIndexTests: IndexTestCase {
  func testF18_anIndexThatIsNoneIsToldOfAndRebuilt() async throws {
    try makeCopy()
    let whole = try XCTUnwrap(sound[""])
    var faults: [(String, Data)] = [
      ("emptied", Data()), ("one byte", Data([7])), ("rubbish", Data(repeating: 7, count: 9_000)),
      ("zeroed", Data(count: whole.count)),
      ("header zeroed", Data(count: 100) + whole.dropFirst(100)),
    ]
    let step = Extent.asked == .full ? 4_096 : 16_384
    let places = stride(from: 4_096, to: whole.count, by: step).flatMap { [$0, $0 + 1_000] }
    faults += ([60, 512] + places).map { ("cut at \($0)", whole.prefix($0)) }
    var count = 0
    for (number, (name, bytes)) in faults.enumerated() {
      for command in commands(number) {
        try place(["": bytes])
        let outcome = try run(command)
        let claim = "\(name), \(command)"
        assertSpoke(outcome, claim)
        if bytes.isEmpty, command != .sync, command != .plan {
          assertRefused(outcome, 1, saying: "missing or empty", "sync")
        }
        if command.looks, !bytes.isEmpty, outcome.end == .exited(1) {
          XCTAssertTrue(outcome.said.contains("is damaged"), "\(outcome); \(claim)")
          XCTAssertEqual(try Data(contentsOf: index), bytes, "a look changed it; \(claim)")
        }
        try await assertRecovers(claim)
        count += 1
      }
    }
    try Extent.record(
      "F18", "index emptied, zeroed, cut at every page and between", count: count,
      "told of in one sentence and rebuilt from the files; nothing lost, no crash")
  }

  /// Each fault meets every command in the full form, and one of them by turns in the quick one.
  private func commands(_ number: Int) -> [Command] {
    Extent.asked == .full ? Command.allCases : [Command.allCases[number % Command.allCases.count]]
  }

  func testF18_bitsFlippedAtRandomPlacesHarmNothing() async throws {
    try makeCopy()
    try await flip(count: Extent.count(quick: 30, full: 600), in: "", "the index")
  }

  func testF18_bitsFlippedInTheLogHarmNothing() async throws {
    try makeCopy()
    sound = try await filesAsAfterAKill()
    XCTAssertGreaterThan(try XCTUnwrap(sound["-wal"]).count, 4_096)
    try await flip(count: Extent.count(quick: 15, full: 200), in: "-wal", "its log")
  }

  private func flip(count: Int, in suffix: String, _ what: String) async throws {
    let seed = Extent.seed() ^ 18
    var random = SeededGenerator(seed: seed)
    var told = 0
    for round in 0..<count {
      var files = sound
      var bytes = try XCTUnwrap(files[suffix])
      for _ in 0..<(1 << (round % 9)) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        bytes[place] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &random)
      }
      files[suffix] = bytes
      try place(files)
      let command = Command.allCases[round % Command.allCases.count]
      let claim = "seed \(Extent.seed()), round \(round), \(command)"
      let outcome = try run(command)
      assertSpoke(outcome, claim)
      told += outcome.end == .exited(1) ? 1 : 0
      try await assertRecovers(byRepair: true, claim)
      // It sent the user to a sync, and has to be content with what that did.
      if outcome.end == .exited(1) { assertEnd(try run(command), 0) }
    }
    try Extent.record(
      "F18", "1 to 256 bits flipped at random places of \(what)", count: count,
      "\(told) times told of, at the latest by the second sync all is well; no crash")
  }

  func testF18_aLogThatIsCutOrGoneOrOfAnotherDatabaseHarmsNothing() async throws {
    try makeCopy()
    sound = try await filesAsAfterAKill()
    let log = try XCTUnwrap(sound["-wal"])
    let other = try await otherLog()
    let cuts = [0, 1, 31, 32, 33, 4_000, log.count / 2, log.count - 1].map { log.prefix($0) }
    var logs: [(String, Data?)] = cuts.map { ("cut to \($0.count)", $0) }
    logs += [("gone", nil), ("of another database", other), ("zeroed", Data(count: log.count))]
    for (number, (name, bytes)) in logs.enumerated() {
      for command in commands(number) {
        var files = sound
        files["-wal"] = bytes
        try place(files)
        assertSpoke(try run(command), "\(name), \(command)")
        try await assertRecovers("\(name), \(command)")
      }
    }
    try Extent.record(
      "F18", "log cut, gone, zeroed, of another database", count: logs.count, "as above")
  }

  func testF18_anIndexWithTheIDOfAnotherFolderIsRebuilt() async throws {
    try makeCopy()
    let other = String(repeating: "0123456789abcdef", count: 2)
    let open = try await MirrorIndex.open(path: index.path)
    try await open.write { try $0.setValue(other, for: .folderID) }
    await open.close()
    let changed = try Data(contentsOf: index)
    for command in Command.allCases {
      try self.place(["": changed])
      let outcome = try run(command)
      assertSpoke(outcome, "\(command)")
      if command != .sync { assertRefused(outcome, 1, saying: "marker", "sync") }
      try await assertRecovers("\(command)")
    }
    for command in Command.allCases {
      try self.place(sound)
      try FileManager.default.removeItem(at: copy.appending(path: ".mirror/marker"))
      let outcome = try run(command)
      if command == .sync || command == .plan {
        assertEnd(outcome, 0)
      } else {
        assertRefused(outcome, 1, saying: "no mirror", "sync")
      }
      try await assertRecovers("no marker, \(command)")
    }
    try Extent.record(
      "F18", "index of another id than the folder's marker, and no marker", count: 10,
      "told of and rebuilt; nothing lost")
  }

  func testF18_aMarkerThatWasCutShortIsMadeAnew() async throws {
    try makeCopy()
    let marker = copy.appending(path: ".mirror/marker")
    let whole = try Data(contentsOf: marker)
    let cuts = [0, 1, 15, 16, 19].map { whole.prefix($0) }
    let torn = cuts + cuts.map { $0 + Data(count: whole.count - $0.count) }
    for bytes in torn {
      try self.place(sound)
      for command in Command.allCases {
        try bytes.write(to: marker)
        let outcome = try run(command)
        if command == .sync {
          assertEnd(outcome, 0)
        } else {
          assertRefused(outcome, 1, saying: "marker", "sync")
        }
      }
      try await assertRecovers("a marker of \(bytes.count) bytes")
    }
    try whole.prefix(25).write(to: marker)
    assertRefused(try run(.sync), 1, saying: "marker")
    try whole.write(to: marker)
    try await assertRecovers("a marker with digits of an id")
    try Extent.record(
      "F18", "marker empty, zeroed or cut before its id", count: torn.count,
      "made anew by the next sync, which keeps the index; one with digits of an id is refused")
  }

  func testF18_anIndexOfANewerVersionIsRefusedUntouched() async throws {
    try makeCopy()
    try Connection(path: index.path).run("INSERT INTO migrations (name) VALUES ('9 future')")
    let before = try Self.traces(in: copy)
    for command in Command.allCases {
      assertRefused(try run(command), 1, saying: "newer version", "nothing was changed")
    }
    // Beside it SQLite may make an empty log; the lock bears the time at which it was taken.
    let own = [".mirror", ".mirror/lock", ".mirror/index.sqlite-wal", ".mirror/index.sqlite-shm"]
    let after = try Self.traces(in: copy)
    XCTAssertEqual(
      after.filter { before[$0.key] != $0.value && !own.contains($0.key) }, [:], "changed")
    try Connection(path: index.path).run("DELETE FROM migrations WHERE name = '9 future'")
    try await assertRecovers("afterwards")
    try Extent.record(
      "F18", "index of a newer version", count: 5, "refused with a sentence, not a byte changed")
  }

  func testF18_whatStandsInTheIndexsPlaceIsToldOf() async throws {
    try makeCopy()
    let plants: [(String, () throws -> Void)] = [
      (
        "directory",
        { try makeFolder(at: self.index) }
      ),
      (
        "link",
        {
          try makeLink(at: self.index, to: self.canary.appending(path: "bird"))
        }
      ),
      ("FIFO", { mkfifo(self.index.path, 0o644) }),
    ]
    for (name, plant) in plants {
      for command in Command.allCases {
        try place([:])
        try plant()
        let outcome = try run(command)
        assertSpoke(outcome, "\(name), \(command)")
        XCTAssertEqual(outcome.end, .exited(1), "\(name), \(command): \(outcome)")
        XCTAssertTrue(outcome.said.contains("move it away"), "\(name), \(command): \(outcome)")
        try place([:])
        try await assertRecovers("\(name), \(command)")
      }
    }
    try Extent.record(
      "F18", "a directory, a link, a FIFO in the index's place", count: 15,
      "refused with a sentence; the link's target untouched")
  }

  /// The files of the index after the program was killed in the midst of recording: a part of it
  /// lies in the log.
  private func filesAsAfterAKill() async throws -> [String: Data] {
    let index = try await MirrorIndex.open(path: index.path)
    try await index.write { writer in
      var items: [IndexedItem] = []
      try writer.forEachItem { items.append($0) }
      try writer.record(items.prefix(30).map { .contentLost($0.key) })
      try writer.record(items.compactMap { item in item.content.map { .content(item.entry, $0) } })
    }
    let files = try copies(of: self.index)
    await index.close()
    return files
  }

  /// The log of a database that has nothing to do with ours.
  private func otherLog() async throws -> Data? {
    let place = base.appending(path: "other.sqlite")
    let other = try await MirrorIndex.open(path: place.path)
    try await other.write { try $0.setValue("other", for: .catalog) }
    let files = try copies(of: place)
    await other.close()
    return files["-wal"]
  }

  /// By another process: one that closes the file in this one would drop SQLite's locks.
  private func copies(of file: URL) throws -> [String: Data] {
    let scratch = base.appending(path: "copies-\(UUID().uuidString)")
    try makeFolder(at: scratch)
    let copying = try ChildProcess(
      "/bin/cp", [file.path, file.path + "-wal", scratch.path], environment: [:], directory: base,
      records: base.appending(path: "records"))
    XCTAssertEqual(try copying.end(within: .seconds(10)), .exited(0), copying.said)
    return try ["", "-wal"].reduce(into: [:]) { files, suffix in
      files[suffix] = try Data(contentsOf: scratch.appending(path: file.lastPathComponent + suffix))
    }
  }
}
