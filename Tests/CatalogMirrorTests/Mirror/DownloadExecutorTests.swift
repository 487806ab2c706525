import Dispatch
import SyncLock
import SyncTransport
import XCTest

@testable import CatalogMirror

/// On which threads a run downloads.
final class DownloadExecutorTests: RunTestCase {
  private final class OwnThread: TaskExecutor {
    private static let mark = DispatchSpecificKey<Bool>()
    private let queue = DispatchQueue(label: "transport")

    init() { queue.setSpecific(key: Self.mark, value: true) }

    static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) ?? false }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  /// A site that prefers tasks on a thread of its own, and notes who asks from there.
  private final class ThreadedSite: Transport {
    let executor: (any TaskExecutor)? = OwnThread()
    private let site: Site
    private let askedFromIt = Locked<Set<String>>([])

    init(_ site: Site) { self.site = site }

    var pathsAskedFromIt: Set<String> { askedFromIt.withLock { $0 } }

    func exchange(
      _ request: HTTPRequest, into receiver: any BodyReceiver
    ) async throws -> HTTPResponse {
      if OwnThread.isCurrent { askedFromIt.withLock { _ = $0.insert(request.address.path) } }
      return try await site.exchange(request, into: receiver)
    }
  }

  func testItemsAreAskedForFromTheTransportsOwnThreads() async throws {
    try serve([Thing("a", "alpha"), Thing("b", "beta")])
    let threaded = ThreadedSite(site)
    var environment = environment
    environment.makeTransport = { _ in threaded }
    assertEnds(try await FolderMirror(mirror().options, in: environment).sync())
    XCTAssert(threaded.pathsAskedFromIt.isSuperset(of: ["/pub/a", "/pub/b"]))
  }
}
