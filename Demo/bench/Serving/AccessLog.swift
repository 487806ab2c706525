import Foundation

/// What a server wrote about the requests that it answered.
struct AccessLog {
  let file: URL
  let port: UInt16
  /// Whether one process or thread writes it, which does one thing after the other.
  var hasOneWriter = true

  /// What was asked for in some time.
  struct Traffic: Equatable, Codable {
    var requests = 0
    /// Bytes of bodies, as far as they were sent.
    var bytes = 0
  }

  private static let question = "/.are-you-done"

  /// Counts anew from here on.
  func forget() throws {
    try settle()
    truncate(file.path, 0)
  }

  /// What was asked for since ``forget()``, all of it.
  func traffic() throws -> Traffic {
    try settle()
    return try sofar()
  }

  /// What is in the log by now.
  func sofar() throws -> Traffic {
    var traffic = Traffic()
    for line in try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 3)
      guard fields.count == 4, fields[3] != Data(Self.question.utf8)[...] else { continue }
      traffic.requests += 1
      traffic.bytes += Int(String(decoding: fields[2], as: UTF8.self)) ?? 0
    }
    return traffic
  }

  /// Waits until all that was answered is in the log: nginx has one worker, which writes an
  /// answer's line before it turns to the next request. Of several writers each may still be about
  /// to write, for a moment: then the log has to hold still.
  func settle() throws {
    try PlainRequest.get(Self.question, port: port)
    guard !hasOneWriter else { return }
    var (size, before) = (length, -1)
    while size != before {
      usleep(100_000)
      (before, size) = (size, length)
    }
  }

  private var length: Int {
    var status = stat()
    return stat(file.path, &status) == 0 ? Int(status.st_size) : 0
  }
}
