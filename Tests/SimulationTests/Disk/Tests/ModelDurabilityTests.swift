import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncFiles

/// What the model promises of a loss of power, and that everything it doesn't promise is lost for
/// some seed and kept for another.
final class ModelDurabilityTests: XCTestCase {
  private static let seeds: Range<UInt64> = 0..<200

  /// The trees below `/d` that losses of power leave of what `body` does, each with how often.
  private func outcomes(
    of body: (ModelDisk, Descriptor) throws -> Void
  ) throws -> [[String: ModelDisk.Thing]: Int] {
    var found: [[String: ModelDisk.Thing]: Int] = [:]
    for seed in Self.seeds {
      var random = SeededGenerator(seed: seed)
      let disk = ModelDisk()
      try disk.put(.text("old"), at: "/d/old")
      try disk.put(.directory, at: "/d/empty")
      disk.settle()
      let directory = try Descriptor.open(
        userPath: "/d", [.reading, .directory], in: disk.fileSystem)
      try body(disk, directory)
      disk.crash(using: &random)
      found[disk.tree(below: "/d"), default: 0] += 1
    }
    return found
  }

  private let before: [String: ModelDisk.Thing] = ["old": .text("old"), "empty": .directory]

  private func make(_ name: String, _ text: String, in directory: Descriptor) throws -> Descriptor {
    let file = try directory.open(
      name: Array(name.utf8), [.writing, .creating, .exclusively], mode: 0o644)
    try file.write(Array(text.utf8))
    return file
  }

  private func open(_ name: String, in directory: Descriptor) throws -> Descriptor {
    try directory.open(name: Array(name.utf8), [.reading, .directory])
  }

  private func rename(
    _ name: String, _ from: Descriptor, _ newName: String, _ to: Descriptor,
    _ rule: RenameRule = .replacing
  ) throws {
    try from.rename(Array(name.utf8), to: to, Array(newName.utf8), rule)
  }

  func testAFileThatWasNotFlushedMayBeThereInPartOrNotAtAll() throws {
    let found = try outcomes { _, directory in
      _ = try make("new", "text", in: directory)
      try directory.flush()
    }
    XCTAssertEqual(
      Set(found.keys.map { $0["new"] }),
      [.text("text"), .text(""), .text("\0\0\0\0")], "the name is sure, the bytes are not")
  }

  func testAFlushOfAFileMakesItsBytesDurableButNotItsName() throws {
    let found = try outcomes { _, directory in
      try make("new", "text", in: directory).flush()
    }
    XCTAssertEqual(Set(found.keys.map { $0["new"] }), [.text("text"), nil])
  }

  func testAFileAndItsDirectoryFlushedAreDurable() throws {
    let found = try outcomes { _, directory in
      try make("new", "text", in: directory).flush()
      try directory.flush()
    }
    XCTAssertEqual(Set(found.keys.map { $0["new"] }), [.text("text")])
  }

  func testAFlushOfTheFileSystemMakesAllDurable() throws {
    let found = try outcomes { _, directory in
      try directory.makeDirectory(Array("sub".utf8))
      _ = try make("new", "text", in: try open("sub", in: directory))
      try rename("old", directory, "older", directory)
      try directory.flushFileSystem()
    }
    XCTAssertEqual(
      Array(found.keys),
      [["older": .text("old"), "empty": .directory, "sub": .directory, "sub/new": .text("text")]])
  }

  func testARenameIsOneStepAndNeitherDoublesNorLosesAFile() throws {
    for rule in [RenameRule.replacing, .intoEmptyPlace] {
      let found = try outcomes { _, directory in
        try rename("old", directory, "new", try open("empty", in: directory), rule)
      }
      XCTAssertEqual(
        Set(found.keys), [before, ["empty": .directory, "empty/new": .text("old")]], "\(rule)")
    }
  }

  func testAReplacedFileIsTheOldOneOrTheNewOne() throws {
    let found = try outcomes { _, directory in
      let file = try make("draft", "new", in: directory)
      try file.flush()
      try rename("draft", directory, "old", directory)
    }
    XCTAssertEqual(Set(found.keys.map { $0["old"] }), [.text("old"), .text("new")])
  }

  func testARenameBeforeTheBytesAreFlushedMayLoseBothTexts() throws {
    let found = try outcomes { _, directory in
      _ = try make("draft", "new", in: directory)
      try rename("draft", directory, "old", directory)
    }
    XCTAssertTrue(found.keys.contains { $0["old"] == .text("") }, "the mistake would go unseen")
    XCTAssertTrue(found.keys.contains { $0["old"] == .text("new") })
    XCTAssertTrue(found.keys.contains { $0["old"] == .text("old") })
  }

  func testTwoFilesThatChangePlacesDoSoOrDoNot() throws {
    let found = try outcomes { _, directory in
      try make("other", "other", in: directory).flush()
      try directory.flush()
      try rename("other", directory, "old", directory, .exchanging)
    }
    XCTAssertEqual(
      Set(found.keys.map { [$0["old"], $0["other"]] }),
      [[.text("old"), .text("other")], [.text("other"), .text("old")]])
  }

  func testAFileIsNeverLostInADirectoryThatIsNotThere() throws {
    let found = try outcomes { _, directory in
      try directory.makeDirectory(Array("sub".utf8))
      let sub = try open("sub", in: directory)
      try rename("old", directory, "moved", sub)
      try sub.flush()
    }
    XCTAssertEqual(
      Array(found.keys),
      [["empty": .directory, "sub": .directory, "sub/moved": .text("old")]])
  }

