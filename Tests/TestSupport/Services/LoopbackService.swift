package import Foundation
private import RawSockets

/// A service of `Tests/Services` in a process of its own, at a free loopback port.
///
/// It is given a socket that listens already, and goes on at the same port when it is started again.
/// It ends with the process that started it, however that ends.
package final class LoopbackService {
  /// Where it is, without a closing slash.
  package let address: String
  private let socket: LoopbackListener
  private let program: String
  private let arguments: [String]
  private let folder: URL
  private var child: ChildProcess?

  /// Starts one.
  ///
  /// - Parameters:
  ///   - python: what runs it.
  ///   - script: its name among the services.
  ///   - folder: for what it writes.
  package init(
    _ python: String, _ script: String, _ arguments: [String], in folder: URL
  ) throws {
    program = python
    self.arguments = [Programs.package.appending(path: "Tests/Services/\(script)").path] + arguments
    self.folder = folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    socket = try LoopbackListener()
    address = "http://127.0.0.1:\(socket.port)"
    try start()
  }

  /// Starts it again, after ``stop()``, without what it had; callers of meanwhile are answered.
  package func start() throws {
    let child = try ChildProcess(
      program, arguments,
      environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? ""],
      directory: folder, records: folder, input: socket.descriptor)
    self.child = child
    try waitUntilItAnswers(child)
  }

  /// Kills it, whatever it is at.
  package func stop() throws {
    child?.send(SIGKILL)
    _ = try child?.end(within: .seconds(10))
    child = nil
  }

  private func waitUntilItAnswers(_ child: ChildProcess) throws {
    let caller = FileHandle(
      fileDescriptor: try RawSocket.connect(to: socket.port), closeOnDealloc: true)
    try caller.write(contentsOf: Data("GET / HTTP/1.0\r\n\r\n".utf8))
    var request = pollfd(fd: caller.fileDescriptor, events: Int16(POLLIN), revents: 0)
    while poll(&request, 1, 100) != 1 {
      guard !child.hasEnded else {
        throw Programs.Missing(
          name: arguments[0], detail: "It doesn't start: \(child.said.suffix(500))")
      }
    }
  }
}
