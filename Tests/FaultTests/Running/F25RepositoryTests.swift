import Foundation
import SyncLock
import TestSupport
import XCTest

/// A package repository that is mirrored while it is published anew, and killed: the copy is a
/// repository at every moment.
///
/// How much was seen isn't left to how fast who is served: of three runs, one is made while nothing
/// is published, and somebody has looked at the copy before the next one begins.
final class F25RepositoryTests: FaultTestCase {
  /// What somebody saw who looked at the copy all the while.
  private struct Seen {
    /// How often an index and the files that it names were held against each other.
    var looks = 0
    var indexes: Set<Data> = []
    var missing: [String] = []
    var isOver = false
  }

  /// Who publishes, while a run is made.
  private struct Publisher {
    let repository: PackageRepository
    let seed: UInt64

    /// Publishes a few times, at moments that the number of the run decides.
    func publish(during number: Int) {
      var random = SeededGenerator(seed: seed ^ 2_525 &+ UInt64(number))
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        try? repository.publish(&random)
        RunMoment.pause(.milliseconds(Int.random(in: 0...30, using: &random)))
      }
    }
  }

  func testF25_theIndexOfTheCopyNeverNamesAFileThatIsNotThere() async throws {
    let (seed, count) = (Extent.seed(), Extent.count(quick: 15, full: 600))
    let repository = try PackageRepository(
      at: source, count: 8, workshop: base.appending(path: "records"))
    var random = SeededGenerator(seed: seed ^ 25)
    try repository.publish(&random)
    let server = try serve(listing: .html)
    let seen = Locked(Seen())
    let (watcher, others) = (DispatchGroup(), DispatchGroup())
    DispatchQueue.global().async(group: watcher) { [copy] in Self.watch(copy, seen) }
    let publisher = Publisher(repository: repository, seed: seed)
    var ends = (done: 0, heldBack: 0, killed: 0)
    for number in 0..<count {
      if number % 3 < 2 {
        DispatchQueue.global().async(group: others) { publisher.publish(during: number) }
      }
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
      others.wait()
      guard number % 3 == 2 else { continue }
      XCTAssertTrue(try isFollowed(), "a run beside which nothing was published didn't follow")
      let looks = seen.withLock { $0.looks }
      try waitUntil("somebody looks") { seen.withLock { $0.looks > looks + 1 } }
    }
    seen.withLock { $0.isOver = true }
    watcher.wait()
    let last = try startSync(server)
    XCTAssertEqual(try last.end(within: .seconds(60)), .exited(0), last.said)
    try assertCopyIsTrue()
    let all = seen.withLock { $0 }
    XCTAssertEqual(all.missing, [], "seed \(seed)")
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
      // Whoever looks without a pause leaves a machine of one core to nobody else.
      RunMoment.pause(.milliseconds(1))
    }
  }

  private func isFollowed() throws -> Bool {
    let indexes = try [source, copy].map {
      try Data(contentsOf: $0.appending(path: PackageRepository.index))
    }
    return indexes[0] == indexes[1]
  }
}
