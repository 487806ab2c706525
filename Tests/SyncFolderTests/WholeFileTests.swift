import Foundation
import TestSupport
import XCTest

@testable import SyncFiles

/// What is written whole onto something that is no file, or that somebody else has put there.
final class WholeFileTests: XCTestCase {
  private var folder = ""

  override func setUpWithError() throws {
    folder = try temporaryFolder().path
    for name in ["there", "shared"] { try makeFolder(at: "\(folder)/\(name)") }
    XCTAssertEqual(chmod("\(folder)/shared", 0o1777), 0)
  }

  private func link(_ name: String, to target: String) throws {
    try makeLink(at: "\(folder)/\(name)", to: target)
  }

  private func facts(_ name: String) throws -> stat {
    var facts = stat()
    guard lstat("\(folder)/\(name)", &facts) == 0 else { throw Errno.current }
    return facts
  }

  private func kind(_ name: String) throws -> FileStatus.Kind { FileStatus(try facts(name)).kind }

  private func text(_ name: String) throws -> String {
    try readText("\(folder)/\(name)")
  }

  private func write(_ text: String, to name: String) throws {
    try WholeFile.write(Array(text.utf8), to: name.hasPrefix("/") ? name : "\(folder)/\(name)")
  }

  /// Gives something to a user who is nobody's.
  private func giveAway(_ name: String) throws {
    guard geteuid() == 0 else { throw XCTSkip("only root can give files away") }
    XCTAssertEqual(lchown("\(folder)/\(name)", 65_534, 65_534), 0)
  }

  func testAFileIsReplacedAndNothingElseIsLeft() throws {
    try write("one", to: "there/file")
    let first = try facts("there/file").st_ino
    try write("two", to: "there/file")
    XCTAssertEqual(try text("there/file"), "two")
    XCTAssertNotEqual(try facts("there/file").st_ino, first)
    XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/there"), ["file"])
  }

  func testAFIFOGetsTheBytesAndStaysOne() throws {
    XCTAssertEqual(mkfifo("\(folder)/fifo", 0o600), 0)
    let reader = open("\(folder)/fifo", O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    try write("told", to: "fifo")
    var bytes = [UInt8](repeating: 0, count: 9)
    XCTAssertEqual(read(reader, &bytes, 9), 4)
    XCTAssertEqual(String(decoding: bytes.prefix(4), as: UTF8.self), "told")
    XCTAssertEqual(try kind("fifo"), .special(.fifo))
  }

  func testAFIFOThatNobodyReadsOrReadsOnIsAnErrorAndStaysOne() throws {
    XCTAssertEqual(mkfifo("\(folder)/fifo", 0o600), 0)
    let place = try FilePlace(userPath: "\(folder)/fifo")
    let much = [UInt8](repeating: 0, count: 4 << 20)
    for reads in [false, true] {
      let reader = reads ? open("\(folder)/fifo", O_RDONLY | O_NONBLOCK) : -1
      defer { close(reader) }
      assertThrows(Errno.unread, try place.write(much, isDurable: true, until: { _ in true }))
    }
    XCTAssertEqual(try kind("fifo"), .special(.fifo))
  }

  func testADeviceIsWrittenIntoAndStaysOne() throws {
    guard mknod("\(folder)/null", S_IFCHR | 0o600, 0x103) == 0,
      mknod("\(folder)/full", S_IFCHR | 0o600, 0x107) == 0,
      case let probe = open("\(folder)/null", O_WRONLY), probe >= 0
    else { throw XCTSkip("no devices can be made or used here") }
    close(probe)
    try write("told", to: "null")
    XCTAssertThrowsError(try write("told", to: "full")) {
      XCTAssertEqual($0 as? Errno, .noSpace)
    }
    for name in ["null", "full"] { XCTAssertEqual(try kind(name), .special(.device)) }
  }

  func testWhatThisProcessHasOpenIsWrittenIntoWhereItStands() throws {
    try Data("kept ".utf8).write(to: URL(filePath: "\(folder)/open"))
    let file = open("\(folder)/open", O_RDWR)
    defer { close(file) }
    lseek(file, 0, SEEK_END)
    let number = try facts("open").st_ino
    try link("alias", to: "/dev/fd/\(file)")
    for path in ["/dev/fd/\(file)", "alias"] { try write("told ", to: path) }
    XCTAssertEqual(try text("open"), "kept told told ")
    XCTAssertEqual(try facts("open").st_ino, number)
  }

  /// A socket has no name by which it could be opened once more, as standard output of a service.
  func testASocketThatThisProcessHasOpenIsWrittenInto() throws {
    var ends: [Int32] = [-1, -1]
    XCTAssertEqual(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends), 0)
    defer { for end in ends { close(end) } }
    try write("told", to: "/dev/fd/\(ends[0])")
    var bytes = [UInt8](repeating: 0, count: 9)
    XCTAssertEqual(read(ends[1], &bytes, 9), 4)
    XCTAssertEqual(String(decoding: bytes.prefix(4), as: UTF8.self), "told")
  }

