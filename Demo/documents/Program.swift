import Console
import SyncSystem

/// The command `documents`: arguments in, sentences, documents or lines of JSON out, exit status.
@main
struct Program {
  static func main() async {
    // Whoever reads our output may go away; what was begun is finished all the same.
    signal(SIGPIPE, SIG_IGN)
    Streams.open()
    let status = await Interruption.guarding { interruption in
      let status = await run(Array(CommandLine.arguments.dropFirst()))
      if await Streams.finish(apology) || status != .done { return status }
      return interruption.hasCome ? .cancelled : .failed
    }
    exit(status.rawValue)
  }

  @Sendable private static func apology(_ place: String, _ reason: String) -> String {
    """
    documents: what was to be told \(place) couldn't be written (\(reason)); what was done is done.\
     Look with 'documents status', and mend where the output leads.
    """
  }

  private static func run(_ arguments: [String]) async -> ExitStatus {
    let program = Invocation.program
    do {
      switch try ArgumentParser.parse(arguments, of: program) {
      case .help(let command):
        Streams.out(Help(program, width: Terminal.helpWidth).text(for: command))
        return .done
      case .version:
        Streams.out("\(program.name) \(program.version)")
        return .done
      case .run(let words): return await perform(try program.request(words))
      }
    } catch {
      Streams.error("documents: \(Sentence.ending("\(error)"))")
      return ExitStatus(ofAnyProgram: error)
    }
  }

  private static func perform(_ invocation: Invocation) async -> ExitStatus {
    do {
      return try await command(invocation)
    } catch {
      let failure = Failure(error)
      await Streams.telling { failure.tell(isJSON: invocation.isJSON) }
      return failure.status
    }
  }

  private static func command(_ invocation: Invocation) async throws -> ExitStatus {
    switch invocation.command {
    case .`init`: return try await InitCommand(invocation).run()
    case .put, .stash, .delete: return try await EditCommand(invocation).run()
    case .get, .list: return try await ReadCommand(invocation).run()
    case .sync: return try await SyncCommand(invocation).run()
    case .watch: return try await WatchCommand(invocation).run()
    case .status, .why, .digest, .lost: return try await LookCommand(invocation).run()
    case .resolve, .restore: return try await DecideCommand(invocation).run()
    case .export, .`import`: return try await MoveCommand(invocation).run()
    case .attach, .detach: return try await FileCommand(invocation).run()
    case .manual:
      let page = try Invocation.program.manual(of: invocation.words.first, date: Version.date)
      await ManualPage.show(page)
      return .done
    case .completion:
      Streams.out(try Invocation.program.completion(for: invocation.words.first ?? ""))
      return .done
    }
  }
}
