package import Foundation
private import RawSockets

/// A real server, not nginx, that lists its directories: at a loopback port, with a configuration
/// and records of its own.
///
/// These take no socket that listens already: a port that was free is asked for, and another one
/// where somebody was quicker.
package final class ListingServer {
  /// Where it is, with a closing slash.
  package var url: String { "http://127.0.0.1:\(port)/" }
  private let kind: Kind
  private let root: URL
  private let state: URL
  private let passwords: Passwords?
  private var port: UInt16 = 0
  private var child: ChildProcess?
  /// How many lines of the log were told of already.
  private var taken = 0

  /// Starts serving `root`; its own files go to `state`. Apache and lighttpd can ask for a proof of
  /// a password.
  package init(_ kind: Kind, root: URL, state: URL, asking passwords: Passwords? = nil) throws {
    self.kind = kind
    self.root = root
    self.state = state
    self.passwords = passwords
    try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
    try passwords?.lines.write(
      to: state.appending(path: Passwords.file), atomically: true, encoding: .utf8)
    try startSomewhere(attempts: 3)
  }

  /// Every request since the last call of this. The server is ended for that, so that all it wrote
  /// is there, and started again.
  package func takeRequests() throws -> [NginxServer.Request] {
    let child = child
    end()
    let log = state.appending(path: "access.log")
    // Python's writes to standard error.
    let text = (try? String(contentsOf: log, encoding: .utf8)) ?? child?.said ?? ""
    let isWhole = FileManager.default.fileExists(atPath: log.path)
    let lines = text.split(separator: "\n").dropFirst(isWhole ? taken : 0)
    taken += lines.count
    try start()
    return lines.compactMap(kind.request)
  }

  /// What it answers to a `GET` of a path, asked with these header lines: head and body.
  package func answer(to path: String, headers: [String] = []) throws -> Data {
    let lines = ["GET \(path) HTTP/1.0", "Host: 127.0.0.1:\(port)"] + headers
    return try RawSocket.ask(lines.joined(separator: "\r\n") + "\r\n\r\n", port: port)
  }

  /// Ends it.
  package func stop() { end() }

  private func startSomewhere(attempts: Int) throws {
    let listener = try LoopbackListener()
    port = listener.port
    listener.close()
    do {
      try start()
    } catch {
      end()
      guard attempts > 1 else { throw error }
      try startSomewhere(attempts: attempts - 1)
    }
  }

  private func start() throws {
    let place = Place(root: root.path, state: state.path, port: port, realm: passwords?.realm)
    let file = state.appending(path: "configuration")
    try kind.configuration(place).write(to: file, atomically: true, encoding: .utf8)
    let child = try ChildProcess(
      try Programs.find(kind.program), kind.arguments(place, configuration: file.path),
      environment: ["HOME": state.path, "PATH": ProcessInfo.processInfo.environment["PATH"] ?? ""],
      directory: state, records: state)
    self.child = child
    let deadline = Patience.end
    while true {
      if let caller = try? RawSocket.connect(to: port) {
        close(caller)
        return
      }
      guard !child.hasEnded, ContinuousClock.now < deadline else {
        throw Programs.Missing(name: kind.program, detail: "It doesn't start: \(child.said)")
      }
      sched_yield()
    }
  }

  private func end() {
    defer { child = nil }
    // Asked, and not killed: only then are its logs whole. Some of them wait for their callers.
    child?.send(SIGTERM)
    _ = try? child?.end(within: .seconds(10))
  }

  /// What a configuration tells of this server in particular.
  struct Place {
    var root: String
    var state: String
    var port: UInt16
    /// For which it wants a proof of a password, as in ``Passwords``.
    var realm: String?
  }
}
