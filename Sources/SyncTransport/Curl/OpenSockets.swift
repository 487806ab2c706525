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
    case nothing
    case bytes
    /// The other side's end of it, or something is wrong with it.
    case end
  }

  private var sockets: [Name: OpenSocket] = [:]
  private var names: [curl_socket_t: Name] = [:]

  /// Notes the one of these sockets that the name is of.
  func note(_ name: Name, amongNew new: [curl_socket_t]) {
    let isSix: CInt = name.remote.bytes.count == 16 ? 1 : 0
    guard let socket = new.first(where: { csync_local_port($0, isSix) == name.localPort }) else {
      return
    }
    forget(socket)
    sockets[name] = OpenSocket(descriptor: socket)
    names[socket] = name
  }

  /// The socket is about to be closed.
  func forget(_ socket: curl_socket_t) {
    if let name = names.removeValue(forKey: socket) { sockets[name] = nil }
  }

  /// The socket of the connection of that name. A connection without one can't be relied on.
  func socket(of name: Name) -> OpenSocket? { sockets[name] }
}

/// The socket of a connection, as long as it's open. Used by one thread.
final class OpenSocket {
  private let descriptor: curl_socket_t
  /// How many bytes were read by the end of the last exchange; `nil` where that isn't sure.
  var bytesRead: Int64?
  /// Whether the last exchange ended where its answer's length said.
  var hasToldLength = false

  init(descriptor: curl_socket_t) { self.descriptor = descriptor }

  /// How many bytes have come, read or not; `nil` where the system doesn't say.
  var received: Int64? {
    let count = Int64(csync_received_bytes(descriptor))
    return count < 0 ? nil : count
  }

  var unread: OpenSockets.Unread {
    switch csync_peek(descriptor) {
    case 0: .nothing
    case 1: .bytes
    default: .end
    }
  }
}
