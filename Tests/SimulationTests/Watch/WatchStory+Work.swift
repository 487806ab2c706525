import SyncLock
import SyncTransport

@testable import CatalogMirror
@testable import Console
@testable import SyncFetching
@testable import SyncFolder

/// The runs, and what is told of them.
extension WatchStory: WatchWork {
  func run(_ job: WatchJob<Int>) async -> MirrorReport.Outcome {
    let (isTwice, isTooMany) = state.withLock { state in
      state.runs += 1
      state.running[job.name, default: 0] += 1
      let count = state.running.values.reduce(0, +)
      return (state.running[job.name] != 1, count > 3)
    }
    world.expect(!isTwice, "\(job.name) runs twice at once")
    world.expect(!isTooMany, "too many run at once")
    world.note("\(job.name) runs")
    let outcome = await mirror(job).outcome
    world.note("\(job.name): \(outcome)")
    state.withLock { $0.running[job.name, default: 0] -= 1 }
    return outcome
  }

  private func mirror(_ job: WatchJob<Int>) async -> MirrorReport {
    var options = MirrorOptions(catalog: ModelWeb.catalog, folder: "/home/\(job.name)")
    options.maximumRemoval = .all
    options.concurrency = job.settings
    options.retries = 1
    let vfs = ModelVFS(disk.fileSystem, seed: world.seed)
    let mirror = FolderMirror(options, in: environment(vfs))
    do {
      return try await mirror.sync()
    } catch {
      return MirrorReport(failure: error)
    }
  }

  private func environment(_ vfs: ModelVFS) -> MirrorEnvironment {
    var environment = MirrorEnvironment(world, web, disk, vfs, from: 1_738_324_800)
    environment.pool = pool
    return environment
  }

  func isFailure(_ outcome: MirrorReport.Outcome) -> Bool { outcome == .failed }

  func tell(_ event: WatchEvent<Int, MirrorReport.Outcome>) {
    guard case .ended(let job, let outcome, let next?) = event else { return }
    let failures = state.withLock { state in
      state.failures[job.name] = outcome == .failed ? state.failures[job.name, default: 0] + 1 : 0
      return state.failures[job.name, default: 0]
    }
    // A mirror that was taken out of the configuration and put back has a clean slate.
    world.expect(next.failures <= failures, "\(job.name) has failed \(failures) times")
    let most = job.timing.interval(afterFailures: next.failures) * 1.1
    world.expect(next.wait <= most, "\(job.name) waits for \(next.wait)")
  }

  func reload() async throws -> WatchOrder<Int>? {
    try await world.clock.sleep(for: .milliseconds(1))
    return try state.withLock { state in
      if state.isSpoilt { throw UnreadableOrder() }
      return state.order
    }
  }

  struct UnreadableOrder: Error {}

  /// What the program told its manager from its start to its end.
  func checkEnd(watchdog: Duration?, _ span: Duration) {
    let (told, running, reloads) = state.withLock { state in
      (state.told, state.running.values.reduce(0, +), state.reloads)
    }
    world.expect(running == 0, "\(running) runs go on after the end")
    world.expect(told.first == .ready, "ready isn't told first")
    world.expect(told.last == .stopping, "the end isn't told")
    let begun = told.count { $0 == .reloading(monotonicMicroseconds: 7) }
    world.expect(told.count { $0 == .ready } == 1 + begun, "ready isn't told after each reload")
    world.expect(begun <= reloads, "\(begun) reloads for \(reloads) signals")
    if let watchdog {
      let signs = told.count { $0 == .watchdog }
      world.expect(signs >= Int(span / watchdog), "only \(signs) signs of life")
    }
  }

  /// Each folder that is still watched equals the source.
  func checkCopies() {
    let listed = web.state.withLock { $0.publication.items }
    for job in state.withLock({ $0.order.jobs }) {
      let files = disk.tree(below: "/home/\(job.name)").compactMapValues { thing in
        if case .file(let bytes) = thing { bytes } else { nil }
      }.filter { !$0.key.hasPrefix(".mirror/") }
      world.expect(
        files == listed.mapValues(\.bytes), "\(job.name) isn't what the source has at the end")
    }
  }
}
