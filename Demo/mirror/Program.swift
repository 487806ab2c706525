import Access
import CatalogMirror
import CatalogPublishing
import Console

/// The command `mirror`: makes folders equal to catalogs. It decides nothing.
@main
struct Program: CommandProgram {
  static let program = Invocation.program
  static let lookingCommand = "status"

  static func main() async {
    leaveWithoutRoom()
    await run()
  }

  /// Ends the program where a limit on its memory, or on its open files, leaves no room for its
  /// threads: before the first of them, and so without the one that writes.
  private static func leaveWithoutRoom() {
    do {
      try ProcessRoom.prepare()
    } catch {
      leave(Streams.sentence(for: error))
    }
  }

  static let libraries = Libraries.ofFetching + MirrorLibraries.ofCatalogs

  static func request(_ words: CommandLineWords<Invocation.Command>) throws -> Invocation {
    let invocation = try Invocation(words, in: ProcessInfo.processInfo.environment)
    // What a configuration says of it isn't known yet.
    if invocation.source == nil {
      if let problem = OutputPlaces(folders: invocation.folders).problem(of: invocation) {
        throw UsageError("--\(problem.option): \(problem.sentence)")
      }
      try openLog(of: invocation)
    }
    // Looked at before the first library needs one.
    try ProcessRoom.check()
    return invocation
  }

  /// Has all that happens written to the log that is asked for, too.
  static func openLog(of invocation: Invocation) throws {
    guard let path = invocation.logFile else { return }
    try Streams.openLog(path)
    let (catalog, folder) = (invocation.mirror.catalog, invocation.mirror.folder)
    let subjects = [
      URLReference(catalog)?.redacted ?? "", folder, invocation.publishing.directory,
      invocation.unattended.config.map { "--config \($0)" } ?? "",
    ].filter { !$0.isEmpty }
    Streams.log("mirror \(invocation.command) \(subjects.joined(separator: " "))")
  }

  static func perform(
    _ invocation: Invocation, _ interruption: Interruption.State
  ) async throws -> ExitStatus {
    if invocation.source == nil { Streams.warn(of: invocation) }
    switch invocation.command {
    case .sync where invocation.isDryRun && invocation.source == nil:
      return try await PlanCommand(invocation).run()
    case .sync: return try await SeveralCommand(invocation).run()
    case .plan:
      return try await EachCommand(invocation).run { mirror, client in
        try await PlanCommand(mirror, sharing: client).run()
      }
    case .status:
      return try await EachCommand(invocation).run { mirror, _ in
        try await StatusCommand(mirror).run()
      }
    case .verify:
      return try await EachCommand(invocation).run { mirror, _ in
        try await VerifyCommand(mirror).run()
      }
    case .sums: return try await SumsCommand(invocation).run()
    case .restore: return try await RestoreCommand(invocation).run()
    case .publish: return try await PublishCommand(invocation).run(interruption)
    case .manual: return try await showManual(of: invocation.guided)
    case .completion: return try showCompletion(for: invocation.guided)
    case .complete:
      return await CompleteCommand(invocation.typed, in: ProcessInfo.processInfo.environment).run()
    case .doctor: return try await DoctorCommand(invocation).run()
    case .watch: return try await WatchCommand(invocation).run(interruption)
    case .config: return try ConfigCommand(invocation).run()
    }
  }

  static func fail(_ error: any Error, of invocation: Invocation?) async -> ExitStatus {
    Streams.complain(error)
    return ExitStatus(error)
  }
}

extension ExitStatus {
  init(_ error: any Error) {
    switch error {
    case MirrorError.locked, PublishError.locked: self = .locked
    case MirrorError.otherCatalog: self = .refused
    // What was asked for can't be had, whatever the source says; nothing was made.
    case MirrorError.badCatalogAddress, MirrorError.unreadableFile, MirrorError.keyring,
      MirrorError.verifyKey, MirrorError.keysMissing, MirrorError.profile, PublishError.badOption:
      self = .usage
    default: self = ExitStatus(ofAnyProgram: error)
    }
  }
}
