import Foundation
import TestSupport
import XCTest
@testable import SyncFiles
@testable import SyncFolder
@testable import SyncText
import FolderTestSupport

final class MirrorFolderTests: FolderTestCase {
  func testCreateMakesTheFolderAndItsMarker() throws {
    let folder = try open()
    let marker = try text(path + "/.mirror/marker")
    XCTAssertEqual(marker, "mirror-folder 1\nid \(try XCTUnwrap(folder.id).text)\nunbound\n")
    XCTAssertEqual(try names(path + "/.mirror"), ["marker"])
    XCTAssertEqual(folder.indexPath, path + "/.mirror/index.sqlite")
  }

  func testTheIdStaysAndDiffersFromFolderToFolder() throws {
    let first = try open()
    XCTAssertEqual(try open().id, first.id)
    XCTAssertEqual(try open(.existing).id, first.id)
    XCTAssertNotEqual(try MirrorFolder.open(path: base + "/other", mode: .create).id, first.id)
  }

  func testExistingRefusesWhatIsNoMirrorAndMakesNothing() throws {
    assertThrows(.missing, try open(.existing))
    XCTAssertFalse(exists(path))
    try makeFolder(at: path)
    assertThrows(.notAMirror, try open(.existing))
    XCTAssertEqual(try names(path), [])
  }

  func testInspectingMakesNothing() throws {
    XCTAssertNil(try MirrorFolder.inspect(path: path))
    XCTAssertFalse(exists(path))
    try put("x", at: path + "/a")
    let folder = try XCTUnwrap(try MirrorFolder.inspect(path: path))
    XCTAssertNil(folder.id)
    XCTAssertEqual(try folder.look(at: relative("a"))?.size, 1)
    _ = try FolderLock.acquireForLooking(in: folder)
    XCTAssertEqual(try names(path), ["a"])
  }

  func testEachRefusalIsOneClearError() throws {
    try put("x", at: path)
    assertThrows(.notAFolder, try open())
    assertThrows(.parentMissing, try MirrorFolder.open(path: base + "/no/where", mode: .create))
    XCTAssertThrowsError(try open()) { error in
      XCTAssertEqual(
        "\(error)",
        "\(path) is not a folder; name a folder, or a path where one can be made")
    }
  }

  func testADamagedMarkerIsNamed() throws {
    for damaged in ["", "mirror-folder 1\n", "mirror-folder 1\nid short\n", "\u{0}\u{1}"] {
      try put(damaged, at: path + "/.mirror/marker")
      assertThrows(.markerDamaged, try open())
    }
  }

  func testAMarkerThatWasCutShortIsMadeAnewBesideAnIndex() throws {
    let marker = path + "/.mirror/marker"
    try put("an index", at: path + "/.mirror/index.sqlite")
    for torn in ["", "mirror-fol", "mirror-folder 1\nid ", "mirror-fo\0\0", "\0\0\0"] {
      for mode in [MirrorFolder.Mode.create, .existing] {
        try put(torn, at: marker)
        assertThrows(.markerTorn, try MirrorFolder.inspect(path: path))
        let folder = try open(mode)
        XCTAssertTrue(folder.isNewlyMarked, "the index may hold another id")
        XCTAssertEqual(try XCTUnwrap(MirrorFolder.inspect(path: path)).id, folder.id)
      }
    }
    XCTAssertEqual(try names(path + "/.mirror").sorted(), ["index.sqlite", "marker"])
  }

  func testAMarkerThatMayBeOfAnotherMirrorIsLeftAlone() throws {
    let marker = path + "/.mirror/marker"
    try put("an index", at: path + "/.mirror/index.sqlite")
    for damaged in ["mirror-folder 1\nid 0", "mirror-folder 2", "mirror\0x", "\0\u{1}"] {
      try put(damaged, at: marker)
      assertThrows(.markerDamaged, try open())
      XCTAssertEqual(try readText(marker), damaged)
    }
    try put("", at: path + "/.mirror/index.sqlite")
    try put("", at: marker)
    assertThrows(.markerDamaged, try open(.existing))
  }

  func testAReadOnlyFileSystemIsNamed() throws {
    try makeFolder(at: path)
    try withMount(at: path, options: "ro,size=64k") {
      assertThrows(.readOnly, try open())
    }
  }

  func testAControlFolderThatIsALinkIsNotFollowed() throws {
    try makeFolder(at: path)
    try makeLink(at: path + "/.mirror", to: outside)
    for resolver in [PathResolver.kernel, .walking] {
      assertThrows(.blocked, try open(resolver: resolver))
    }
  }

  func testAFolderThatVanishesIsNoticed() throws {
    let folder = try open()
    try folder.checkMarker()
    try FileManager.default.moveItem(atPath: path, toPath: base + "/moved")
    assertThrows(.folderChanged, try folder.checkMarker())
    try makeFolder(at: path)
    assertThrows(.folderChanged, try folder.checkMarker())
    _ = try open()
    assertThrows(.folderChanged, try folder.checkMarker())
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.copyItem(atPath: base + "/moved", toPath: path)
    assertThrows(.folderChanged, try folder.checkMarker())
  }

  func testAMarkerOfAnotherMirrorIsNoticed() throws {
    let folder = try open()
    try put(
      "mirror-folder 1\nid \(String(repeating: "0", count: 32))\n", at: path + "/.mirror/marker")
    assertThrows(.folderChanged, try folder.checkMarker())
  }

  func testAFileSystemMountedOverTheFolderIsNoticed() throws {
    let folder = try open()
    try withMount(at: path, options: "size=64k") {
      assertThrows(.folderChanged, try folder.checkMarker())
      assertThrows(.notAMirror, try open(.existing))
    }
    try folder.checkMarker()
  }

  func testTheProbeFindsThatThisFileSystemKeepsNamesApart() throws {
    let folding = try open().probeNameFolding()
    XCTAssertEqual(folding, NameFolding(caseFolding: false, unicodeNormalizing: false))
    XCTAssertEqual(try names(path + "/.mirror"), ["marker"])
  }

  func testFreeSpaceIsThatOfTheDisk() throws {
    try makeFolder(at: path)
    try withMount(at: path, options: "size=64k") {
      let free = try open().freeSpace()
      XCTAssertGreaterThan(free, 0)
      XCTAssertLessThanOrEqual(free, 64 << 10)
    }
  }

  func testWhatIsPrintedIsEscaped() throws {
    let texts = ["a\nb", "a\u{1B}[2J", "a\\b", "\u{202E}gpj.exe", "é/日本"]
    let escaped = texts.map { ByteString.escape($0) }
    XCTAssertEqual(
      escaped,
      ["a\\x0Ab", "a\\x1B[2J", "a\\\\b", "\\xE2\\x80\\xAEgpj.exe", "é/日本"])
    let invalid = BeneathPath.root.appending([0x61, 0xFF, 0x62])
    XCTAssertEqual(invalid.description, "a\\xFFb")
  }
}
