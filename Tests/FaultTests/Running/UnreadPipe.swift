import Foundation

/// A named pipe that is full and that nobody reads, until the test does.
final class UnreadPipe {
  /// The pipe is none, or couldn't be read.
  struct Broken: Error {
    var what: String
  }

  let path: String
  private let descriptor: Int32

  /// Makes one and fills it up.
  init(at place: URL) throws {
    path = place.path
    guard mkfifo(path, 0o600) == 0 else { throw Broken(what: "mkfifo \(path)") }
    // Opened in both directions it has a reader and a writer for as long as it lives.
    descriptor = open(path, O_RDWR | O_NONBLOCK)
    guard descriptor >= 0 else { throw Broken(what: "open \(path)") }
    let blanks = [UInt8](repeating: UInt8(ascii: "\n"), count: 4_096)
    while write(descriptor, blanks, blanks.count) > 0 {}
    while write(descriptor, blanks, 1) > 0 {}
  }

  /// Reads what comes until a line with this text has come whole.
  func readAll(until text: String, within limit: Duration = .seconds(60)) throws -> String {
    let end = ContinuousClock.now + limit
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while ContinuousClock.now < end {
      var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&event, 1, 100) > 0 else { continue }
      let count = read(descriptor, &piece, piece.count)
      guard count > 0 else { continue }
      bytes += piece[..<count]
      let tail = String(decoding: bytes.suffix(1 << 20), as: UTF8.self)
      if tail.hasSuffix("\n"), tail.contains(text) { return String(decoding: bytes, as: UTF8.self) }
    }
    throw Broken(what: "nothing more came")
  }

  func close() { Foundation.close(descriptor) }
}
