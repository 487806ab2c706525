import CatalogMirror
import Console

/// `mirror sync CATALOG FOLDER`, `mirror sync --config FILE [NAME…]`
struct SeveralCommand {
  private let configuration: MirrorConfiguration
  /// Whether there may be several, so that each is named.
  private let isConfigured: Bool

  /// What is asked for; throws ``UsageError`` for a mistake in a configuration.
  init(_ invocation: Invocation) throws {
    isConfigured = invocation.source != nil
    configuration = try invocation.source?.read() ?? MirrorConfiguration(only: invocation)
    if isConfigured { try Program.openLog(of: configuration.whole) }
  }

  func run() async -> ExitStatus {
    let (client, width) = (MirrorClient(), configuration.width)
    let metrics = configuration.metrics
    let jobs = configuration.mirrors.map { mirror in
      MirrorJob(
        mirror.name, mirror.invocation(ofRunsAtOnce: width), sharing: client, metrics: metrics)
    }
    guard isConfigured else {
      return await jobs.first?.run(configuration.whole.reporter).status ?? .done
    }
    return await JobWindow(width: width).run(jobs) { $0.invocation.reporterOfMany }
  }
}

extension MirrorConfiguration {
  /// The one mirror that a command line names; it's called by its folder.
  init(only invocation: Invocation) {
    let mirror = ConfiguredMirror(
      name: invocation.mirror.folder, invocation: invocation, settings: [], operands: [])
    self.init(whole: invocation, mirrors: [mirror], known: [])
  }

  /// How many mirrors run at once: as many as are asked for, as far as the process may open files
  /// and has room for threads.
  var width: Int {
    min(whole.unattended.jobs, max(1, mirrors.count), ProcessRoom.runsAtOnce)
  }
}

extension ConfiguredMirror {
  /// What is asked for, where so many run at once.
  func invocation(ofRunsAtOnce runs: Int) -> Invocation {
    var invocation = invocation
    invocation.mirror.runsAtOnce = runs
    return invocation
  }
}
