import CatalogMirror
import Foundation

/// The command `mirror`: arguments in, events out, exit status. It decides nothing.
@main
struct Program {
  /// What the program answers its caller.
  enum ExitStatus: Int32 {
    case done = 0
    case failed = 1
    case someFailed = 2
    case removalRefused = 3
    case usage = 64
    case locked = 75
    case cancelled = 130
  }

  static func main() async {
    // Whoever reads our output may go away; the mirror is finished all the same.
    signal(SIGPIPE, SIG_IGN)
    leaveWithoutRoom()
    Console.open()
    let status = await Interruption.guarding { interruption in
      let status = await run(Array(CommandLine.arguments.dropFirst()))
      // The folder is let go of by now; only the readers are waited for.
      if await Console.finish() || status != .done { return status }
      return interruption.hasCome ? .cancelled : .failed
    }
    exit(status.rawValue)
  }

  /// Ends the program where a limit on its memory leaves no room for its threads: before the first
  /// of them, and so without the one that writes.
  private static func leaveWithoutRoom() {
    do {
      try AddressSpace.prepare()
    } catch {
      let line = Array("mirror: \(Console.sentence("\(error)"))\n".utf8)
      _ = write(STDERR_FILENO, line, line.count)
      exit(ExitStatus.failed.rawValue)
    }
  }

  private static func run(_ arguments: [String]) async -> ExitStatus {
    do {
      switch try ArgumentParser.parse(arguments) {
      case .help(let command):
        Console.out(Help.text(for: command))
        return .done
      case .version:
        Console.out("mirror \(Version.current)")
        return .done
      case .run(let invocation):
        // Looked at before the first library needs one.
        try DescriptorLimit.check()
        return await perform(invocation)
      }
    } catch let error as MirrorError {
      Console.complain(error)
      return .failed
    } catch {
      Console.error("mirror: \(error); see 'mirror --help'.")
      return .usage
    }
  }

  private static func perform(_ invocation: Invocation) async -> ExitStatus {
    do {
      switch invocation.command {
      case .sync: return try await SyncCommand(invocation).run()
      case .plan: return try await PlanCommand(invocation).run()
      case .status: return try await StatusCommand(invocation).run()
      case .verify: return try await VerifyCommand(invocation).run()
      case .publish: return try await PublishCommand(invocation).run()
      }
    } catch is CancellationError {
      Console.error("mirror: it was cancelled; run it again to go on.")
      return .cancelled
    } catch let error as UsageError {
      Console.complain(error)
      return .usage
    } catch let error as MirrorError {
      Console.complain(error)
      return ExitStatus(error)
    } catch {
      Console.complain(error)
      return .failed
    }
  }
}

extension Program.ExitStatus {
  fileprivate init(_ error: MirrorError) {
    switch error {
    case .locked: self = .locked
    case .otherCatalog: self = .removalRefused
    default: self = .failed
    }
  }
}

/// The version of the program.
enum Version {
  static let current = "0.1.0"
}
