import Console
import SyncSystem

/// The command `records`: arguments in, sentences or lines of JSON out, exit status. It decides
/// nothing.
@main
struct Program {
  static func main() async {
    // Whoever reads our output may go away; the sync is finished all the same.
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
    records: what was to be told \(place) couldn't be written (\(reason)); what was done is \
    done. Look with 'records verify', and mend where the output leads.
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
      Streams.error("records: \(Sentence.ending("\(error)"))")
      return ExitStatus(error)
    }
  }

  private static func perform(_ invocation: Invocation) async -> ExitStatus {
    do {
      switch invocation.command {
      case .sync, .verify: return try await SyncCommand(invocation).run()
      case .export, .get: return try await ExportCommand(invocation).run()
      case .put, .update, .delete: return try await RowCommand(invocation).run()
      case .undo: return try await UndoCommand(invocation).run()
      case .schema: return try await SchemaCommand(invocation).run()
      case .manual:
        let page = try Invocation.program.manual(of: invocation.guided, date: Version.date)
        await ManualPage.show(page)
        return .done
      case .completion:
        Streams.out(try Invocation.program.completion(for: invocation.guided ?? ""))
        return .done
      }
    } catch {
      let failure = Failure(invocation.explained(error), of: invocation)
      await Streams.telling { failure.tell(invocation.style) }
      return failure.status
    }
  }
}
