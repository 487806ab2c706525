import Foundation
import TestSupport
import XCTest
@testable import SyncFiles
@testable import SyncFolder
import FolderTestSupport

/// The path of a folder as people write it.
final class UserPathTests: FolderTestCase {
  func testWhatMeansNothingInAPathIsLeftOut() {
    let rows = [
      ("a", "a"), ("a/", "a"), ("a//", "a"), ("./a", "a"), ("a/.", "a"), ("a/./b//c/", "a/b/c"),
      ("/", "/"), ("//", "/"), ("/.", "/"), ("/a/./", "/a"), (".", "."), ("./", "."), ("", ""),
      ("a/../b", "a/../b"), ("..", ".."), (".mirror", ".mirror"),
    ]
    for (written, plain) in rows { XCTAssertEqual(UserPath.plain(written), plain, written) }
  }

  func testTheDirectoryThatAPathStandsIn() {
    let rows = [("a", "."), ("a/b", "a"), ("/a", "/"), ("/a/b", "/a"), ("/", "/"), (".", ".")]
    for (path, parent) in rows { XCTAssertEqual(UserPath.parent(of: path), parent, path) }
  }

  func testAFolderIsOpenedHoweverItsPathIsWritten() throws {
    let folder = try open()
    for path in [
      path + "/", path + "/.", path + "/./", path.replacing("/folder", with: "/./folder"),
    ] {
      let same = try MirrorFolder.open(path: path, mode: .create)
      XCTAssertEqual(same.id, folder.id, path)
      XCTAssertEqual(same.indexPath, folder.indexPath)
    }
    XCTAssertEqual(try MirrorFolder.open(path: base + "/new/./", mode: .create).path, base + "/new")
  }

  func testMissingDirectoriesAboveAreMadeOnlyWhenAskedFor() throws {
    let deep = base + "/x/y/folder"
    assertThrows(.parentMissing, try MirrorFolder.open(path: deep, mode: .create))
    assertThrows(.parentMissing, try MirrorFolder.checkPlace(deep))
    XCTAssertFalse(exists(base + "/x"))
    try MirrorFolder.checkPlace(deep, withParents: true)
    XCTAssertFalse(exists(base + "/x"), "a look makes nothing")
    _ = try MirrorFolder.open(path: deep, mode: .createWithParents)
    XCTAssertTrue(exists(deep + "/.mirror/marker"))
    assertThrows(
      .notAFolder,
      try MirrorFolder.open(path: outside + "/canary/x/y", mode: .createWithParents))
  }

  func testALinkToNothingIsNamedAndNothingIsMadeForIt() throws {
    let link = base + "/link"
    try makeLink(at: link, to: base + "/unmounted/disk")
    for path in [link, link + "/sub/folder"] {
      for mode in [MirrorFolder.Mode.create, .createWithParents, .existing] {
        XCTAssertThrowsError(try MirrorFolder.open(path: path, mode: mode)) { error in
          XCTAssertEqual(error as? FolderError, FolderError(.linkToNothing, link))
        }
      }
      assertThrows(.linkToNothing, try MirrorFolder.inspect(path: path))
    }
    XCTAssertNil(try MirrorFolder.inspect(path: base + "/nothing/at/all"))
    XCTAssertFalse(exists(base + "/unmounted"))
  }
}
