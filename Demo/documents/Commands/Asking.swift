import Console
import DocumentSync
import SyncSystem

/// Asks whoever sits before the program what is to become of a change that the server refused: a
/// line on standard error, an answer on standard input.
enum Asking {
  /// The answer; what can't be understood is asked for again, and where nothing more comes, the
  /// change is left.
  static func answer(_ change: SyncDeciders.RefusedChange) async -> SyncDeciders.RefusalAnswer {
    let words = change.words.isEmpty ? "" : ": \(change.words.escaped)"
    let deed = change.content == nil ? "the deletion of " : ""
    Streams.error(
      "documents: the server refused \(deed)\(change.id.text.escaped)"
        + " (\(change.status))\(words)")
    while true {
      Streams.error("documents: leave it, resign it, or try again? [leave/resign/try]")
      guard let line = await line() else { return .leave }
      switch line.lowercased().trimmed {
      case "leave", "l", "": return .leave
      case "resign", "r": return .resign
      case "try", "try again", "t": return .tryAgain
      case let other: Streams.error("documents: '\(other.escaped)' is no answer.")
      }
    }
  }

  /// A line of standard input; `nil` at its end, and once the program is cancelled.
  private static func line() async -> String? {
    let (lines, answers) = AsyncStream<String>.makeStream()
    // Nobody knows how long a person thinks. The thread ends with the program, at the latest.
    SystemThread.start {
      if let line = shortLine() { answers.yield(line) }
      answers.finish()
    }
    return await lines.first { _ in true }
  }

  /// A line, without its end; `nil` at the end of all, and where it's longer than any answer.
  private static func shortLine() -> String? {
    var (line, byte): ([UInt8], UInt8) = ([], 0)
    while line.count < 1_000 {
      guard read(STDIN_FILENO, &byte, 1) == 1 else {
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
      }
      if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
    return nil
  }
}

extension String {
  /// Without spaces around it.
  fileprivate var trimmed: String {
    String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}
