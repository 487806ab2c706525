import Foundation
import RawSockets

/// Apache as Debian has it, over the same files as nginx: in one process, with the listings of
/// Debian's own configuration.
final class Apache: CountedServer {
  let port: UInt16
  let log: AccessLog
  private let process = Process()

  init(root: URL, state: URL) throws {
    try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
    let socket = try RawSocket.listen()
    port = RawSocket.port(of: socket)
    // It can't take over a socket that listens, so its port is free for a moment.
    close(socket)
    log = AccessLog(file: state.appending(path: "access.log"), port: port, hasOneWriter: false)
    let file = state.appending(path: "apache.conf")
    try Self.configuration(root: root, state: state, port: port)
      .write(to: file, atomically: true, encoding: .utf8)
    process.executableURL = try Tools.find("apache2")
    // One process, so that none of its own outlives it.
    process.arguments = ["-X", "-f", file.path]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    try process.waitUntilItListens(on: port, named: "Apache")
  }

  func stop() {
    process.terminate()
    process.waitUntilExit()
  }

  func processorTime() throws -> Double { try process.processorTime() }

  private static func configuration(root: URL, state: URL, port: UInt16) -> String {
    let modules = ["mpm_event", "autoindex", "authz_core", "mime"].map {
      "LoadModule \($0)_module /usr/lib/apache2/modules/mod_\($0).so"
    }
    return """
      \(modules.joined(separator: "\n"))
      \(geteuid() == 0 ? "User www-data\nGroup www-data" : "")
      ServerRoot "\(state.path)"
      ServerName localhost
      Listen 127.0.0.1:\(port)
      PidFile "\(state.path)/pid"
      ErrorLog "\(state.path)/error.log"
      LogFormat "%m %>s %B %U%q" counted
      CustomLog "\(state.path)/access.log" counted
      DocumentRoot "\(root.path)"
      TypesConfig /dev/null
      # Some peers open very many connections at once; nobody is to wait for a thread.
      ThreadLimit 256
      ThreadsPerChild 256
      MaxRequestWorkers 256
      MaxKeepAliveRequests 0
      <Directory "/">
        Options Indexes FollowSymLinks
        IndexIgnore .??* *~ *# HEADER* README* RCS CVS *,v *,t
        IndexOptions FancyIndexing VersionSort HTMLTable NameWidth=* DescriptionWidth=*
        Require all granted
      </Directory>
      """
  }
}
