import CSyncSystem
import Foundation
import XCTest
@testable import SyncFiles
@testable import SyncFolder
import FolderTestSupport

final class FolderErrorTests: FolderTestCase {
  func testWhatTheSystemAnswersBecomesACode() {
    let table: [(Int32, FolderError.Code, fatal: Bool)] = [
      (EACCES, .noRights, false), (EPERM, .noRights, false), (EROFS, .readOnly, true),
      (ENOSPC, .full, true), (EDQUOT, .full, true), (EMFILE, .tooManyOpenFiles, true),
      (ENFILE, .tooManyOpenFiles, true), (ELOOP, .blocked, false), (EXDEV, .blocked, false),
      (ENOTDIR, .blocked, false), (ESTALE, .folderChanged, true), (EIO, .diskFailed, false),
    ]
    for (code, expected, fatal) in table {
      let error = FolderError(Errno(code: code), "a")
      XCTAssertEqual(error.code, expected)
      XCTAssertEqual(error.isFatal, fatal, "\(error)")
      XCTAssertTrue("\(error)".contains(Errno(code: code).text))
    }
  }

  func testLostRightsAndAFailingDiskAreFatalWhereTheMirrorItselfWorks() {
    for (path, fatal) in [(".mirror/staging/a", true), ("a/b", false), (".mirrors", false)] {
      for code in [FolderError.Code.noRights, .diskFailed] {
        XCTAssertEqual(FolderError(code, path).isFatal, fatal, path)
      }
    }
    XCTAssert(FolderError(.lockedOut, "/srv/pub").isFatal)
  }

  func testALocksTimeIsWrittenLikeAllTimes() {
    for (since, shown) in [("20250131T120000Z", "2025-01-31T12:00:00Z"), ("long", "long")] {
      let error = FolderError(.locked(by: LockHolder(process: 7, since: since)), "/srv/pub")
      XCTAssertEqual(
        "\(error)", "/srv/pub is in use by process 7 since \(shown); wait for it")
    }
  }

  func testAFlushThatFindsTheDiskFullSaysSo() {
    XCTAssertEqual(FolderError.flush(.noSpace, "a").code, .full)
    XCTAssertEqual(FolderError.flush(.inputOutput, "a").code, .flushFailed)
  }

  func testTooManyOpenFilesIsOneClearError() throws {
    let folder = try open()
    let staging = try Staging(folder)
    var before = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &before)
    var few = before
    few.rlim_cur = 3
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &few)
    let results = [
      Result { _ = try staging.create() }, Result { try folder.checkMarker() },
      Result { _ = try MirrorFolder.open(path: path, mode: .existing) },
    ]
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &before)
    for result in results { assertThrows(.tooManyOpenFiles, try result.get()) }
  }
}
