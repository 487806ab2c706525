package import Foundation
import RawSockets

/// A real nginx on a free loopback port, with a configuration and records of its own.
///
/// It is given a socket that listens already, so that no port is lost to another program and no
/// request has to wait for its start: the first callers stand in the socket's queue.
package final class NginxServer {
  /// How it serves.
  package struct Options {
    /// The form of directory listings; none by default.
    package var listing: Listing?
    /// Further `location` blocks.
    package var locations: [String] = []
    /// Further lines for what holds for all servers.
    package var common: [String] = []
    /// Modules to load, by the name of their file without its ending.
    package var modules: [String] = []
    /// The certificate and key to serve https with; http by default.
    package var certificate: Certificate?
    /// Whether it may read what nobody has rights to, if the tests may.
    package var mayReadAll = true
    /// Whether it speaks HTTP/2 where it serves https.
    package var speaksHTTP2 = false

    /// Files only, without encryption.
    package init(
      listing: Listing? = nil, locations: [String] = [], certificate: Certificate? = nil
    ) {
      (self.listing, self.locations, self.certificate) = (listing, locations, certificate)
    }
  }

  /// The form of directory listings.
  package enum Listing: String, CaseIterable {
    case html
    case json
  }

  /// A request that was answered.
  package struct Request: Hashable, CustomStringConvertible {
    package var method: String
    package var status: Int
    /// The path and query, as sent.
    package var target: String

    /// A request as the log tells it.
    package init(method: String, status: Int, target: String) {
      (self.method, self.status, self.target) = (method, status, target)
    }

    /// Whether a directory was asked for.
    package var isListing: Bool { target.hasSuffix("/") }

    package var description: String { "\(method) \(target) \(status)" }
  }

  /// Where it is, with a closing slash.
  package let url: String
  package let port: UInt16
  private let socket: LoopbackListener
  private let root: URL
  private let state: URL
  private var child: ChildProcess?
  private var taken = 0

  /// Starts serving `root`; its own files go to `state`.
  package init(root: URL, state: URL, options: Options = Options()) throws {
    self.root = root
    self.state = state
    try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
    socket = try LoopbackListener()
    port = socket.port
    url = "\(options.certificate == nil ? "http" : "https")://127.0.0.1:\(port)/"
    try Data().write(to: file("access.log"))
    try start(options)
  }

  /// Serves in another way from now on, at the same address.
  package func restart(_ options: Options) throws {
    try end()
    try start(options)
  }

  /// Ends it.
  package func stop() throws {
    try end()
    socket.close()
  }

  private func start(_ options: Options) throws {
    try Self.configuration(options, root: root, state: state, port: port)
      .write(to: file("nginx.conf"), atomically: true, encoding: .utf8)
    child = try ChildProcess(
      try Programs.find("nginx"),
      ["-p", state.path, "-e", file("error.log").path, "-c", file("nginx.conf").path],
      // nginx takes over the sockets that this variable names by number.
      environment: ["NGINX": "0;"], directory: state, records: state, input: socket.descriptor)
  }

  /// How many requests have been answered so far.
  package func answered() throws -> Int {
    try String(contentsOf: file("access.log"), encoding: .utf8).count { $0 == "\n" }
  }

  /// Every request since the last call of this, in the order in which the answers ended.
  package func takeRequests() throws -> [Request] {
    try settle()
    let lines = try String(contentsOf: file("access.log"), encoding: .utf8)
      .split(separator: "\n").dropFirst(taken)
    taken += lines.count
    return lines.compactMap { line in
      let fields = line.split(separator: " ")
      guard fields.count == 3, let status = Int(fields[1]), !line.hasSuffix(Self.question) else {
        return nil
      }
      return Request(method: String(fields[0]), status: status, target: String(fields[2]))
    }
  }

  private func end() throws {
    child?.send(SIGTERM)
    _ = try child?.end(within: .seconds(10))
    child = nil
  }

  private static let question = "/.are-you-done"

  /// Waits until all that was answered is in the log: nginx has one worker, which writes an
  /// answer's line before it turns to the next request.
  private func settle() throws {
    guard child != nil else { return }
    try RawSocket.ask("GET \(Self.question) HTTP/1.0\r\n\r\n", port: port)
  }

  private func file(_ name: String) -> URL { state.appending(path: name) }
}
