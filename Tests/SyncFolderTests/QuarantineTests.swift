import CSyncSystem
import Foundation
import TestSupport
import XCTest
@testable import SyncFiles
@testable import SyncFolder
@testable import SyncText
import FolderTestSupport

final class QuarantineTests: FolderTestCase {
  private var quarantine: String { path + "/.mirror/quarantine" }

  private func remove(_ keys: [String], stamp: FileStamp? = nil) throws -> [Quarantine.Outcome] {
    try Quarantine(open(), startedAt: Self.started).remove(
      keys.map { Quarantine.Removal(path: try relative($0), stamp: stamp) })
  }

  private func areas(_ outcomes: [Quarantine.Outcome]) -> [String] {
    outcomes.map { outcome in
      switch outcome {
      case .moved(let moved): moved.area.rawValue
      case .notThere: "not there"
      case .unsettled(_, let error): "unsettled: \(error.code)"
      case .failed(let error): "\(error.code)"
      }
    }
  }

  func testRemovedFilesKeepTheirPathsInTheQuarantine() throws {
    for key in ["a", "b/c", "b/d"] { try put(key, at: path + "/" + key) }
    XCTAssertEqual(areas(try remove(["a", "b/c"])), ["quarantine", "quarantine"])
    XCTAssertEqual(try text(quarantine + "/\(Self.batch)/a"), "a")
    XCTAssertEqual(try text(quarantine + "/\(Self.batch)/b/c"), "b/c")
    XCTAssertEqual(try names(path), [".mirror", "b"])
    XCTAssertEqual(try names(path + "/b"), ["d"])
  }

  func testOnlyDirectoriesThatBecameEmptyGo() throws {
    for key in ["a/b/c/file", "a/kept", "x/y/file"] { try put(key, at: path + "/" + key) }
    try makeFolder(at: path + "/empty")
    _ = try remove(["a/b/c/file", "x/y/file"])
    XCTAssertEqual(try names(path), [".mirror", "a", "empty"])
    XCTAssertEqual(try names(path + "/a"), ["kept"])
  }

  func testAnEditedFileIsDisplacedInstead() throws {
    try put("edited", at: path + "/a")
    let old = FileStamp(size: 1, modifiedNanoseconds: 1, inode: nil)
    XCTAssertEqual(areas(try remove(["a"], stamp: old)), ["displaced"])
    XCTAssertEqual(try text(path + "/.mirror/displaced/\(Self.batch)/a"), "edited")
    XCTAssertFalse(exists(quarantine))
  }

  func testWhatIsGoneOrNoFileIsNotThere() throws {
    try put("x", at: path + "/directory/x")
    try put("x", at: path + "/file")
    XCTAssertEqual(
      areas(try remove(["absent", "no/where", "directory", "file/below"])),
      Array(repeating: "not there", count: 4))
    XCTAssertTrue(exists(path + "/directory/x"))
  }

  func testARunThatIsRepeatedFinishesTheRemoval() throws {
    try put("first", at: path + "/a/b")
    _ = try remove(["a/b"])
    try put("second", at: path + "/a/b")
    XCTAssertEqual(areas(try remove(["a/b"])), ["quarantine"])
    XCTAssertEqual(areas(try remove(["a/b"])), ["not there"])
    XCTAssertEqual(try text(quarantine + "/\(Self.batch)/a/b"), "first")
    XCTAssertEqual(try text(quarantine + "/\(Self.batch).2/a/b"), "second")
  }

  func testNothingIsRemovedFromAFolderThatWasReplaced() throws {
    let folder = try open()
    try FileManager.default.moveItem(atPath: path, toPath: base + "/moved")
    try put("kept", at: path + "/a")
    let removal = Quarantine.Removal(path: try relative("a"), stamp: nil)
    assertThrows(
      .folderChanged, try Quarantine(folder, startedAt: Self.started).remove([removal]))
    XCTAssertEqual(try text(path + "/a"), "kept")
  }

  func testRemovalsThatMayNotLastAreReported() throws {
    let disk = ScriptedDisk()
    let folder = try open(fileSystem: disk)
    try put("x", at: path + "/a")
    disk.failNextFile()
    let outcomes = try Quarantine(folder, startedAt: Self.started).remove([
      Quarantine.Removal(path: try relative("a"), stamp: nil)
    ])
    XCTAssertEqual(areas(outcomes), ["unsettled: unflushed"])
  }

  func testOnlyExpiredRunsArePurged() throws {
    let folder = try open()
    for name in ["20250101T000000Z", "20250101T000000Z.2", Self.batch, "notes"] {
      try put("x", at: quarantine + "/\(name)/deep/x")
    }
    try makeLink(at: quarantine + "/20250101T000000Z/deep/out", to: outside)
    try makeLink(at: quarantine + "/20250102T000000Z", to: outside)
    let week = Duration.seconds(7 * 24 * 3600)
    XCTAssertEqual(try Quarantine.purge(folder, olderThan: week, now: Self.started + 60), 2)
    XCTAssertEqual(try names(quarantine), ["20250102T000000Z", Self.batch, "notes"])
  }

  func testWithoutAQuarantineThereIsNothingToPurge() throws {
    XCTAssertEqual(try Quarantine.purge(open(), olderThan: .zero, now: Self.started), 0)
  }

  func testAVeryLongPathFitsIntoTheQuarantine() throws {
    let folder = try open()
    let key = Array(repeating: String(repeating: "d", count: 250), count: 15)
      .joined(separator: "/")
    let editor = TreeEditor(folder, batch: Self.batch)
    let parent = try editor.makeDirectory(BeneathPath(relative(key)).parent, clearing: false)
    _ = try parent.open(
      name: BeneathPath(relative(key)).name, [.writing, .creating], mode: 0o644)
    XCTAssertEqual(areas(try remove([key])), ["quarantine"])
    XCTAssertEqual(try names(path), [".mirror"])
    XCTAssertEqual(try Quarantine.purge(folder, olderThan: .zero, now: Self.started + 1), 1)
    XCTAssertEqual(try names(quarantine), [])
  }
}