  func testAFileThatTookThePlaceOfTheOneThatWasLookedAtIsNotAppendedTo() throws {
    try write("one", to: "there/file")
    let place = try FilePlace(userPath: "\(folder)/there/file")
    try write("two", to: "there/file")
    assertThrows(Errno.planted, try place.openToAppend(until: { _ in true }))
    XCTAssertEqual(try text("there/file"), "two")
  }

  func testALinkStaysAndWhatItLeadsToIsReplacedWhereItLies() throws {
    try write("old", to: "there/file")
    let first = try facts("there/file").st_ino
    try link("link", to: "second")
    try link("second", to: "there/../there/file")
    try link("to-nothing", to: "\(folder)/there/new")
    for name in ["link", "to-nothing"] {
      try write("whole", to: name)
      XCTAssertEqual(try kind(name), .symbolicLink)
    }
    XCTAssertEqual(try kind("second"), .symbolicLink)
    XCTAssertNotEqual(try facts("there/file").st_ino, first, "it is replaced, not written into")
    XCTAssertEqual([try text("there/file"), try text("there/new")], ["whole", "whole"])
    XCTAssertEqual(
      try FileManager.default.contentsOfDirectory(atPath: "\(folder)/there").sorted(),
      ["file", "new"])
  }

  func testADirectoryAndLinksInCirclesAreErrors() throws {
    try link("circle", to: "circle")
    try link("slash", to: "there/new/")
    for name in ["there", "there/", "there/new/", "slash", "circle", "none/file", "there/..", ""] {
      XCTAssertThrowsError(try write("x", to: name), name)
    }
    XCTAssertEqual(try kind("there"), .directory)
    XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder + "/there"), [])
  }

  func testAPathsDirectoriesAreThoseThatItComesTo() throws {
    try link("up", to: "there/../shared")
    let names = try ["there/../shared/./x", "up/x"].map {
      try FilePlace(userPath: "\(folder)/\($0)").parents
    }
    let plain = try FilePlace(userPath: "\(folder)/shared/x").parents
    XCTAssertEqual(names, [plain, plain])
  }

  func testAFileThatCameAfterTheLookIsNotAppendedTo() throws {
    let place = try FilePlace(userPath: "\(folder)/there/log")
    try write("theirs", to: "there/log")
    XCTAssertThrowsError(try place.openToAppend(until: { _ in true }))
    XCTAssertEqual(try text("there/log"), "theirs")
  }

  func testTwoThatAppendKeepEachOthersLines() throws {
    let logs = try (0..<2).map { _ in
      try FilePlace(userPath: "\(folder)/there/log").openToAppend(until: { _ in true })
    }
    defer { for log in logs { close(log) } }
    for (log, line) in [(0, "one "), (1, "two "), (0, "three ")] {
      XCTAssertEqual(Foundation.write(logs[log], line, line.utf8.count), line.utf8.count)
    }
    XCTAssertEqual(try text("there/log"), "one two three ")
  }

  func testADraftIsLeftByNobodyAndInNobodysWay() throws {
    let place = try FilePlace(userPath: "\(folder)/there/file")
    try makeFolder(at: "\(folder)/there/file")
    XCTAssertThrowsError(try place.write([1], isDurable: false, until: { _ in true }))
    XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/there"), ["file"])
    try FileManager.default.removeItem(atPath: "\(folder)/there/file")
    // As a process of the same number left it that was killed.
    try Data("old".utf8).write(to: URL(filePath: "\(folder)/there/.file.\(getpid()).partial"))
    try write("new", to: "there/file")
    XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/there"), ["file"])
  }

  func testALinkOfAnotherUserIsNotFollowed() throws {
    try write("mine", to: "there/file")
    try link("planted", to: "there/file")
    try link("shared/way", to: "../there")
    try giveAway("planted")
    try giveAway("shared/way")
    for name in ["planted", "shared/way/file"] {
      assertThrows(Errno.planted, try FilePlace(userPath: "\(folder)/\(name)"), name)
    }
    XCTAssertEqual(try text("there/file"), "mine")
  }

  func testWhatAnotherUserHasPutWhereEverybodyMayWriteIsLeftAlone() throws {
    try write("mine", to: "there/file")
    XCTAssertEqual(Foundation.link("\(folder)/there/file", "\(folder)/shared/name"), 0)
    try write("theirs", to: "shared/file")
    XCTAssertEqual(mkfifo("\(folder)/shared/fifo", 0o666), 0)
    try giveAway("shared/file")
    try giveAway("shared/fifo")
    for name in ["shared/name", "shared/file", "shared/fifo"] {
      assertThrows(Errno.planted, try FilePlace(userPath: "\(folder)/\(name)"), name)
    }
    XCTAssertNoThrow(try write("new", to: "shared/new"))
    XCTAssertNoThrow(try write("newer", to: "shared/new"))
  }
}
