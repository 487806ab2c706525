import Foundation

/// A network that is far away or narrow, made of a relay on loopback: each way takes time, and the
/// bytes of all connections together have a limit. A new connection costs a round trip more, as a
/// handshake does, which loopback itself answers at once.
final class Link {
  /// What the link is like at the moment.
  struct Quality: Equatable {
    /// Seconds that every byte is under way, each way.
    var delay = 0.0
    /// Bytes a second towards the client, over all connections.
    var rate: Double?
  }

  let port: UInt16
  private var quality = Quality()
  private let process = Process()
  private let wishes = Pipe()
  private let answers: LineReader

  /// A link to a port of this machine; perfect at first.
  ///
  /// - Parameter relay: The program `relay`.
  init(to target: UInt16, through relay: String) throws {
    let output = Pipe()
    process.executableURL = URL(filePath: relay)
    process.arguments = ["\(target)"]
    process.standardInput = wishes
    process.standardOutput = output
    try process.run()
    answers = LineReader(output.fileHandleForReading)
    guard let port = answers.next().flatMap({ UInt16($0) }) else {
      throw BenchProblem(description: "\(relay) has told no port")
    }
    self.port = port
  }

  /// Connections keep what bytes are under way.
  func become(_ quality: Quality) throws {
    self.quality = quality
    let wish = "\(quality.delay) \(quality.rate ?? 0)\n"
    try wishes.fileHandleForWriting.write(contentsOf: Data(wish.utf8))
    guard answers.next() != nil else { throw BenchProblem(description: "the relay has ended") }
  }

  /// Hangs up.
  func stop() {
    try? wishes.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// What a plain request takes: a handshake and an answer are two round trips.
  func checkDelay(path: String) throws -> Double {
    let delay = quality.delay
    let began = ContinuousClock.now
    try PlainRequest.get(path, port: port)
    let took = (ContinuousClock.now - began) / .seconds(1)
    guard took >= 4 * delay, took < 4 * delay + 0.05 else {
      throw BenchProblem(
        description: "a plain request over a link of \(delay) s each way took \(took) s, "
          + "which should be \(4 * delay)")
    }
    return took
  }
}

/// Reads what a program says, line by line.
final class LineReader {
  private let handle: FileHandle
  private var bytes = Data()

  init(_ handle: FileHandle) { self.handle = handle }

  /// The next line without its newline; `nil` at the end.
  func next() -> String? {
    while true {
      if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: bytes[bytes.startIndex..<end], as: UTF8.self)
        bytes = Data(bytes[(end + 1)...])
        return line
      }
      let more = handle.availableData
      guard !more.isEmpty else { return nil }
      bytes.append(more)
    }
  }
}
