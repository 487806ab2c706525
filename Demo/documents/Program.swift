import Access
import Console

/// The command `documents`: documents that are edited here and travel both ways. It decides
/// nothing.
@main
struct Program: CommandProgram {
  static let program = Invocation.program
  static let lookingCommand = "status"
  static let libraries = Libraries.ofFetching

  static func main() async { await run() }

  static func perform(
    _ invocation: Invocation, _ interruption: Interruption.State
  ) async throws -> ExitStatus {
    switch invocation.command {
    case .`init`: try await InitCommand(invocation).run()
    case .put, .stash, .delete: try await EditCommand(invocation).run()
    case .get, .list: try await ReadCommand(invocation).run()
    case .fetch: try await FetchCommand(invocation).run()
    case .sync, .republish: try await SyncCommand(invocation).run()
    case .watch: try await WatchCommand(invocation).run()
    case .status, .why, .digest, .lost: try await LookCommand(invocation).run()
    case .resolve, .restore: try await DecideCommand(invocation).run()
    case .export, .`import`: try await MoveCommand(invocation).run()
    case .attach, .detach: try await FileCommand(invocation).run()
    case .manual: try await showManual(of: invocation.words.first)
    case .completion: try showCompletion(for: invocation.words.first)
    }
  }

  static func fail(_ error: any Error, of invocation: Invocation?) async -> ExitStatus {
    let failure = Failure(error)
    await Streams.telling { failure.tell(isJSON: invocation?.isJSON ?? false) }
    return failure.status
  }
}
