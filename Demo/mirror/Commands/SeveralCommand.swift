import CatalogMirror
import Console

/// `mirror sync CATALOG FOLDER`, `mirror sync --config FILE [NAME…]`
struct SeveralCommand {
  private let configuration: MirrorConfiguration
  /// Whether there may be several, so that each is named.
  private let isConfigured: Bool

  init(_ invocation: Invocation) throws {
    isConfigured = invocation.source != nil
    configuration = try MirrorConfiguration(of: invocation)
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
  /// The mirrors that a configuration names, whose log is opened; or the one that a command line
  /// names, which is called by its folder.
  /// - Throws: ``UsageError`` for a mistake in a configuration.
  init(of invocation: Invocation) throws {
    if let source = invocation.source {
      self = try source.read()
      try Program.openLog(of: whole)
      return
    }
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