  func testANewFileInADirectoryThatWasNotFlushedMayBeLostWithIt() throws {
    let found = try outcomes { _, directory in
      try directory.makeDirectory(Array("sub".utf8))
      let sub = try open("sub", in: directory)
      try make("new", "text", in: sub).flush()
      try sub.flush()
    }
    XCTAssertEqual(
      Set(found.keys),
      [
        before,
        before.merging(["sub": .directory, "sub/new": .text("text")]) { $1 },
      ])
  }

  func testARemovedDirectoryTakesNothingAlongThatWasMovedOutOfIt() throws {
    let found = try outcomes { _, directory in
      let empty = try open("empty", in: directory)
      try rename("old", directory, "old", empty)
      try directory.flushFileSystem()
      try rename("old", empty, "back", directory)
      try directory.removeDirectory(Array("empty".utf8))
    }
    XCTAssertEqual(
      Set(found.keys),
      [
        ["empty": .directory, "empty/old": .text("old")],
        ["empty": .directory, "back": .text("old")], ["back": .text("old")],
      ])
  }

  func testARemovalThatWasNotFlushedMayComeBack() throws {
    let found = try outcomes { _, directory in
      try directory.unlink(Array("old".utf8))
    }
    XCTAssertEqual(Set(found.keys.map { $0["old"] }), [.text("old"), nil])
  }

  func testAFailedFlushLosesTheBytesAndTheNextOneSaysThatAllIsWell() throws {
    for flush in [DiskCall.Kind.flush, .flushFileSystem] {
      let found = try outcomes { disk, directory in
        let file = try make("new", "text", in: directory)
        disk.onCall { $0.kind == flush ? .error(.inputOutput) : nil }
        let perform = flush == .flush ? file.flush : directory.flushFileSystem
        XCTAssertThrowsError(try perform())
        disk.onCall(nil)
        try perform()
        try file.flush()
        try directory.flush()
        XCTAssertEqual(try file.readStart(limit: 10), Array("text".utf8), "as long as it lives")
      }
      XCTAssertEqual(Set(found.keys.map { $0["new"] }), [.text("\0\0\0\0")], "\(flush)")
    }
  }

  func testWhatIsWrittenAgainAfterAFailedFlushCanBeFlushed() throws {
    let found = try outcomes { disk, directory in
      let file = try make("new", "text", in: directory)
      disk.onCall { $0.kind == .flush ? .error(.inputOutput) : nil }
      XCTAssertThrowsError(try file.flush())
      disk.onCall(nil)
      try file.truncate()
      try file.write(Array("more".utf8))
      try file.flush()
      try directory.flush()
    }
    XCTAssertEqual(Set(found.keys.map { $0["new"] }), [.text("more")])
  }

  func testBlocksComeToTheDiskInAnyOrder() throws {
    let text = [UInt8](repeating: 1, count: 3 * FileBytes.block)
    let found = try outcomes { _, directory in
      let file = try make("new", "", in: directory)
      try file.write([UInt8](repeating: 0, count: text.count))
      try file.flush()
      try directory.flush()
      try file.rewind()
      try file.write(text)
    }
    let patterns = Set(
      found.keys.map { tree -> [UInt8] in
        guard case .file(let bytes) = tree["new"] else { return [] }
        return [0, FileBytes.block, 2 * FileBytes.block].map { bytes[$0] }
      })
    XCTAssertEqual(patterns.count, 8, "\(patterns)")
  }

  func testAKilledProcessLeavesEverythingAndCanDoNothingMore() throws {
    let disk = ModelDisk()
    try disk.put(.directory, at: "/d")
    let directory = try Descriptor.open(
      userPath: "/d", [.reading, .directory], in: disk.fileSystem)
    let file = try make("new", "text", in: directory)
    try file.lock(shared: false)
    disk.kill()
    XCTAssertEqual(disk.tree(below: "/d"), ["new": .text("text")])
    XCTAssertThrowsError(try file.write([1])) { XCTAssertTrue(Errno.inputOutput ~= $0) }
    XCTAssertThrowsError(try directory.unlink(Array("new".utf8)))
    XCTAssertEqual(disk.openCount, 0)
    let next = try Descriptor.open(userPath: "/d", [.reading, .directory], in: disk.fileSystem)
    try next.open(name: Array("new".utf8), [.writing]).lock(shared: false)
  }

  func testAProcessThatEndsInTheMiddleOfACallDoesNothingMore() throws {
    let disk = ModelDisk()
    try disk.put(.directory, at: "/d")
    let directory = try Descriptor.open(
      userPath: "/d", [.reading, .directory], in: disk.fileSystem)
    disk.onCall { call in
      if call.kind == .create { disk.kill() }
      return nil
    }
    XCTAssertThrowsError(try make("new", "text", in: directory))
    XCTAssertEqual(disk.tree(below: "/d"), [:])
  }

  func testAFullDiskTakesWhatFitsAndGivesRoomBack() throws {
    let disk = ModelDisk(capacity: Int64(5 * FileBytes.block))
    try disk.put(.directory, at: "/d")
    let directory = try Descriptor.open(
      userPath: "/d", [.reading, .directory], in: disk.fileSystem)
    XCTAssertEqual(try directory.freeSpace(), Int64(3 * FileBytes.block))
    let file = try make("new", "", in: directory)
    let big = [UInt8](repeating: 1, count: 4 * FileBytes.block)
    XCTAssertThrowsError(try file.write(big)) { XCTAssertTrue(Errno.noSpace ~= $0) }
    XCTAssertEqual(try file.status().size, Int64(3 * FileBytes.block), "a short write comes first")
    XCTAssertThrowsError(try directory.makeDirectory([1])) { XCTAssertTrue(Errno.noSpace ~= $0) }
    try directory.unlink(Array("new".utf8))
    XCTAssertEqual(try directory.freeSpace(), 0, "it is still open")
    withExtendedLifetime(file) {}
  }
}
