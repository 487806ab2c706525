import Foundation
import SyncLock
import TestSupport
import XCTest

/// A package repository that is mirrored while it is published anew all the time: the copy is a
/// repository at every moment.
final class F25RepositoryTests: FaultTestCase {
  /// What somebody saw who looked at the copy all the while.
  private struct Seen {
    /// How often an index and the files that it names were held against each other.
    var looks = 0
    var indexes: Set<Data> = []
    var missing: [String] = []
    var isOver = false
  }

  func testF25_theIndexOfTheCopyNeverNamesAFileThatIsNotThere() async throws {
    let (seed, count) = (Extent.seed(), Extent.count(quick: 15, full: 600))
    let repository = try PackageRepository(
      at: source, count: 8, workshop: base.appending(path: "records"))
    var random = SeededGenerator(seed: seed ^ 25)
    try repository.publish(&random)
    let server = try serve(listing: .html)
    let seen = Locked(Seen())
    let others = DispatchGroup()
    DispatchQueue.global().async(group: others) { [copy] in Self.watch(copy, seen) }
    DispatchQueue.global().async(group: others) {
      Self.keepPublishing(repository, seed: seed, seen)
    }
    var ends = (done: 0, heldBack: 0, killed: 0)
    for number in 0..<count {
      let run = try startSync(server)
      if number % 3 == 1 {
        usleep(UInt32.random(in: 1_000..<60_000, using: &random))
        run.send(SIGKILL)
      }
      switch try run.end(within: .seconds(60)) {
      case .exited(0): ends.done += 1
      case .exited(2): ends.heldBack += 1
      case .killed(by: SIGKILL): ends.killed += 1
      case let end: XCTFail("\(end): \(run.said)")
      }
    }
    seen.withLock { $0.isOver = true }
    XCTAssertEqual(others.wait(timeout: .now() + 60), .success)
    let last = try startSync(server)
    XCTAssertEqual(try last.end(within: .seconds(60)), .exited(0), last.said)
    try assertCopyIsTrue()
    let all = seen.withLock { $0 }
    XCTAssertEqual(all.missing, [], "seed \(seed)")
    XCTAssertGreaterThan(all.looks, count, "hardly anybody looked")
    XCTAssertGreaterThan(all.indexes.count, 2, "the copy hardly followed: \(ends)")
    try Extent.record(
      "F25", "a package repository published anew all the time, and mirrored", count: count,
      "the copy's index never named a file that wasn't there; run after run it followed, or waited")
  }

  private func startSync(_ server: NginxServer) throws -> ChildProcess {
    try start([
      "sync", server.url, copy.path, "--last", "dists/**", "--max-delete", "all",
      "--durability", "none",
    ])
  }

  private static func watch(_ copy: URL, _ seen: Locked<Seen>) {
    while !seen.withLock({ $0.isOver }) {
      let index = try? Data(contentsOf: copy.appending(path: PackageRepository.index))
      let missing = try? PackageRepository.missing(in: copy)
      seen.withLock { seen in
        if let index { seen.indexes.insert(index) }
        guard let missing else { return }
        seen.looks += 1
        seen.missing += missing
      }
    }
  }

  private static func keepPublishing(
    _ repository: PackageRepository, seed: UInt64, _ seen: Locked<Seen>
  ) {
    var random = SeededGenerator(seed: seed ^ 2_525)
    while !seen.withLock({ $0.isOver }) {
      usleep(30_000)
      try? repository.publish(&random)
    }
  }
}
