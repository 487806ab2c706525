import Foundation
import TestSupport
import XCTest

@testable import Console

/// The file to which lines are appended.
final class LogFileTests: XCTestCase {
  private var path = ""

  override func setUpWithError() throws { path = try temporaryFolder().path + "/log" }

  func testEachLineHasItsTimeAndWhatWasThereStays() throws {
    for (line, time) in [("one", 0.0), ("two", 1_795_384_044)] {
      let log = try LogFile(path: path)
      log.write(line, at: time, .kept)
      XCTAssertNil(log.outlet.finish())
    }
    XCTAssertEqual(
      try String(contentsOfFile: path, encoding: .utf8),
      "1970-01-01T00:00:00Z one\n2026-11-22T21:47:24Z two\n")
  }

  func testOneThatCannotBeOpenedIsNamedWithTheReason() {
    XCTAssertThrowsError(try LogFile(path: "/none/log")) {
      XCTAssertEqual(
        "\($0)",
        """
        the log '/none/log' can't be opened (No such file or directory); name a file that can be \
        written
        """)
    }
  }

  /// In a directory for everybody, what a log was appended to could be any file of the user's.
  func testNoLinkOfAnotherUserAndNoSecondNameIsOpened() throws {
    let manager = FileManager.default
    try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: URL(filePath: "\(path)/mine"))
    try manager.createDirectory(atPath: "\(path)/shared", withIntermediateDirectories: true)
    XCTAssertEqual(chmod("\(path)/shared", 0o1777), 0)
    var planted = ["shared/name"]
    XCTAssertEqual(link("\(path)/mine", "\(path)/shared/name"), 0)
    if geteuid() == 0 {
      for name in ["shared/link", "link"] {
        try manager.createSymbolicLink(
          atPath: "\(path)/\(name)", withDestinationPath: "\(path)/mine")
        XCTAssertEqual(lchown("\(path)/\(name)", 65_534, 65_534), 0)
        planted.append(name)
      }
    }
    for name in planted {
      XCTAssertThrowsError(try LogFile(path: "\(path)/\(name)"), name) {
        XCTAssertTrue("\($0)".contains("another user may have put there"), "\($0)")
      }
    }
    XCTAssertEqual(try String(contentsOfFile: "\(path)/mine", encoding: .utf8), "mine")
  }

  func testALinkOfTheUsersOwnIsFollowed() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: "\(path)/link", withDestinationPath: "new")
    let log = try LogFile(path: "\(path)/link")
    log.write("one", at: 0, .kept)
    XCTAssertNil(log.outlet.finish())
    XCTAssertEqual(
      try String(contentsOfFile: "\(path)/new", encoding: .utf8), "1970-01-01T00:00:00Z one\n")
  }
}
