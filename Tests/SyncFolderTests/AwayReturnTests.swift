import Foundation
import SyncLock
import TestSupport
import XCTest
@testable import SyncFiles
@testable import SyncFolder
@testable import SyncText
import FolderTestSupport

/// What was moved out of the tree and comes back.
final class AwayReturnTests: FolderTestCase {
  private func away(_ folder: MirrorFolder) throws -> [AwayFile] {
    try folder.awayFiles(in: .displaced) + folder.awayFiles(in: .quarantine)
  }

  private func lay(_ texts: [String: String], in area: String = "quarantine") throws {
    for (key, text) in texts {
      try put(text, at: path + "/.mirror/\(area)/\(Self.batch)/\(key)")
    }
  }

  private func places(_ outcomes: [AwayReturn.Outcome]) -> [String] {
    outcomes.map { outcome in
      switch outcome {
      case .back(let place): place.description
      case .gone: "gone"
      case .failed(let error): "\(error.code)"
      }
    }
  }

  func testFilesOfAllRunsAreListedTheNewestFirst() throws {
    let folder = try open()
    try lay(["b/c": "old"])
    try put("new", at: path + "/.mirror/quarantine/20250201T000000Z.2/b/c")
    try put("no run's", at: path + "/.mirror/quarantine/other/x")
    try put("no run's", at: path + "/.mirror/quarantine/x")
    let files = try folder.awayFiles(in: .quarantine)
    XCTAssertEqual(files.map(\.batch), ["20250201T000000Z.2", Self.batch])
    XCTAssertEqual(files.map(\.key.description), ["b/c", "b/c"])
    XCTAssertEqual(files.map(\.movedAt), [1_738_368_000, Self.started])
    XCTAssertEqual(files.map(\.quarantineName), files.map { "\($0.batch)/b/c" })
    XCTAssertEqual(try folder.awayFiles(in: .displaced), [])
  }

  func testEachComesBackToItsPlaceOrBesideWhatStandsThere() throws {
    let folder = try open()
    try lay(["a": "1", "b/c.txt": "2", "b/.d": "3", "e/f": "4"])
    try put("mine", at: path + "/b/c.txt")
    try put("mine", at: path + "/b/.d/x")
    try put("mine", at: path + "/e")
    XCTAssertEqual(
      places(try AwayReturn(folder).bringBack(away(folder))),
      ["a", "b/.d.restored-\(Self.batch)", "b/c.restored-\(Self.batch).txt", "blocked"])
    XCTAssertEqual(try text(path + "/a"), "1")
    XCTAssertEqual(try text(path + "/b/c.restored-\(Self.batch).txt"), "2")
    XCTAssertEqual(try text(path + "/b/.d.restored-\(Self.batch)"), "3")
    XCTAssertEqual([try text(path + "/b/c.txt"), try text(path + "/e")], ["mine", "mine"])
    XCTAssertEqual(try away(folder).map(\.key.description), ["e/f"], "it stays where it lay")
    XCTAssertEqual(try names(path + "/.mirror/quarantine/\(Self.batch)"), ["e"])
  }

  func testNothingComesBackIntoTheMirrorsOwnFolder() throws {
    let folder = try open()
    try lay([".mirror/marker": "forged", "x": "x"], in: "displaced")
    XCTAssertEqual(
      places(try AwayReturn(folder).bringBack(away(folder))), ["controlFolder", "x"])
    XCTAssertNotEqual(try text(path + "/.mirror/marker"), "forged")
  }

  func testAPlantedLinkLeadsNowhere() throws {
    let folder = try open()
    try lay(["link/file": "text"])
    try makeLink(at: path + "/link", to: outside)
    XCTAssertEqual(places(try AwayReturn(folder).bringBack(away(folder))), ["blocked"])
  }

