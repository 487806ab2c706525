import CatalogMirror
import Console
import SyncEssentials
import SyncSystem
import SyncText

/// The command `mirror`: arguments in, events out, exit status. It decides nothing.
@main
struct Program {
  static func main() async {
    // Whoever reads our output may go away; the mirror is finished all the same.
    signal(SIGPIPE, SIG_IGN)
    leaveWithoutRoom()
    Streams.open()
    let status = await Interruption.guarding { interruption in
      let status = await run(Array(CommandLine.arguments.dropFirst()), interruption)
      // The folder is let go of by now; only the readers are waited for.
      if await Streams.finish(apology) || status != .done { return status }
      return interruption.hasCome ? .cancelled : .failed
    }
    exit(status.rawValue)
  }

  @Sendable private static func apology(_ place: String, _ reason: String) -> String {
    """
    mirror: what was to be told \(place) couldn't be written (\(reason)); what was done is \
    done. Look with 'mirror status', and mend where the output leads.
    """
  }

  /// Ends the program where a limit on its memory, or on its open files, leaves no room for its
  /// threads: before the first of them, and so without the one that writes.
  private static func leaveWithoutRoom() {
    do {
      try AddressSpace.prepare()
      try DescriptorLimit.checkForThreads()
    } catch {
      let line = Array("mirror: \(Streams.sentence(for: error))\n".utf8)
      _ = write(STDERR_FILENO, line, line.count)
      exit(ExitStatus.failed.rawValue)
    }
  }

  private static func run(
    _ arguments: [String], _ interruption: Interruption.State
  ) async -> ExitStatus {
    let program = Invocation.program
    do {
      switch try ArgumentParser.parse(arguments, of: program) {
      case .help(let command):
        Streams.out(Help(program, width: Terminal.helpWidth).text(for: command))
        return .done
      case .version:
        let http = HTTPSupport.current
        Streams.out(
          "\(program.name) \(program.version) (libcurl \(http.libcurl), HTTP/\(http.version))")
        return .done
      case .run(let words):
        let invocation = try Invocation(words, in: ProcessInfo.processInfo.environment)
        // What a configuration says of it isn't known yet.
        if invocation.source == nil {
          do throws(OutputPlaces.Problem) {
            try OutputPlaces(folders: invocation.folders).check(invocation)
          } catch {
            throw UsageError("--\(error.option): \(error.sentence)")
          }
          try openLog(of: invocation)
        }
        // Looked at before the first library needs one.
        try DescriptorLimit.check()
        return await perform(invocation, interruption)
      }
    } catch {
      Streams.complain(error)
      return ExitStatus(error)
    }
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

  private static func perform(
    _ invocation: Invocation, _ interruption: Interruption.State
  ) async -> ExitStatus {
    if invocation.source == nil { Streams.warn(of: invocation) }
    do {
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
      case .restore: return try await RestoreCommand(invocation).run()
      case .publish: return try await PublishCommand(invocation).run(interruption)
      case .manual:
        let page = try Invocation.program.manual(of: invocation.guided, date: Version.date)
        await ManualPage.show(page)
        return .done
      case .completion:
        Streams.out(try Invocation.program.completion(for: invocation.guided ?? ""))
        return .done
      case .complete:
        return await CompleteCommand(invocation.typed, in: ProcessInfo.processInfo.environment)
          .run()
      case .doctor: return try await DoctorCommand(invocation).run()
      case .watch: return try await WatchCommand(invocation).run(interruption)
      case .config: return try ConfigCommand(invocation).run()
      }
    } catch {
      Streams.complain(error)
      return ExitStatus(error)
    }
  }
}

extension ExitStatus {
  /// How the program ends that met this error.
  init(_ error: any Error) {
    switch error {
    case MirrorError.locked, PublishError.locked: self = .locked
    case MirrorError.otherCatalog: self = .refused
    // What was asked for can't be had, whatever the source says; nothing was made.
    case MirrorError.badCatalogAddress, MirrorError.unreadableFile, MirrorError.keyring,
      MirrorError.profile, PublishError.badOption:
      self = .usage
    default: self = ExitStatus(ofAnyProgram: error)
    }
  }
}
