import SyncLock
import SyncText
import XCTest

@testable import CatalogMirror

/// Bytes that several wait for are fetched by one; nobody waits for who failed.
final class SharedBytesTests: XCTestCase {
  private static let digest = SHA256Digest(of: Array("bytes".utf8))

  /// Runs jobs where it is told to.
  private final class ByHand: TaskExecutor {
    private let jobs = Locked<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      jobs.withLock { $0.append(job) }
    }

    func run() {
      while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
        job.runSynchronously(on: asUnownedTaskExecutor())
      }
    }
  }

  private let shared = SharedBytes()
  private let hand = ByHand()
  private let answers = Locked<[HeldBytes?]>([])

  /// So many ask for the bytes.
  ///
  /// - Returns: what those were answered who needn't wait any more.
  private func ask(_ count: Int = 1) -> [HeldBytes?] {
    let (shared, answers, digest) = (shared, answers, Self.digest)
    let asking: @Sendable () async -> Void = {
      let twin = await shared.twin(of: digest)
      answers.withLock { $0.append(twin) }
    }
    for _ in 0..<count { Task(executorPreference: hand, operation: asking) }
    return answered
  }

  private var answered: [HeldBytes?] {
    hand.run()
    return answers.withLock { answers in
      defer { answers = [] }
      return answers
    }
  }

  private let staged = HeldBytes(
    key: CatalogKey("a"), size: 5, place: .staged(name: "new-1"))

  func testTheOthersWaitForTheFirstAndAreGivenWhatItFetched() {
    XCTAssertEqual(ask(), [nil], "the first is to fetch them")
    XCTAssertEqual(ask(3), [])
    shared.ended(Self.digest, with: staged)
    XCTAssertEqual(answered, [staged, staged, staged])
    XCTAssertEqual(ask(), [staged])
  }

  func testWhereTheFirstFailsEachWhoWaitsTriesByHimself() {
    XCTAssertEqual(ask(), [nil])
    XCTAssertEqual(ask(3), [])
    shared.ended(Self.digest, with: nil)
    XCTAssertEqual(answered, [nil, nil, nil])
    // One fails as well, one doesn't; who comes later is given what that one has.
    shared.ended(Self.digest, with: nil)
    shared.ended(Self.digest, with: staged)
    shared.ended(Self.digest, with: nil)
    XCTAssertEqual(ask(), [staged])
  }

  func testNobodyWaitsForWhatWasPlacedOrIsGone() {
    XCTAssertEqual(ask(), [nil])
    XCTAssertEqual(ask(2), [])
    shared.forget()
    XCTAssertEqual(answered, [nil, nil])
    shared.ended(Self.digest, with: staged)
    shared.forget()
    XCTAssertEqual(ask(), [nil], "what was staged is no longer there to be copied")
  }
}
