internal import CSyncCurl

/// What an exchange knows of the connection that carries it, and of what came on it before.
extension CurlExchange {
  /// Whether nothing lies on the connection that is about to carry the request: an answer that
  /// nobody asked for would be taken for the one to it. `false` is remembered.
  func findsSilence(at remote: IPAddress?, remotePort: CInt, localPort: CInt) -> Bool {
    guard let sockets = route.sockets, let remote, let handle else { return true }
    let name = OpenSockets.Name(localPort: localPort, remotePort: remotePort, remote: remote)
    // TLS servers send tickets before they are asked, and so may a proxy that is spoken TLS to.
    let isPlain = !route.isProxied && request.address.scheme == "http"
    if handle.hasConnectedAnew { sockets.note(name, amongNew: route.openedSockets) }
    let socket = sockets.socket(of: name)
    route.socket = socket
    route.followsToldLength = handle.hasConnectedAnew ? nil : socket?.hasToldLength ?? false
    socket?.hasToldLength = false
    if isPlain, let socket {
      // What came before was read, as nothing lies there: the system needn't be asked.
      route.carrier = (socket.bytesRead ?? socket.received).map { (socket, $0) }
    }
    socket?.bytesRead = nil
    if handle.hasConnectedAnew {
      guard isPlain, socket?.unread == .bytes else { return true }
      return fail(
        TransportError(
          .interrupted, at: request.address, detail: "the server spoke before it was asked"))
    }
    route.needsAnotherConnection = socket?.unread != .nothing || handle.hasDecryptedBytes
    return !route.needsAnotherConnection
  }

  /// Goes back to where no connection was chosen yet.
  func startOver() {
    route.needsAnotherConnection = false
    (route.carrier, route.socket, route.followsToldLength) = (nil, nil, nil)
    (answer.headers, answer.framing) = (HeaderBlock(), nil)
    route.openedSockets = []
    handle = nil
  }

  /// At the end of the body, before libcurl hands the connection on. Only of answers that tell
  /// their length: what libcurl has read of the others, it doesn't tell.
  func noteReadBytes() {
    guard body.isOver else { return }
    let told = answer.framing?.toldLength
    route.socket?.hasToldLength = told != nil
    guard let carrier = route.carrier else { return }
    carrier.socket.bytesRead = carrier.received + Int64(answer.headers.byteCount) + (told ?? 0)
  }

  /// Whether the answer came on a kept connection and the caller can't tell whose it is.
  func isOnTrust(_ head: @autoclosure () -> HTTPHead) -> Bool {
    guard route.followsToldLength != nil, let recognises = request.recognises else { return false }
    return !recognises(head())
  }

  /// Whether the answer before and this one told their length, and nothing has come behind it.
  func tellsLength(_ framing: Framing) -> Bool {
    route.followsToldLength == true && framing.toldLength != nil && !hasMoreThan(framing)
  }

  /// Whether more has come than the head and a body of the length that it tells.
  func hasMoreThan(_ framing: Framing?) -> Bool {
    guard let carrier = route.carrier, let received = carrier.socket.received else { return false }
    // A length may be as large as numbers get.
    return received - carrier.received - Int64(answer.headers.byteCount) > framing?.toldLength ?? 0
  }
}

/// How an exchange reaches the server: over which connection, and what came on that one before.
struct ExchangeRoute {
  var isProxied = false
  /// Whether others may be under way on the same connection (HTTP/2).
  var mayShareConnection = false
  var refused: IPAddress?
  var openedSockets: [curl_socket_t] = []
  /// The sockets of all connections; `nil` where several exchanges may share one, so that bytes of
  /// others lie there.
  var sockets: OpenSockets?
  /// Whether the connection was a kept one that couldn't be relied on any more. It's closed; nobody
  /// was told of an answer yet, and another one can carry the request.
  var needsAnotherConnection = false
  /// Whether only a new connection will do.
  var needsNewConnection: Bool
  var socket: OpenSocket?
  /// Whether the answer before told its length; `nil` on a new connection.
  var followsToldLength: Bool?
  /// The connection, and how many bytes had come on it before the request; `nil` where what comes
  /// is encrypted, or nobody counts.
  var carrier: (socket: OpenSocket, received: Int64)?
}

/// The sockets of one loop, each by what libcurl tells of a connection before it uses it. Used by
/// one thread.
///
/// libcurl 7.88 reuses a kept connection on which an answer lies that nobody asked for, and takes
/// it for the next one's. So we look ourselves, and must know where: libcurl tells the two ends of
/// a connection, but not its socket.
final class OpenSockets {
  struct Name: Hashable {
    var localPort: CInt
    var remotePort: CInt
    var remote: IPAddress
  }

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
