import Foundation
import TestSupport
import XCTest

/// What a file is besides its bytes: its date, and its rights.
final class DatesAndModesTests: MirrorTestCase {
  private func date(_ path: String, in folder: URL) throws -> Date? {
    try FileManager.default.attributesOfItem(atPath: folder.appending(path: path).path)[
      .modificationDate] as? Date
  }

  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: copy.appending(path: path).path)[
      .posixPermissions] as? Int
  }

  func testFilesThatNginxListsHaveItsDates() throws {
    try publish(["a.txt": "alpha", "deep/b.txt": "beta"])
    try publish(["c.txt": "gamma"], dated: Date(timeIntervalSince1970: 1_234_567_890))
    for listing in NginxServer.Listing.allCases {
      let server = try serve(listing: listing)
      try? FileManager.default.removeItem(at: copy)
      assertEnd(try sync(server.url), 0)
      for path in ["a.txt", "deep/b.txt", "c.txt"] {
        XCTAssertEqual(try date(path, in: copy), try date(path, in: source), "\(path), \(listing)")
      }
      _ = try server.takeRequests()
      let second = try sync(server.url)
      assertEnd(second, 0)
      XCTAssertTrue(second.printed.hasPrefix("unchanged"), "\(second)")
      XCTAssertEqual(try server.takeRequests().filter { !$0.isListing }, [], "\(listing)")
    }
  }

  func testModesAreWhatTheUmaskLeaves() throws {
    try publish(["deep/a.txt": "alpha"])
    let server = try serve(listing: .json)
    for (umask, file, folder) in [("077", 0o600, 0o700), ("002", 0o664, 0o775)] {
      try? FileManager.default.removeItem(at: copy)
      let command = "umask \(umask) && exec \"$0\" sync \"$1\" \"$2\""
      let child = try start(
        ["-c", command, Programs.mirror, server.url, copy.path], program: "/bin/sh")
      XCTAssertEqual(try child.end(within: .seconds(60)), .exited(0), child.said)
      XCTAssertEqual(try mode("deep/a.txt"), file, umask)
      XCTAssertEqual(try mode("deep"), folder, umask)
      XCTAssertEqual(try mode("."), folder, umask)
      XCTAssertEqual(try mode(".mirror"), 0o700, umask)
    }
  }
}
