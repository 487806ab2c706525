import Foundation
import RawSockets

/// The one nginx that serves everything: with one worker, a log that counts, and `sendfile` and
/// `tcp_nopush` as Debian has them.
final class Nginx: CountedServer {
  let port: UInt16
  let log: AccessLog
  private let process = Process()
  private let socket: Int32

  /// Serves `root`; a set's catalog comes from `catalogs`, so that it is in no listing.
  convenience init(root: URL, catalogs: URL, state: URL, over tls: Certificate? = nil) throws {
    try self.init(
      state: state, over: tls,
      places: """
        root \(root.path);
        autoindex on;
        # A million empty files need not lie about on the server's side.
        location ~ ^/empty[0-9]*/d { return 200 ""; }
        location ~ ^/(?<set>[^/]+)/catalog\\.ndjson$ { alias \(catalogs.path)/$set.ndjson; }
        """)
  }

  /// Serves what `places` says, in the server's block; `maps` stand before it. With a certificate
  /// it serves over TLS, and offers HTTP/2.
  init(state: URL, over tls: Certificate? = nil, maps: String = "", places: String) throws {
    try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
    socket = try RawSocket.listen()
    port = RawSocket.port(of: socket)
    log = AccessLog(file: state.appending(path: "access.log"), port: port)
    let configuration = Self.configuration(
      maps: maps, places: places, state: state, port: port, tls: tls)
    let file = state.appending(path: "nginx.conf")
    try configuration.write(to: file, atomically: true, encoding: .utf8)
    process.executableURL = try Tools.find("nginx")
    process.arguments = ["-e", state.appending(path: "error.log").path, "-c", file.path]
    // nginx takes over the listening sockets that this variable names by number.
    process.environment = ["NGINX": "0;"]
    process.standardInput = FileHandle(fileDescriptor: socket)
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    try log.settle()
  }

  func stop() {
    process.terminate()
    process.waitUntilExit()
    close(socket)
  }

  /// Seconds of processor time that its one worker has used, to the nanosecond.
  func processorTime() throws -> Double {
    let master = process.processIdentifier
    let children = try String(
      contentsOfFile: "/proc/\(master)/task/\(master)/children", encoding: .utf8)
    let workers = children.split(separator: " ").compactMap { Int32($0) }
    return try workers.reduce(0) { sum, worker in
      let text = try String(contentsOfFile: "/proc/\(worker)/schedstat", encoding: .utf8)
      return sum + (Double(text.prefix { $0 != " " }) ?? 0) / 1e9
    }
  }

  private static func configuration(
    maps: String, places: String, state: URL, port: UInt16, tls: Certificate?
  ) -> String {
    let secured =
      tls.map { "ssl http2; ssl_certificate \($0.file.path); ssl_certificate_key \($0.key.path)" }
      ?? ""
    let drafts = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
      "  \($0)_temp_path \(state.path)/\($0);"
    }
    return """
      \(geteuid() == 0 ? "user root;" : "")
      daemon off;
      worker_processes 1;
      pid \(state.path)/pid;
      # Some peers open very many connections at once.
      worker_rlimit_nofile 16384;
      events { worker_connections 8192; }
      http {
        log_format counted '$request_method $status $body_bytes_sent $request_uri';
        access_log \(state.path)/access.log counted;
        sendfile on;
        tcp_nopush on;
        default_type application/octet-stream;
        types { text/html html; application/x-ndjson ndjson; image/webp webp; }
      \(drafts.joined(separator: "\n"))
      \(maps)
        server {
          listen 127.0.0.1:\(port) \(secured);
          \(places)
        }
      }
      """
  }
}
