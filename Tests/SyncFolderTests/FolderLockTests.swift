import CSyncSystem
import Foundation
import TestSupport
import XCTest
@testable import SyncFiles
@testable import SyncFolder
import FolderTestSupport

final class FolderLockTests: FolderTestCase {
  func testASecondRunIsToldWhoHoldsTheLock() throws {
    let folder = try open()
    let lock = try FolderLock.acquire(in: folder, now: Self.started)
    let holder = LockHolder(
      process: ProcessInfo.processInfo.processIdentifier, since: Self.batch)
    assertThrows(.locked(by: holder), try FolderLock.acquire(in: open(), now: 0))
    assertThrows(.locked(by: holder), try FolderLock.acquireForLooking(in: open()))
    lock.release()
    _ = try FolderLock.acquire(in: folder, now: 0)
  }

  func testLookingKeepsRunsAwayButNotOtherLookers() throws {
    let folder = try open()
    try FolderLock.acquire(in: folder, now: 0).release()
    let first = try FolderLock.acquireForLooking(in: folder)
    let second = try FolderLock.acquireForLooking(in: folder)
    XCTAssertThrowsError(try FolderLock.acquire(in: folder, now: 0))
    first.release()
    second.release()
    _ = try FolderLock.acquire(in: folder, now: 0)
  }

  func testTheLockDiesWithItsProcess() throws {
    let folder = try open()
    let (process, input, output) = try holdInAnotherProcess()
    XCTAssertThrowsError(try FolderLock.acquire(in: folder, now: 0)) { error in
      guard case .locked = (error as? FolderError)?.code else { return XCTFail("\(error)") }
    }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    _ = try FolderLock.acquire(in: folder, now: 0)
    withExtendedLifetime((input, output)) {}
  }

  func testWaitingGetsTheLockWhenItIsFree() async throws {
    let folder = try open()
    let lock = try FolderLock.acquire(in: folder, now: 0)
    async let waited = FolderLock.wait(every: .milliseconds(1)) {
      try FolderLock.acquire(in: folder, now: 0)
    }
    lock.release()
    _ = try await waited
  }

  func testACancelledWaitEndsAtOnce() async throws {
    let folder = try open()
    let lock = try FolderLock.acquire(in: folder, now: 0)
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          _ = try await FolderLock.wait(every: .seconds(3600)) {
            try FolderLock.acquire(in: folder, now: 0)
          }
        }
        group.cancelAll()
        try await group.waitForAll()
      }
      XCTFail("the lock was free")
    } catch is CancellationError {}
    withExtendedLifetime(lock) {}
  }

  func testNoChildProcessInheritsTheLock() throws {
    let folder = try open()
    let file = try folder.open(
      BeneathPath.control.appending("lock"), [.writing, .creating], mode: 0o644)
    XCTAssertEqual(fcntl(file.raw, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC)
    XCTAssertEqual(fcntl(folder.root.raw, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC)
  }

  func testALinkInTheLocksPlaceIsNotFollowed() throws {
    let folder = try open()
    try makeLink(at: path + "/.mirror/lock", to: outside + "/canary")
    assertThrows(.blocked, try FolderLock.acquire(in: folder, now: 0))
  }

  // `cat` answers once flock(1) has become it, with the lock held.
  private func holdInAnotherProcess() throws -> (Process, Pipe, Pipe) {
    let process = Process()
    let (input, output) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/flock")
    process.arguments = ["--no-fork", path + "/.mirror/lock", "cat"]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data("held\n".utf8))
    XCTAssertEqual(output.fileHandleForReading.availableData, Data("held\n".utf8))
    return (process, input, output)
  }
}
