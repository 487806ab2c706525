import CSyncSystem
import Foundation
import TestSupport
import XCTest
@testable import SyncFiles
@testable import SyncFolder
@testable import SyncText
import FolderTestSupport

/// What stands in an item's way, and what becomes of it.
final class PlacingTests: FolderTestCase {
  private var displaced: String { path + "/.mirror/displaced/" + Self.batch }
  private var quarantine: String { path + "/.mirror/quarantine/" + Self.batch }

  func testFilesGoIntoTheirPlacesWithTheirDates() async throws {
    let bench = try CommitBench(open())
    let staged = try stage("new", in: bench.staging, modified: 1_000_000_000)
    try bench.add(staged, at: "a/b/c")
    await assertEqual(bench.drain().count, 0)
    XCTAssertEqual(try text(path + "/a/b/c"), "new")
    XCTAssertEqual(bench.placed.map(\.stamp), [try stamp("a/b/c", in: bench.folder)])
    XCTAssertEqual(bench.placed.first?.stamp.modifiedNanoseconds, 1_000_000_000_000_000_000)
    XCTAssertEqual(try bench.folder.look(at: relative("a/b/c"))?.mode, 0o644)
    XCTAssertEqual(try names(path + "/.mirror/staging"), [])
  }

  func testOurOwnFileIsReplaced() async throws {
    let bench = try CommitBench(open())
    try put("old", at: path + "/a")
    let old = try stamp("a", in: bench.folder)
    let staged = try stage("new", in: bench.staging, name: "part")
    try bench.add(staged, at: "a", expecting: .ours(old))
    await assertEqual(bench.drain().count, 0)
    XCTAssertEqual(try text(path + "/a"), "new")
    XCTAssertEqual(bench.placed.first?.movedAway, [])
    XCTAssertEqual(try names(path + "/.mirror"), ["marker", "staging"])
    XCTAssertEqual(try names(path + "/.mirror/staging"), [])
  }

  func testAForeignFileIsDisplaced() async throws {
    let bench = try CommitBench(open())
    try put("foreign", at: path + "/a/b")
    try bench.add(try stage("new", in: bench.staging), at: "a/b")
    await assertEqual(bench.drain().count, 0)
    XCTAssertEqual(try text(path + "/a/b"), "new")
    XCTAssertEqual(try text(displaced + "/a/b"), "foreign")
    let moved = MovedAway(
      key: ByteString("a/b"), area: .displaced, name: Array("\(Self.batch)/a/b".utf8))
    XCTAssertEqual(bench.placed.first?.movedAway, [moved])
  }

  func testAnEqualForeignFileIsAdoptedAndLeftAsItIs() async throws {
    let bench = try CommitBench(open())
    try put("same", at: path + "/a")
    let before = try stamp("a", in: bench.folder)
    try bench.add(try stage("same", in: bench.staging, modified: 1), at: "a")
    await assertEqual(bench.drain().count, 0)
    XCTAssertEqual(try stamp("a", in: bench.folder), before)
    XCTAssertEqual(bench.placed.first?.stamp, before)
    XCTAssertEqual(bench.placed.first?.adopted, true)
    XCTAssertEqual(try names(path + "/.mirror"), ["marker", "staging"])
    XCTAssertEqual(try names(path + "/.mirror/staging"), [])
  }

  func testAnEditedFileIsDisplaced() async throws {
    let bench = try CommitBench(open())
    try put("ours", at: path + "/a")
    let ours = try stamp("a", in: bench.folder)
    try put("edited", at: path + "/a")
    try bench.add(try stage("new", in: bench.staging), at: "a", expecting: .ours(ours))
    await assertEqual(bench.drain().count, 0)
    XCTAssertEqual(try text(path + "/a"), "new")
    XCTAssertEqual(try text(displaced + "/a"), "edited")
  }

  func testDisplacingTheSamePathTwiceKeepsBoth() async throws {
    let bench = try CommitBench(open())
    for number in 1...3 {
      try put("foreign \(number)", at: path + "/a")
      try bench.add(try stage("new \(number)", in: bench.staging), at: "a")
      await assertEqual(bench.drain().count, 0)
    }
    XCTAssertEqual(try text(displaced + "/a"), "foreign 1")
    XCTAssertEqual(try text(displaced + ".2/a"), "foreign 2")
    XCTAssertEqual(try text(displaced + ".3/a"), "foreign 3")
  }

