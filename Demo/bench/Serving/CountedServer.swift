import Foundation
import RawSockets

/// A server on loopback whose log counts what it is asked for.
protocol CountedServer {
  var port: UInt16 { get }
  var log: AccessLog { get }

  /// Seconds of processor time that it has used.
  func processorTime() throws -> Double
  func stop()
}

extension Process {
  /// Seconds of processor time that it, all its threads and its children that ended have used.
  func processorTime() throws -> Double {
    let text = try String(contentsOfFile: "/proc/\(processIdentifier)/stat", encoding: .utf8)
    // The fields 14 to 17 of proc(5), counted from behind the program's name.
    let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
    let ticks = fields[12...15].reduce(0.0) { $0 + (Double($1) ?? 0) }
    return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// For a server that can't take over a socket that listens already.
  func waitUntilItListens(on port: UInt16, named name: String) throws {
    let deadline = ContinuousClock.now + .seconds(10)
    while true {
      if let socket = try? RawSocket.connect(to: port) {
        close(socket)
        return
      }
      guard ContinuousClock.now < deadline, isRunning else {
        throw BenchProblem(description: "\(name) doesn't start")
      }
      usleep(5_000)
    }
  }
}
