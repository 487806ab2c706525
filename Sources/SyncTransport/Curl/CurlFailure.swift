internal import CSyncCurl

enum CurlFailure {
  static func error(_ result: CURLcode, of exchange: CurlExchange) -> (any Error)? {
    if let cut = exchange.cut { return cut }
    guard result != CURLE_OK else { return nil }
    let address = exchange.request.address
    if let refused = exchange.route.refused, let code = refusal(result, of: exchange) {
      return TransportError(code, at: address, detail: "\(refused)")
    }
    if exchange.route.isProxied, let error = proxyError(of: exchange) { return error }
    let code = code(result, isInBody: exchange.hasBegun)
    if code == .tls, exchange.handle?.said.map(TLSComplaint.isOfNoTLS) ?? false {
      return TransportError(.withoutTLS, at: address)
    }
    if code == .certificate, exchange.handle?.trustsNothing ?? false {
      return TransportError(.noCertificates, at: address)
    }
    return TransportError(
      code, at: address,
      detail: isSafe(code) ? exchange.handle?.said.map { exchange.place(of: code) + $0 } : nil)
  }

  /// What the proxy did or is, which libcurl tells as a connection that couldn't be made or broke.
  private static func proxyError(of exchange: CurlExchange) -> TransportError? {
    let address = exchange.request.address
    // The message quotes the proxy's URL, with its password.
    if exchange.handle?.said?.hasPrefix("Unsupported proxy") ?? false {
      return TransportError(.badProxy, at: address)
    }
    guard let status = exchange.handle?.tunnelStatus, !(200...299).contains(status) else {
      return nil
    }
    return TransportError(.status(status), at: address, detail: "the proxy's answer")
  }

  /// Refused where a socket was to be opened, and no other address was left to try; or where a
  /// kept connection was to be used.
  private static func refusal(_ result: CURLcode, of exchange: CurlExchange) -> TransportError.Code?
  {
    switch result {
    case CURLE_ABORTED_BY_CALLBACK: .addressRefused
    case CURLE_COULDNT_CONNECT: exchange.route.openedSockets.isEmpty ? .addressRefused : nil
    default: nil
    }
  }

  private static func code(_ result: CURLcode, isInBody: Bool) -> TransportError.Code {
    switch result {
    case CURLE_URL_MALFORMAT: .invalidAddress
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .couldNotResolve
    case CURLE_COULDNT_CONNECT, CURLE_PROXY: .couldNotConnect
    case CURLE_OPERATION_TIMEDOUT: .timedOut
    case CURLE_PARTIAL_FILE: .shortBody
    case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_HTTP2, CURLE_HTTP2_STREAM:
      .interrupted
    case CURLE_SSL_CONNECT_ERROR: .tls
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CACERT_BADFILE,
      CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CIPHER:
      .certificate
    case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING:
      .malformedAnswer
    // libcurl's own limit for a single line; newer versions say 100, which older headers lack.
    case CURLE_OUT_OF_MEMORY, CURLcode(100): isInBody ? .library(27) : .headersTooLarge
    default: .library(Int(result.rawValue))
    }
  }

  /// Whether libcurl's message can't hold a proxy's URL with its password.
  private static func isSafe(_ code: TransportError.Code) -> Bool {
    switch code {
    case .couldNotResolve, .couldNotConnect, .timedOut, .shortBody, .interrupted, .tls,
      .certificate:
      true
    default: false
    }
  }
}

extension CurlExchange {
  /// What a reader has to know before libcurl's words: a proxy that can't be reached sounds like a
  /// server that can't.
  fileprivate func place(of code: TransportError.Code) -> String {
    let isOnTheWay = code == .couldNotConnect || code == .couldNotResolve
    return route.isProxied && isOnTheWay ? "through the proxy: " : ""
  }
}
