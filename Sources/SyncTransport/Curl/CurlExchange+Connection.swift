internal import CSyncCurl

/// What an exchange knows of the connection that carries it, and of what came on it before.
extension CurlExchange {
  /// Whether nothing lies on the connection that is about to carry the request: an answer that
  /// nobody asked for would be taken for the one to it. `false` is remembered.
  func findsSilence(at remote: IPAddress?, remotePort: CInt, localPort: CInt) -> Bool {
    guard let sockets, let remote, let handle else { return true }
    let name = OpenSockets.Name(localPort: localPort, remotePort: remotePort, remote: remote)
    // TLS servers send tickets before they are asked, and so may a proxy that is spoken TLS to.
    let isPlain = !isProxied && request.address.scheme == "http"
    if handle.hasConnectedAnew { sockets.note(name, amongNew: openedSockets) }
    let socket = sockets.socket(of: name)
    self.socket = socket
    followsToldLength = handle.hasConnectedAnew ? nil : socket?.hasToldLength ?? false
    socket?.hasToldLength = false
    if isPlain, let socket {
      // What came before was read, as nothing lies there: the system needn't be asked.
      carrier = (socket.bytesRead ?? socket.received).map { (socket, $0) }
    }
    socket?.bytesRead = nil
    if handle.hasConnectedAnew {
      guard isPlain, socket?.unread == .bytes else { return true }
      return fail(
        TransportError(
          .interrupted, at: request.address, detail: "the server spoke before it was asked"))
    }
    needsAnotherConnection = socket?.unread != .nothing || handle.hasDecryptedBytes
    return !needsAnotherConnection
  }

  /// Goes back to where no connection was chosen yet.
  func startOver() {
    needsAnotherConnection = false
    (carrier, socket, followsToldLength) = (nil, nil, nil)
    (headers, framing) = (HeaderBlock(), nil)
    openedSockets = []
    handle = nil
  }

  /// At the end of the body, before libcurl hands the connection on. Only of answers that tell
  /// their length: what libcurl has read of the others, it doesn't tell.
  func noteReadBytes() {
    guard body.isOver else { return }
    socket?.hasToldLength = framing?.toldLength != nil
    guard let carrier else { return }
    let length = framing?.toldLength ?? 0
    carrier.socket.bytesRead = carrier.received + Int64(headers.byteCount) + length
  }

  /// Whether the answer came on a kept connection and the caller can't tell whose it is.
  func isOnTrust(_ head: @autoclosure () -> HTTPHead) -> Bool {
    guard followsToldLength != nil, let recognises = request.recognises else { return false }
    return !recognises(head())
  }

  /// Whether the answer before and this one told their length, and nothing has come behind it.
  func tellsLength(_ framing: Framing) -> Bool {
    followsToldLength == true && framing.toldLength != nil && !hasMoreThan(framing)
  }

  /// Whether more has come than the head and a body of the length that it tells.
  func hasMoreThan(_ framing: Framing?) -> Bool {
    guard let carrier, let received = carrier.socket.received else { return false }
    // A length may be as large as numbers get.
    return received - carrier.received - Int64(headers.byteCount) > framing?.toldLength ?? 0
  }
}

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
