import CatalogMirror
import Console

/// `mirror watch CATALOG FOLDER`, `mirror watch --config FILE [NAME…]`
struct WatchCommand {
  private let source: ConfigurationSource?
  private let first: MirrorConfiguration

  /// A watch over one mirror, or over those of a configuration, read anew when that is asked for.
  /// Throws ``UsageError`` for a mistake in it.
  init(_ invocation: Invocation) throws {
    source = invocation.source
    first = try MirrorConfiguration(of: invocation)
  }

  /// Runs until a signal ends it.
  func run(_ interruption: Interruption.State) async -> ExitStatus {
    let manager = ServiceManager()
    let watch = MirrorWatch(first, source)
    var world = WatchLoop<MirrorWatch>.World()
    world.manager = { manager?.tell($0) }
    world.watchdogInterval = manager?.watchdogInterval
    let loop = WatchLoop(watch, first.order, in: world)
    interruption.onHangup { loop.reload() }
    await loop.run()
    return .cancelled
  }
}

extension MirrorConfiguration {
  var order: WatchOrder<ConfiguredMirror> {
    let jobs = mirrors.map { mirror in
      let unattended = mirror.invocation.unattended
      return WatchJob(
        mirror.name,
        WatchTiming(interval: unattended.interval, longest: unattended.longestInterval), mirror)
    }
    return WatchOrder(jobs, atOnce: width)
  }
}
