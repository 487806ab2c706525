private import SyncLock

/// The loops of one transport. A second one is started when the first has enough to do: on a fast
/// network, receiving is all that one processor can do.
///
/// The limits of connections are shared out among them, so that they hold for all together. Only
/// large limits are, since neither loop can use the connections that the other has left.
///
/// They are also the executor for tasks that do little but exchange one thing after the other. Such
/// a task nearly always goes on where it was answered, so that neither the answer nor its next
/// question has to wake another thread. (10,000 files of 4 KiB: 28,000 changes of threads without,
/// 900 with it.)
final class CurlLoops: TaskExecutor {
  /// From how many connections with one origin on there are two.
  private static let worthSharing = 16
  /// So many exchanges with one origin stay on the first: one connection is reused by who asks for
  /// one thing after the other, and a few are served best by one thread.
  private static let keptTogether = 4

  private let configurations: [TransportConfiguration]
  private let environment: [String: String]
  private let state: Locked<State>

  private struct State {
    var loops: [CurlLoop]
    /// How many exchanges each has under way.
    var counts: [Origin: [Int]] = [:]
    /// How many each has under way with all origins.
    var totals: [Int]
    var isOpen = true
  }

  /// One loop, whose thread is already waiting, and maybe another one later.
  init(_ configuration: TransportConfiguration, environment: [String: String]) {
    configurations = Self.shares(of: configuration)
    self.environment = environment
    state = Locked(
      State(
        loops: [CurlLoop.start(configurations[0], environment: environment)],
        totals: configurations.map { _ in 0 }))
  }

  var started: [CurlLoop] { state.withLock { $0.loops } }

  /// The loops that are there; no other one is started any more.
  func close() -> [CurlLoop] {
    state.withLock { state in
      state.isOpen = false
      return state.loops
    }
  }

  /// Runs a task's job on the thread it comes from, when that is one of ours.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = LoopInbox.Job(job: UnownedJob(job), executor: asUnownedTaskExecutor())
    let current = CurlLoop.current
    let loop = state.withLock { state in
      state.loops.first { $0 === current } ?? state.loops[0]
    }
    loop.inbox.leave(job)
  }

  /// Chooses the loop for an exchange; to be given back by its number.
  func take(for origin: Origin) -> (number: Int, loop: CurlLoop) {
    let current = CurlLoop.current
    return state.withLock { state in
      var counts = state.counts[origin] ?? configurations.map { _ in 0 }
      let isFull = state.totals[0] >= configurations[0].maxConnections
      let number = Self.choice(
        of: isFull ? state.totals : counts, atLeast: isFull ? 1 : Self.keptTogether,
        isOnSecond: state.loops.last === current)
      counts[number] += 1
      state.totals[number] += 1
      state.counts[origin] = counts
      if number == state.loops.count, state.isOpen {
        state.loops.append(CurlLoop.start(configurations[number], environment: environment))
      }
      return (number, state.loops[min(number, state.loops.count - 1)])
    }
  }

  /// The one that has less to do; of two that have the same, the one whose thread asks.
  private static func choice(of counts: [Int], atLeast least: Int, isOnSecond: Bool) -> Int {
    guard counts.count == 2, counts[0] >= least else { return 0 }
    return counts[0] == counts[1] && isOnSecond || counts[0] > counts[1] ? 1 : 0
  }

  func giveBack(_ number: Int, for origin: Origin) {
    state.withLock { state in
      state.counts[origin]?[number] -= 1
      state.totals[number] -= 1
      if state.counts[origin]?.allSatisfy({ $0 == 0 }) ?? false { state.counts[origin] = nil }
    }
  }

  private static func shares(of configuration: TransportConfiguration) -> [TransportConfiguration] {
    let (all, perHost) = (configuration.maxConnections, configuration.maxConnectionsPerHost)
    guard min(all, perHost) >= worthSharing else { return [configuration] }
    return [(all + 1, perHost + 1), (all, perHost)].map { all, perHost in
      var share = configuration
      (share.maxConnections, share.maxConnectionsPerHost) = (all / 2, perHost / 2)
      share.maxStreamsPerHost = (configuration.maxStreamsPerHost + 1) / 2
      return share
    }
  }
}
