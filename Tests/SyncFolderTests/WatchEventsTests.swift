#if os(Linux)
  import CSyncSystem
  import XCTest

  @testable import SyncFiles

  /// What the kernel tells of watched directories, read from its bytes.
  final class WatchEventsTests: XCTestCase {
    private func event(_ directory: Int32, mask: UInt32 = 0x100, _ name: String = "") -> [UInt8] {
      let padded = Array(name.utf8) + [UInt8](repeating: 0, count: name.isEmpty ? 0 : 3)
      return withUnsafeBytes(of: directory, Array.init) + withUnsafeBytes(of: mask, Array.init)
        + [0, 0, 0, 0] + withUnsafeBytes(of: UInt32(padded.count), Array.init) + padded
    }

    private func read(_ bytes: [UInt8]) -> WatchEvents {
      bytes.withUnsafeBytes { WatchEvents($0) }
    }

    func testNamesAreReadWithoutTheZerosThatFollowThem() {
      let events = read(event(3, "a.txt") + event(4) + event(3, "ü"))
      XCTAssertEqual(
        events.changes,
        [
          .init(directory: 3, name: Array("a.txt".utf8)), .init(directory: 4, name: []),
          .init(directory: 3, name: Array("ü".utf8)),
        ])
      XCTAssertFalse(events.hasOverflowed)
    }

    func testAnOverflowIsToldAndTheEndOfAWatchIsNoChange() {
      let events = read(event(-1, mask: CSYNC_WATCH_OVERFLOW) + event(5, mask: CSYNC_WATCH_IGNORED))
      XCTAssertTrue(events.hasOverflowed)
      XCTAssertTrue(events.changes.isEmpty)
    }

    func testBytesThatEndAnywhereAreReadAsFarAsTheyGo() {
      let bytes = event(3, "a.txt") + event(4, "b")
      for count in bytes.indices { _ = read(Array(bytes[..<count])) }
      XCTAssertEqual(read(Array(bytes.dropLast(10))).changes.first?.directory, 3)
    }
  }
#endif