  func testNamesBesideAreNeverTooLong() {
    let long = String(repeating: "ü", count: 127)
    let rows = [
      ("a.txt", "a.restored-B.txt"), ("a", "a.restored-B"), (".a", ".a.restored-B"),
      ("d.x/a", "d.x/a.restored-B"), ("a.tar.gz", "a.tar.restored-B.gz"),
      (long, String(repeating: "ü", count: 122) + ".restored-B"),
      (
        "a." + String(repeating: "x", count: 40),
        "a.\(String(repeating: "x", count: 40)).restored-B"
      ),
    ]
    for (name, beside) in rows {
      let candidates = ReturnName.candidates(
        for: BeneathPath(checked: Array(name.utf8)), of: "B")
      XCTAssertEqual(candidates[0].bytes, Array(name.utf8))
      XCTAssertEqual(String(decoding: candidates[1].bytes, as: UTF8.self), beside)
      XCTAssertTrue(candidates.allSatisfy { $0.name.count <= 255 }, name)
      XCTAssertEqual(Set(candidates).count, candidates.count)
    }
  }

  func testF12_killedBeforeAnyCallOfAReturnEveryFileIsHereOrThere() throws {
    let texts = ["a": "1", "b/c": "2", "b/d/e": "3", "f": "4"]
    var number = 0
    var died = true
    while died {
      number += 1
      try? FileManager.default.removeItem(atPath: path)
      let disk = DyingDisk(before: number)
      let folder = try open(fileSystem: disk)
      try lay(texts)
      try put("mine", at: path + "/f")
      disk.begin()
      _ = try? AwayReturn(folder).bringBack(away(folder))
      died = disk.hasDied
      try assertEveryFileIsHereOrThere(texts, "died before call \(number)")
      let again = try open()
      _ = try AwayReturn(again).bringBack(away(again))
      XCTAssertEqual(try away(again), [], "the next one finishes it")
      try assertEveryFileIsHereOrThere(texts, "after call \(number)")
    }
    XCTAssertGreaterThan(number, 12, "there was something to die between")
  }

  private func assertEveryFileIsHereOrThere(_ texts: [String: String], _ claim: String) throws {
    var found: [String: Int] = [:]
    for place in ["", "/.mirror/quarantine/\(Self.batch)"] {
      let root = path + place
      for case let name as String in FileManager.default.enumerator(atPath: root) ?? .init() {
        guard place != "" || !name.hasPrefix(".mirror"), let text = try? text("\(root)/\(name)")
        else { continue }
        found[text, default: 0] += 1
      }
    }
    XCTAssertEqual(found, ["1": 1, "2": 1, "3": 1, "4": 1, "mine": 1], claim)
  }
}

/// The real disk, on which no call goes well any more from one on, as if the process had been killed.
private final class DyingDisk: ForwardingFileSystem {
  let base: any FileSystem = SystemFileSystem()
  private let left: Locked<(calls: Int, isCounting: Bool)>

  init(before number: Int) {
    left = Locked((number, false))
  }

  func begin() { left.withLock { $0.isCounting = true } }

  var hasDied: Bool { left.withLock { $0.calls <= 0 } }

  private func call() throws(Errno) {
    let isDead = left.withLock { left in
      if left.isCounting { left.calls -= 1 }
      return left.calls <= 0
    }
    if isDead { throw .inputOutput }
  }

  func makeDirectory(_ name: [UInt8], in directory: Int32, mode: UInt32) throws(Errno) {
    try call()
    try base.makeDirectory(name, in: directory, mode: mode)
  }

  func removeDirectory(_ name: [UInt8], in directory: Int32) throws(Errno) {
    try call()
    try base.removeDirectory(name, in: directory)
  }

  func rename(
    _ name: [UInt8], in directory: Int32, to newName: [UInt8], in target: Int32, _ rule: RenameRule
  ) throws(Errno) {
    try call()
    try base.rename(name, in: directory, to: newName, in: target, rule)
  }

  func flush(_ descriptor: Int32) throws(Errno) { try call() }

  func flushFileSystem(_ descriptor: Int32) throws(Errno) { try call() }
}