  func testADirectoryThatBecomesAFileIsMovedAwayByOwner() async throws {
    let folder = try open()
    for name in ["ours", "edited", "deep/ours", "deep/foreign"] {
      try put(name, at: path + "/d/" + name)
    }
    try makeFolder(at: path + "/d/empty/empty")
    var known: [ByteString: FileStamp] = [:]
    for name in ["d/ours", "d/edited", "d/deep/ours"] {
      known[ByteString(name)] = try stamp(name, in: folder)
    }
    try put("edited since", at: path + "/d/edited")
    let bench = try CommitBench(
      folder, owner: { [known] key in known[key].map(Ownership.ours) ?? .foreign })
    try bench.add(try stage("file", in: bench.staging), at: "d")
    await assertEqual(bench.drain().count, 0)
    XCTAssertEqual(try text(path + "/d"), "file")
    XCTAssertEqual(try text(quarantine + "/d/ours"), "ours")
    XCTAssertEqual(try text(quarantine + "/d/deep/ours"), "deep/ours")
    XCTAssertEqual(try text(displaced + "/d/edited"), "edited since")
    XCTAssertEqual(try text(displaced + "/d/deep/foreign"), "deep/foreign")
    XCTAssertEqual(bench.placed.first?.movedAway.count, 4)
  }

  func testAFileThatBecomesADirectoryIsMovedAwayByOwner() async throws {
    let folder = try open()
    try put("ours", at: path + "/ours")
    try put("foreign", at: path + "/x/foreign")
    let ours = try stamp("ours", in: folder)
    let bench = try CommitBench(
      folder, owner: { $0 == ByteString("ours") ? .ours(ours) : .foreign })
    try bench.add(try stage("1", in: bench.staging), at: "ours/a/b")
    try bench.add(try stage("2", in: bench.staging), at: "x/foreign/a/b")
    await assertEqual(bench.drain().count, 0)
    XCTAssertEqual(try text(path + "/ours/a/b"), "1")
    XCTAssertEqual(try text(path + "/x/foreign/a/b"), "2")
    XCTAssertEqual(try text(quarantine + "/ours"), "ours")
    XCTAssertEqual(try text(displaced + "/x/foreign"), "foreign")
  }

  func testAnOwnerThatFailsMovesNothing() async throws {
    struct NoIndex: Error {}
    let bench = try CommitBench(open(), owner: { _ in throw NoIndex() })
    try put("kept", at: path + "/d/kept")
    try bench.add(try stage("file", in: bench.staging), at: "d")
    try bench.add(try stage("file", in: bench.staging), at: "d/kept/below")
    await assertEqual(bench.drain().filter { $0.error is NoIndex }.count, 2)
    XCTAssertEqual(try text(path + "/d/kept"), "kept")
  }

  func testPreviewsReplaceEachOther() async throws {
    let bench = try CommitBench(open())
    for text in ["first", "second"] {
      bench.committer.add(
        Placement(
          staged: try stage(text, in: bench.staging), destination: .preview(name: "0a.jpg"),
          expectation: .nothing, payload: "preview"))
      await assertEqual(bench.drain().count, 0)
    }
    XCTAssertEqual(try text(path + "/.mirror/previews/0a.jpg"), "second")
    XCTAssertEqual(try bench.folder.lookAtPreview(named: "0a.jpg")?.size, 6)
    try bench.folder.removePreviews(named: ["0a.jpg", "absent"])
    XCTAssertNil(try bench.folder.lookAtPreview(named: "0a.jpg"))
  }

  func testAFileThatChangesBetweenTheLookAndTheRenameIsDisplaced() throws {
    let folder = try open()
    let staging = try Staging(folder)
    try put("edited a moment ago", at: path + "/a")
    let looked = FileStamp(size: 1, modifiedNanoseconds: 1, inode: nil)
    let editor = TreeEditor(folder, batch: Self.batch)
    try editor.replace(
      looked, at: BeneathPath(relative("a")), in: folder.root,
      with: stage("new", in: staging), from: staging)
    XCTAssertEqual(try text(path + "/a"), "new")
    XCTAssertEqual(try text(displaced + "/a"), "edited a moment ago")
  }

  func testAFileThatCantBeDisplacedStays() throws {
    let folder = try open()
    let staging = try Staging(folder)
    try put("edited a moment ago", at: path + "/a")
    try put("in the way", at: path + "/.mirror/displaced")
    let looked = FileStamp(size: 1, modifiedNanoseconds: 1, inode: nil)
    let editor = TreeEditor(folder, batch: Self.batch)
    assertThrows(
      .blocked,
      try editor.replace(
        looked, at: BeneathPath(relative("a")), in: folder.root,
        with: stage("new", in: staging, name: "part"), from: staging))
    XCTAssertEqual(try text(path + "/a"), "edited a moment ago")
    XCTAssertEqual(try names(path + "/.mirror/staging"), ["part"])
  }

  func testAPreviewsNameLeadsNowhere() async throws {
    let bench = try CommitBench(open())
    for name in ["../marker", "../../a", "a/b", "..", ""] {
      bench.committer.add(
        Placement(
          staged: try stage("x", in: bench.staging), destination: .preview(name: name),
          expectation: .nothing, payload: name))
      assertThrows(.failed, try bench.folder.lookAtPreview(named: name))
      assertThrows(.failed, try bench.folder.removePreviews(named: [name]))
    }
    await assertEqual(bench.drain().count, 5)
    try bench.folder.checkMarker()
  }
}
