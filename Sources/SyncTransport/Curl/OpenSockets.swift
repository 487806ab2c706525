internal import CSyncCurl

/// The sockets of one loop, each by what libcurl tells of a connection before it uses it. Used by
/// one thread.
///
/// libcurl 7.88 reuses a kept connection on which an answer lies that nobody asked for, and takes
/// it for the next one's. So we look ourselves, and must know where: libcurl tells the two ends of
/// a connection, but not its socket.
final class OpenSockets {
  /// The two ends of a connection.
  struct Name: Hashable {
    var localPort: CInt
    var remotePort: CInt
    var remote: IPAddress
  }

  /// What lies on a connection, unread.
  enum Unread: Equatable {
    /// Nothing.
    case nothing
    /// Bytes.
    case bytes
    /// The other side's end of it, or something is wrong with it.
    case end
  }

  private var sockets: [Name: curl_socket_t] = [:]
  private var names: [curl_socket_t: Name] = [:]

  /// Notes the one of these sockets that the name is of.
  func note(_ name: Name, amongNew new: [curl_socket_t]) {
    let isSix: CInt = name.remote.bytes.count == 16 ? 1 : 0
    guard let socket = new.first(where: { csync_local_port($0, isSix) == name.localPort }) else {
      return
    }
    forget(socket)
    sockets[name] = socket
    names[socket] = name
  }

  /// The socket is about to be closed.
  func forget(_ socket: curl_socket_t) {
    if let name = names.removeValue(forKey: socket) { sockets[name] = nil }
  }

  /// How many bytes have come on the connection of that name, read or not; `nil` where the system
  /// doesn't say.
  func received(on name: Name) -> Int64? {
    sockets[name].map { Int64(csync_received_bytes($0)) }.flatMap { $0 < 0 ? nil : $0 }
  }

  /// What lies on the connection of that name. One that isn't known can't be relied on.
  func unread(on name: Name) -> Unread {
    guard let socket = sockets[name] else { return .end }
    switch csync_peek(socket) {
    case 0: return .nothing
    case 1: return .bytes
    default: return .end
    }
  }
}
