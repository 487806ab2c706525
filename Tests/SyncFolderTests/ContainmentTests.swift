import CSyncSystem
import TestSupport
import Foundation
import SyncLock
import XCTest
@testable import SyncFiles
@testable import SyncFolder
import FolderTestSupport

/// Links and other traps in the tree: nothing outside is ever touched (`tearDown` looks), with the
/// kernel's resolver and with our own.
final class ContainmentTests: FolderTestCase {
  private let resolvers = [PathResolver.kernel, .walking]

  func testF5_aTrapInTheFinalPlaceFailsThatItemOnly() async throws {
    for (number, resolver) in resolvers.enumerated() {
      let bench = try CommitBench(open(resolver: resolver))
      try link("\(number)-file", to: outside + "/canary")
      try link("\(number)-directory", to: outside)
      try link("\(number)-dangling", to: outside + "/made")
      XCTAssertEqual(mkfifo(path + "/\(number)-fifo", 0o600), 0)
      for trap in ["file", "directory", "dangling", "fifo"] {
        try bench.add(try stage("x", in: bench.staging), at: "\(number)-\(trap)")
      }
      try bench.add(try stage("x", in: bench.staging), at: "\(number)-fine")
      let failures = await bench.drain()
      XCTAssertEqual(
        failures.map { ($0.error as? FolderError)?.code }, Array(repeating: .blocked, count: 4))
      XCTAssertEqual(bench.placed.map(\.payload), ["\(number)-fine"])
      XCTAssertEqual(try names(path + "/.mirror/staging"), [])
    }
  }

  func testF5_aLinkAsParentFailsThatItemOnly() async throws {
    for (number, resolver) in resolvers.enumerated() {
      let bench = try CommitBench(open(resolver: resolver))
      try link("\(number)-out", to: outside)
      try link("\(number)-inside", to: path + "/.mirror")
      try link("\(number)-dangling", to: outside + "/made")
      for key in ["out/canary", "out/new/x", "inside/marker", "dangling/x"] {
        try bench.add(try stage("x", in: bench.staging), at: "\(number)-\(key)")
      }
      let failures = await bench.drain()
      XCTAssertEqual(
        failures.map { ($0.error as? FolderError)?.code }, Array(repeating: .blocked, count: 4))
      XCTAssertEqual(bench.placed.count, 0)
    }
  }

  func testRemovalFollowsNoLink() throws {
    for (number, resolver) in resolvers.enumerated() {
      let folder = try open(resolver: resolver)
      try link("\(number)-out", to: outside)
      try link("\(number)-file", to: outside + "/canary")
      let paths = try ["\(number)-out/canary", "\(number)-file", "\(number)-out"].map(relative)
      let outcomes = try Quarantine(folder, startedAt: Self.started).remove(
        paths.map { Quarantine.Removal(path: $0, stamp: nil) })
      for case .moved(let moved) in outcomes { XCTFail("\(moved) was moved") }
      XCTAssertTrue(exists(path + "/\(number)-file"))
    }
  }

  func testLinksInAQuarantineOrAmongTheDisplacedLeadNowhere() async throws {
    let bench = try CommitBench(open())
    try makeLink(at: path + "/.mirror/displaced", to: outside)
    try makeLink(at: path + "/.mirror/quarantine", to: outside)
    try put("foreign", at: path + "/a")
    try bench.add(try stage("new", in: bench.staging), at: "a")
    await assertEqual(bench.drain().count, 1)
    XCTAssertEqual(try text(path + "/a"), "foreign")
    XCTAssertThrowsError(
      try Quarantine.purge(bench.folder, olderThan: .zero, now: Self.started))
  }

  func testADirectoryOfLinksInTheWayIsMovedWithoutFollowingThem() async throws {
    let bench = try CommitBench(open())
    try put("x", at: path + "/d/x")
    try link("d/out", to: outside)
    try bench.add(try stage("file", in: bench.staging), at: "d")
    await assertEqual(bench.drain().count, 0)
    let moved = path + "/.mirror/displaced/\(Self.batch)/d/out"
    XCTAssertEqual(try FileManager.default.destinationOfSymbolicLink(atPath: moved), outside)
  }

  func testF5_aParentThatTurnsIntoALinkAndBackLeadsNowhere() async throws {
    for resolver in resolvers {
      let bench = try CommitBench(open(resolver: resolver), durability: .none)
      let (real, aside, trap) = (path + "/d", path + "/aside", path + "/trap")
      try? makeFolder(at: real)
      if !exists(trap) { try link("trap", to: outside) }
      let stop = Locked(false)
      let flips = Thread {
        while !stop.withLock({ $0 }) {
          rename(real, aside)
          rename(trap, real)
          rename(real, trap)
          rename(aside, real)
        }
      }
      flips.start()
      for number in 0..<400 {
        try bench.add(try stage("x", in: bench.staging), at: "d/sub/\(number)")
      }
      _ = await bench.drain()
      stop.withLock { $0 = true }
      while !flips.isFinished { sched_yield() }
      XCTAssertEqual(try names(outside), ["canary"])
    }
  }

  func testF6_aFileSystemMountedInsideIsNotWrittenTo() async throws {
    let bench = try CommitBench(open())
    try put("x", at: path + "/disk/x")
    let staged = try (0..<2).map { _ in try stage("x", in: bench.staging) }
    try await withMount(at: path + "/disk") {
      try bench.add(staged[0], at: "disk/a")
      try bench.add(staged[1], at: "disk/new/a")
      let failures = await bench.drain()
      XCTAssertEqual(failures.map { ($0.error as? FolderError)?.code }, [.blocked, .blocked])
      XCTAssertEqual(try names(path + "/disk"), [])
    }
  }

  private func link(_ name: String, to target: String) throws {
    try makeLink(at: path + "/" + name, to: target)
  }
}
