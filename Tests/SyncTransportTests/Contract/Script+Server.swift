import SynchronizerTesting
import TestSupport
import SyncLock
import SyncTransport

/// The script that a stage plays now.
final class ScriptBox: Sendable {
  private let script = Locked(Script())

  var value: Script {
    get { script.withLock { $0 } }
    set { script.withLock { $0 = newValue } }
  }
}

extension Script {
  /// Plays itself on a connection; returns whether that stays open.
  func perform(on connection: RawConnection, isHead: Bool) -> Bool {
    arrival.open()
    if isHeadHeld {
      connection.waitForClose()
      return false
    }
    sendHead(on: connection)
    if isHead || status == 304 || status == 204 { return true }
    let isChunked = framing == .chunked
    let pieces =
      isBodyHeld
      ? [Array(body.prefix(body.count / 2)), Array(body.dropFirst(body.count / 2))] : [body]
    for (index, piece) in pieces.enumerated() {
      if isBodyHeld, index == 1 {
        connection.waitForClose()
        return false
      }
      if isChunked, !piece.isEmpty { connection.send(String(piece.count, radix: 16) + "\r\n") }
      connection.send(piece)
      if isChunked, !piece.isEmpty { connection.send("\r\n") }
    }
    if isShort || framing == .untilClose { return false }
    if isChunked { connection.send("0\r\n\r\n") }
    return true
  }

  private func sendHead(on connection: RawConnection) {
    var head = "HTTP/1.1 \(status) Scripted\r\n"
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    switch framing {
    case .length: head += "Content-Length: \(body.count + (isShort ? 1 : 0))\r\n"
    case .chunked: head += "Transfer-Encoding: chunked\r\n"
    case .untilClose: head += "Connection: close\r\n"
    }
    connection.send(head + "\r\n")
  }
}
