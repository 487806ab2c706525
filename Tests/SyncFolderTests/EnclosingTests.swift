import Foundation
import TestSupport
import XCTest
@testable import SyncFiles
@testable import SyncFolder
@testable import SyncText
import FolderTestSupport

/// Mirrors within mirrors.
final class EnclosingTests: FolderTestCase {
  func testNoFolderIsOpenedWithinTheMirrorsOwn() throws {
    _ = try open()
    try put("x", at: path + "/.mirror/displaced/b/sub/x")
    let link = base + "/link"
    try makeLink(at: link, to: path + "/.mirror/displaced")
    let inside = [
      "/.mirror", "/.mirror/", "/.mirror/displaced/b", "/.mirror/displaced/b/sub/",
      "/.mirror/new", "/.mirror/new/newer", "/./.mirror/../.mirror/displaced",
    ].map { path + $0 }
    let before = try FileManager.default.subpathsOfDirectory(atPath: path)
    for place in inside + [link, link + "/b/sub", link + "/new"] {
      let code = FolderError.Code.insideMirror(of: path)
      for mode in [MirrorFolder.Mode.create, .createWithParents, .existing] {
        assertThrows(code, try MirrorFolder.open(path: place, mode: mode))
      }
      assertThrows(code, try MirrorFolder.inspect(path: place))
      assertThrows(code, try MirrorFolder.requireOutsideMirrors(place))
    }
    XCTAssertEqual(try FileManager.default.subpathsOfDirectory(atPath: path), before)
  }

  func testADirectoryOfThatNameThatIsNoMirrorsIsOneLikeAnyOther() throws {
    try put("x", at: base + "/.mirror/sub/x")
    XCTAssertNoThrow(try MirrorFolder.open(path: base + "/.mirror/sub", mode: .create))
    try put("", at: base + "/.mirror/lock")
    assertThrows(
      .insideMirror(of: base), try MirrorFolder.open(path: base + "/.mirror/sub", mode: .existing))
  }

  func testTheFolderOfAnotherMirrorFurtherDownIsItsOwn() async throws {
    let folder = try open()
    let inner = path + "/sub/inner"
    try put("theirs", at: inner + "/file")
    _ = try MirrorFolder.open(path: inner, mode: .create)
    let bench = try CommitBench(folder)
    for key in ["sub/mine", "sub/inner/file", "sub/inner/deep/new", "sub/inner", "sub"] {
      try bench.add(try stage("x", in: bench.staging), at: key)
    }
    let failures = await bench.drain()
    XCTAssertEqual(bench.placed.map(\.payload), ["sub/mine"])
    XCTAssertEqual(
      Set(failures.map(\.payload)), ["sub/inner/file", "sub/inner/deep/new", "sub/inner", "sub"])
    for failure in failures {
      XCTAssertEqual((failure.error as? FolderError)?.code, .otherMirror, failure.payload)
    }
    XCTAssertEqual(try text(inner + "/file"), "theirs")
    XCTAssertTrue(exists(inner + "/.mirror/marker"))
    XCTAssertFalse(exists(path + "/.mirror/displaced"))
    XCTAssertEqual(try folder.countForeign { $0 == ByteString("sub/mine") }, 0)
  }

  func testWhatHasBecomeAnotherMirrorsIsNeitherRemovedNorBroughtBackInto() throws {
    let folder = try open()
    let removal = try Quarantine.Removal(
      path: RelativePath(ByteString("sub/inner/file")), stamp: nil)
    try put("theirs", at: path + "/sub/inner/file")
    let outcomes = try Quarantine(folder, startedAt: 1_000_000).remove([removal])
    XCTAssertTrue(exists(path + "/.mirror/quarantine"), "\(outcomes)")
    let away = try XCTUnwrap(
      FileManager.default.enumerator(atPath: path + "/.mirror/quarantine")?
        .compactMap { $0 as? String }.first { $0.hasSuffix("file") })

    // The directory went with its last file.
    try put("theirs", at: path + "/sub/inner/file")
    _ = try MirrorFolder.open(path: path + "/sub/inner", mode: .create)
    guard case .notThere? = try Quarantine(folder, startedAt: 2_000_000).remove([removal]).first
    else { return XCTFail("it is another mirror's") }
    XCTAssertEqual(try text(path + "/sub/inner/file"), "theirs")

    try FileManager.default.removeItem(atPath: path + "/sub/inner/file")
    let back = try AwayReturn(folder).bringBack(
      try folder.awayFiles(in: .quarantine))
    XCTAssertFalse(exists(path + "/sub/inner/file"), "\(back)")
    XCTAssertTrue(exists(path + "/.mirror/quarantine/" + away))
  }
}
