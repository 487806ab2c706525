import Foundation
import RawSockets

/// A request that the benchmark makes itself.
enum PlainRequest {
  /// Asks a port of this machine for one path on a connection of its own; returns the body, with
  /// the framing that nginx counts too, when the server hangs up.
  @discardableResult
  static func get(_ path: String, port: UInt16) throws -> Data {
    let answer = try RawSocket.ask(
      "GET \(path) HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n", port: port)
    guard let head = answer.range(of: Data("\r\n\r\n".utf8)) else {
      throw BenchProblem(description: "port \(port) gave no answer to GET \(path)")
    }
    return answer[head.upperBound...]
  }
}
