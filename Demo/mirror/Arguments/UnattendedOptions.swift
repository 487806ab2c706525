import Console

private typealias Option = Console.Option<Invocation>

struct UnattendedOptions: Sendable {
  var config: String?
  /// The most mirrors at once.
  var jobs = 4
  /// A command that is run after a run that changed something.
  var afterChange: String?
  /// A command that is run after a run that failed, in whole or in part.
  var afterFailure: String?
  /// How long such a command may take.
  var hookLimit = Duration.seconds(300)
  var metrics: String?
  /// How often `watch` runs a mirror.
  var interval = Duration.seconds(900)
  /// How seldom it may become while runs fail.
  var longestInterval = Duration.seconds(4 * 3_600)
}

extension Invocation {
  /// What each mirror of a configuration says besides options.
  static let ownKeys = ["catalog", "folder"]
  /// What holds for all mirrors of a process together.
  static let ofProcess: Set<String> = [
    "jobs", "metrics", "json", "quiet", "log-file",
  ]
  /// What can't stand in a configuration.
  static let ofCommandLine: Set<String> = ["config"]
  /// What may hold quotes and signs of any kind: shells and servers read it.
  static let verbatim: Set<String> = ["header", "after-change", "after-failure"]

  static let unattended = OptionTable<Invocation>.Group(
    "Unattended",
    [
      Option(
        "config", for: [.sync, .plan, .status, .verify, .watch],
        "a file with several mirrors; NAMEs choose some of them, in place of CATALOG and FOLDER",
        .value("FILE") { $0.unattended.config = $1 }),
      Option(
        "jobs", short: "j", for: [.sync, .watch], "mirrors of a configuration at once",
        standard: "4",
        .value("N") { $0.unattended.jobs = try Value.positive($1) }),
      Option(
        "interval", for: [.watch], "how often a mirror is run, from beginning to beginning",
        standard: "15m",
        .value("TIME") { $0.unattended.interval = try interval($1) }),
      Option(
        "max-interval", for: [.watch], "how seldom a mirror may be run while its runs fail",
        standard: "4h",
        .value("TIME") { $0.unattended.longestInterval = try interval($1) }),
      Option(
        "after-change", for: [.sync, .watch],
        "run this with /bin/sh after a run that changed something, its report on standard input",
        .value("COMMAND") { $0.unattended.afterChange = $1 }),
      Option(
        "after-failure", for: [.sync, .watch], "the same after a run that failed or was refused",
        .value("COMMAND") { $0.unattended.afterFailure = $1 }),
      Option(
        "hook-timeout", for: [.sync, .watch], "how long such a command may take", standard: "5m",
        .value("TIME") { $0.unattended.hookLimit = try interval($1) }),
      Option(
        "metrics", for: [.sync, .watch], "write how the runs went for Prometheus, after each run",
        .value("FILE") { $0.unattended.metrics = $1 }),
    ])

  private static func interval(_ text: String) throws -> Duration {
    let time = try Value.duration(text)
    guard time >= .seconds(1) else { throw UsageError("'\(text)' is too short; give 1s or more") }
    return time
  }
}

extension ConfigurationReader<Invocation> {
  /// What may be said of mirrors: all that `sync` and `watch` take.
  static let mirrors = ConfigurationReader(
    program, for: .watch,
    OwnKeys(
      ofParts: Invocation.ownKeys, ofProcess: Invocation.ofProcess,
      outside: Invocation.ofCommandLine, paths: ["folder"], verbatim: Invocation.verbatim))

  /// One file is for both: `watch` passes over what it has no use for, as a line for each file.
  private static var program: ProgramDescription<Invocation> {
    var program = Invocation.program
    program.table = program.table.giving(.watch, whateverHas: .sync, but: ["dry-run"])
    return program
  }
}
