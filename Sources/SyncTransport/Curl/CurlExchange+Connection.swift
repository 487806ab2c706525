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
