import Console
import Dispatch
import DocumentSync
import SyncSystem
import SyncText

/// Asks whoever sits at the terminal what becomes of a change that the server refused. Without a
/// terminal, it stays set aside.
struct TerminalQuestion: Sendable {
  /// Reads an answer; `nil` at the end of the input.
  var read: @Sendable () async -> String? = TerminalQuestion.line
  var isTerminal = isatty(STDIN_FILENO) == 1

  func decision(about refused: RefusedChange) async -> RefusedChange.Decision {
    guard isTerminal else { return .leave }
    let name = ByteString.escape(refused.id.text)
    Streams.error("\(name): the server refused it (\(refused.status)): \(said(refused))")
    while true {
      Streams.error("Leave it set aside, resign it for the server's value, or retry it? [l/r/t]")
      switch await read()?.lowercased() {
      case "l", "leave", "", nil: return .leave
      case "r", "resign": return .resign
      case "t", "retry": return .retry
      default: continue
      }
    }
  }

  private func said(_ refused: RefusedChange) -> String {
    refused.words.isEmpty ? "it doesn't say why" : ByteString.escape(refused.words)
  }

  /// On a thread of its own: who waits for a person holds up nothing else.
  private static func line() async -> String? {
    await withCheckedContinuation { answer in
      DispatchQueue.global().async { answer.resume(returning: readLine()) }
    }
  }
}
