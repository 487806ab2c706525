import Foundation
import SyncLock

/// Notices a task that leaves its simulated world for Swift's shared threads, where no seed decides
/// when it runs.
///
/// Swift's runtime calls a hook, if there is one, for every job that goes to the shared threads.
/// One that is sent there from the thread of a simulation has escaped; it runs all the same, so
/// that what waits for it isn't stuck.
enum EscapeWatch {
  private typealias Original = @convention(thin) (UnownedJob) -> Void
  private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

  private static let worlds = Locked<[pthread_t: SeededExecutor]>([:])

  /// Whether the runtime has the hook; without it escapes go unseen.
  static let isInstalled: Bool = {
    guard let symbol = dlsym(nil, "swift_task_enqueueGlobal_hook") else { return false }
    symbol.assumingMemoryBound(to: Hook?.self).pointee = { job, original in
      EscapeWatch.noteEscape()
      original(job)
    }
    return true
  }()

  /// Runs a simulation on this thread and notes as its problem whatever escapes.
  static func watching(_ world: SeededExecutor, _ body: () -> Void) {
    if !isInstalled { world.fail("the runtime has no hook to tell of escapes") }
    worlds.withLock { $0[pthread_self()] = world }
    body()
    worlds.withLock { $0[pthread_self()] = nil }
  }

  private static func noteEscape() {
    let world = worlds.withLock { $0[pthread_self()] }
    world?.fail("a job was sent to the shared threads: a task escaped")
  }
}
