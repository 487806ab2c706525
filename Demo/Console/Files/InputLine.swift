import SyncSystem

/// What somebody answers on standard input.
public enum InputLine {
  /// The next line; `nil` at the end, and once the task is cancelled.
  public static func next() async -> String? {
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
