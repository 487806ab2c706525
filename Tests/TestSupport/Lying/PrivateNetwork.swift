package import Foundation
import RawSockets
import SyncLock

/// A network of the test's own, in which this machine has any address that the test wants, private
/// and public ones, and names mean what the test says. Nothing of it is seen outside, nothing in it
/// leads outside, and it is gone with its one process.
///
/// Linux's network and mount namespaces; needs root.
package final class PrivateNetwork {
  private let holder: ChildProcess

  /// Makes a network.
  ///
  /// - Parameters:
  ///   - addresses: What this machine has beside 127.0.0.1 and ::1.
  ///   - names: Lines of a hosts file.
  ///   - folder: For what it keeps meanwhile.
  package init(addresses: [String], names: [String], in folder: URL) throws {
    let files = folder.appending(path: "network")
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    let hosts = files.appending(path: "hosts"), resolver = files.appending(path: "resolv.conf")
    try Data((names.joined(separator: "\n") + "\n").utf8).write(to: hosts)
    try Data("nameserver \(Self.nameServer)\noptions timeout:1 attempts:1\n".utf8)
      .write(to: resolver)
    let steps =
      ["ip link set lo up"] + addresses.map { "ip address add \($0) dev lo nodad" }
      + [
        "mount --bind \(hosts.path) /etc/hosts",
        "mount --bind \(resolver.path) /etc/resolv.conf", "echo ready",
        // Ends by itself if the test is killed.
        "exec sleep 900",
      ]
    holder = try ChildProcess(
      try Programs.find("unshare"),
      ["--net", "--mount", "--", "/bin/sh", "-ec", steps.joined(separator: "\n")],
      environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"], directory: folder, records: files)
    let deadline = Patience.end
    while !holder.printed.contains("ready") {
      guard ContinuousClock.now < deadline else {
        throw Programs.Missing(name: "a network of its own", detail: holder.said)
      }
      usleep(2_000)
    }
  }

  /// Where its name server is asked, if there is one.
  package static let nameServer = "127.0.0.53"

  /// The program and the arguments that run a program in this network.
  package func command(_ program: String, _ arguments: [String]) throws -> (String, [String]) {
    let target = ["--target", "\(holder.identifier)", "--net", "--mount", "--"]
    return (try Programs.find("nsenter"), target + [program] + arguments)
  }

  /// A socket that listens in this network.
  package func listen(at address: String, port: UInt16 = 80) throws -> CInt {
    try inside { try RawSocket.listen(at: address, port: port) }
  }

  /// A socket that receives what is sent to the name server.
  package func nameServerSocket() throws -> CInt {
    try inside { try RawSocket.receive(at: Self.nameServer, port: 53) }
  }

  /// Runs `body` on a thread that has entered this network, and ends with it.
  private func inside(_ body: @escaping @Sendable () throws -> CInt) throws -> CInt {
    let place = "/proc/\(holder.identifier)/ns/net"
    let result = Locked<Result<CInt, any Error>?>(nil)
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      result.withLock { result in
        result = Result {
          let network = open(place, O_RDONLY | O_CLOEXEC)
          defer { close(network) }
          guard try Self.enter(network) == 0 else {
            throw RawSocket.Failure(call: "setns", number: errno)
          }
          return try body()
        }
      }
      ended.signal()
    }
    ended.wait()
    return try result.withLock { $0 }.map { try $0.get() } ?? -1
  }

  /// Moves the calling thread to a network; Swift's Glibc module lacks the call.
  private static func enter(_ network: CInt) throws -> CInt {
    guard let symbol = dlsym(nil, "setns") else { throw POSIXError(.ENOSYS) }
    let setns = unsafeBitCast(symbol, to: (@convention(c) (CInt, CInt) -> CInt).self)
    let anyKind: CInt = 0
    return setns(network, anyKind)
  }

  package func stop() { holder.send(SIGKILL) }
}
