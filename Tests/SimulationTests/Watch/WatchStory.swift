import SyncLock
import SyncTransport
import TestSupport

@testable import CatalogMirror
@testable import Console
@testable import SyncFetching
@testable import SyncFiles
@testable import SyncFolder

/// A day of a watch over several mirrors: a source that changes and is gone for hours, configurations
/// that are changed or spoilt, a program that is ended and begun again.
final class WatchStory: Sendable {
  static let day = Duration.seconds(86_400)
  /// The mirrors that there may be.
  static let names = ["one", "two", "three"]

  struct State: Sendable {
    /// What the configuration says, and whether it can be read.
    var order: WatchOrder<Int>
    var isSpoilt = false
    var running: [String: Int] = [:]
    var failures: [String: Int] = [:]
    var runs = 0
    var told: [ServiceMessage] = []
    /// What happened in the way in which it's told.
    var reloads = 0
    var spoilt = 0
  }

  let world: World
  let web: ModelWeb
  let disk = ModelDisk()
  let pool: ConnectionPool
  let state: Locked<State>

  init(_ world: World) {
    self.world = world
    web = ModelWeb(world)
    pool = ConnectionPool(clock: world.clock)
    state = Locked(State(order: world.draw { Self.order(&$0) }))
    for name in Self.names { try? disk.put(.directory, at: "/home/\(name)") }
    disk.settle()
  }

  /// The whole day, and a while after it in which nothing goes wrong any more.
  func run() {
    world.executor.run { [self] in
      var weather = ModelWeb.Weather()
      weather.width = 40
      world.draw { random in web.state.withLock { $0.publication.change(&random) } }
      web.open(weather)
      let spans = world.number(1...3)
      for _ in 0..<spans where world.isWell {
        await watch(for: Self.day / spans) { try await self.trouble() }
      }
      guard world.isWell else { return }
      web.state.withLock { $0.isCutOff = false }
      state.withLock { $0.isSpoilt = false }
      // As long as the longest wait there may be.
      await watch(for: .seconds(30_000)) {}
      checkCopies()
      web.shut()
      world.expect(pool.transports == 0, "a transport is left")
    }
  }

  /// One process, from its start to its end by a signal.
  private func watch(
    for span: Duration, _ trouble: @escaping @Sendable () async throws -> Void
  ) async {
    world.note("the program begins")
    state.withLock { ($0.told, $0.failures, $0.reloads, $0.spoilt) = ([], [:], 0, 0) }
    var outside = WatchLoop<WatchStory>.World()
    outside.clock = world.clock
    outside.random = { [world] in Double(world.number(0...999)) / 1_000 }
    outside.manager = { [state] message in state.withLock { $0.told.append(message) } }
    outside.watchdogInterval = world.oneIn(2) ? .seconds(600) : nil
    outside.monotonicMicroseconds = { 7 }
    let loop = WatchLoop(self, state.withLock { $0.order }, in: outside)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await loop.run() }
      group.addTask { [self] in try? await bother(loop, trouble) }
      // In pieces: the world now and then jumps to the next timer before all is done that can be.
      for _ in 0..<Int(span / .seconds(100)) { try? await world.clock.sleep(for: .seconds(100)) }
      group.cancelAll()
    }
    world.note("the program has ended")
    checkEnd(watchdog: outside.watchdogInterval, span)
  }

  /// What happens to a program beside its runs.
  private func bother(
    _ loop: WatchLoop<WatchStory>, _ trouble: @Sendable () async throws -> Void
  ) async throws {
    while true {
      try await world.clock.sleep(for: .seconds(world.number(60...7_000)))
      try await trouble()
      guard world.oneIn(4) else { continue }
      world.note("SIGHUP")
      state.withLock { $0.reloads += 1 }
      loop.reload()
    }
  }

  /// The source changes, goes and comes; somebody edits the configuration.
  private func trouble() async throws {
    switch world.number(0...5) {
    case 0, 1: world.draw { random in web.state.withLock { $0.publication.change(&random) } }
    case 2: web.cutOff()
    case 3: web.state.withLock { $0.isCutOff = false }
    case 4: state.withLock { $0.isSpoilt.toggle() }
    default:
      let order = world.draw { Self.order(&$0) }
      state.withLock { $0.order = order }
    }
  }

  private static func order(_ random: inout SeededGenerator) -> WatchOrder<Int> {
    let jobs = names.compactMap { name -> WatchJob<Int>? in
      if name != "one", random.oneIn(3) { return nil }
      let minutes = Int.random(in: 10...60, using: &random)
      let timing = WatchTiming(interval: .seconds(minutes * 60), longest: .seconds(14_400))
      return WatchJob(name, timing, Int.random(in: 1...2, using: &random))
    }
    return WatchOrder(jobs, atOnce: Int.random(in: 1...3, using: &random))
  }
}
