import Foundation
import RawSockets

/// rsync's own server, over the same files: rsync doesn't speak HTTP.
final class RsyncDaemon {
  let port: UInt16
  private let process = Process()

  init(root: URL, state: URL) throws {
    try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
    let socket = try RawSocket.listen()
    port = RawSocket.port(of: socket)
    // It can't take over a socket that listens, so its port is free for a moment.
    close(socket)
    let file = state.appending(path: "rsyncd.conf")
    try """
    use chroot = no
    log file = \(state.path)/rsyncd.log
    pid file = \(state.path)/pid
    uid = \(geteuid())
    gid = \(getegid())
    [sets]
    path = \(root.path)
    """.write(to: file, atomically: true, encoding: .utf8)
    try? FileManager.default.removeItem(at: state.appending(path: "pid"))
    process.executableURL = try Tools.find("rsync")
    process.arguments = [
      "--daemon", "--no-detach", "--address=127.0.0.1", "--port=\(port)", "--config=\(file.path)",
    ]
    process.standardInput = FileHandle.nullDevice
    try process.run()
    try process.waitUntilItListens(on: port, named: "rsync's daemon")
  }

  func stop() {
    process.terminate()
    process.waitUntilExit()
  }

  /// Seconds of processor time that it and its children that ended have used.
  func processorTime() throws -> Double {
    try process.processorTime()
  }
}
