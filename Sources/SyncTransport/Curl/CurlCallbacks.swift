internal import CSyncCurl
private import SyncSystem

/// What libcurl calls, on the loop's thread, with the exchange as its user data.
enum CurlCallbacks {
  static let body:
    @convention(c) (
      UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?
    ) -> Int = { bytes, size, count, user in
      guard let exchange = CurlCallbacks.exchange(user) else { return 0 }
      let length = size * count
      guard length > 0 else { return 0 }
      guard exchange.pause == .none else {
        exchange.pause = .inForce
        return Int(CURL_WRITEFUNC_PAUSE)
      }
      let isTaken = exchange.receive(body: UnsafeRawBufferPointer(start: bytes, count: length))
      return isTaken ? length : CurlCallbacks.refusal(of: length)
    }

  static let headerLine:
    @convention(c) (
      UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?
    ) -> Int = { bytes, size, count, user in
      guard let exchange = CurlCallbacks.exchange(user) else { return 0 }
      let length = size * count
      let line = UnsafeRawBufferPointer(start: bytes, count: length)
      return exchange.receive(headerLine: line) ? length : CurlCallbacks.refusal(of: length)
    }

  static let requestBody:
    @convention(c) (
      UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?
    ) -> Int = { room, size, count, user in
      guard let exchange = CurlCallbacks.exchange(user) else { return Int(CURL_READFUNC_ABORT) }
      let room = UnsafeMutableRawBufferPointer(start: room, count: size * count)
      return exchange.send(into: room) ?? Int(CURL_READFUNC_ABORT)
    }

  /// The request's body is wanted once more, from a place on.
  static let rewind: @convention(c) (UnsafeMutableRawPointer?, curl_off_t, CInt) -> CInt = {
    user, offset, origin in
    guard origin == SEEK_SET, let exchange = CurlCallbacks.exchange(user) else {
      return CInt(CURL_SEEKFUNC_CANTSEEK)
    }
    exchange.rewind(to: Int64(offset))
    return CInt(CURL_SEEKFUNC_OK)
  }

  /// A socket is needed for an address.
  static let openSocket:
    @convention(c) (
      UnsafeMutableRawPointer?, curlsocktype, UnsafeMutablePointer<curl_sockaddr>?
    ) -> curl_socket_t = { user, _, target in
      guard let exchange = CurlCallbacks.exchange(user), let target else { return -1 }
      var bytes = [UInt8](repeating: 0, count: 16)
      let length = Int(csync_address_bytes(target, &bytes))
      guard exchange.admits(IPAddress(bytes: Array(bytes.prefix(length)))) else { return -1 }
      let socket = csync_open_socket(target)
      exchange.route.openedSockets.append(socket)
      return socket
    }

  /// A socket isn't needed any more. Its connection may have outlived the exchange that opened it,
  /// so the user data are the loop's sockets.
  static let closeSocket: @convention(c) (UnsafeMutableRawPointer?, curl_socket_t) -> CInt = {
    user, socket in
    if let user { Unmanaged<OpenSockets>.fromOpaque(user).takeUnretainedValue().forget(socket) }
    return close(socket)
  }

  /// A connection, new or kept, is about to carry the request.
  static let requestGate:
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?, CInt,
      CInt
    ) -> CInt = { user, remote, _, remotePort, localPort in
      guard let exchange = CurlCallbacks.exchange(user), let remote else {
        return CInt(CURL_PREREQFUNC_ABORT)
      }
      exchange.forgetChallenge()
      let address = IPAddress(cString: remote)
      guard exchange.admits(address),
        exchange.findsSilence(at: address, remotePort: remotePort, localPort: localPort),
        exchange.mayGoOut()
      else { return CInt(CURL_PREREQFUNC_ABORT) }
      exchange.connected(to: address)
      exchange.watch.start(at: CurlLoop.now)
      return CInt(CURL_PREREQFUNC_OK)
    }

  private static func exchange(_ user: UnsafeMutableRawPointer?) -> CurlExchange? {
    user.map { Unmanaged<CurlExchange>.fromOpaque($0).takeUnretainedValue() }
  }

  /// A count other than the one that was offered tells libcurl to end the transfer.
  private static func refusal(of length: Int) -> Int { length == 0 ? 1 : 0 }
}
