import Foundation

/// The two standard streams.
enum Console {
  /// Whether standard error is a terminal, on which a line can be drawn again and again.
  static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

  /// Writes a line to standard output.
  static func out(_ line: String) {
    write(line + "\n", to: STDOUT_FILENO)
  }

  /// Writes a line to standard error.
  static func error(_ line: String) {
    write(line + "\n", to: STDERR_FILENO)
  }

  /// Writes an error as one sentence to standard error.
  static func complain(_ problem: any Error) {
    error("mirror: \(sentence("\(problem)"))")
  }

  /// A text that ends as a sentence does.
  static func sentence(_ text: String) -> String {
    text.hasSuffix(".") || text.hasSuffix("?") ? text : text + "."
  }

  /// Draws the live line, in place of what stood there; an empty one takes it away.
  static func live(_ line: String) {
    write("\r\u{1B}[K" + line, to: STDERR_FILENO)
  }

  /// The width of the terminal in columns.
  static var width: Int {
    var size = winsize()
    return ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
      ? Int(size.ws_col) : 80
  }

  /// Nothing is buffered here; what the C library buffers is written.
  static func flush() {
    fflush(nil)
  }

  private static func write(_ text: String, to descriptor: Int32) {
    var bytes = ArraySlice(text.utf8)
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }  // nobody reads any more
      bytes = bytes.dropFirst(count)
    }
  }
}
