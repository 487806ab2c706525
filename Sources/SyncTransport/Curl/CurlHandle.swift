internal import CSyncCurl

/// One easy handle of libcurl, reused for one exchange after the other. Used by one thread.
final class CurlHandle {
  let easy: UnsafeMutableRawPointer
  private var headerList: UnsafeMutablePointer<curl_slist>?
  /// Whether compression is accepted by a list that says nothing else; `nil` for any other.
  private var bareList: Bool?
  /// What is set until libcurl forgets it: the proxy, empty for none, and the time to connect in.
  private var proxy: String?
  private var connectTimeout: Duration?
  private let message: UnsafeMutablePointer<CChar>
  /// Whether what is the same for all plain exchanges is set: two thirds of all options.
  private var isSetUp = false
  private var forbidsReuse = false

  init() {
    guard let easy = curl_easy_init() else { preconditionFailure("no memory is left for libcurl") }
    self.easy = easy
    message = .allocate(capacity: Int(CURL_ERROR_SIZE))
  }

  deinit {
    curl_easy_cleanup(easy)
    curl_slist_free_all(headerList)
    message.deallocate()
  }

  /// Forgets the last exchange; libcurl keeps its connections elsewhere.
  ///
  /// - Parameter plain: Whether it only fetched, went straight to its host and looked up no
  ///   password: then nothing of it stays in the handle but what the next one sets anew.
  func reset(plain: Bool) {
    if !plain || forbidsReuse {
      curl_easy_reset(easy)
      (isSetUp, forbidsReuse) = (false, false)
      (proxy, connectTimeout) = (nil, nil)
    }
    if bareList == nil { clearHeaders() }
  }

  private func clearHeaders() {
    curl_slist_free_all(headerList)
    headerList = nil
    bareList = nil
  }

  /// Sets everything that an exchange needs.
  ///
  /// - Throws: ``TransportError`` when libcurl refuses a value.
  func prepare(
    for exchange: CurlExchange, configuration: TransportConfiguration, proxy: String?,
    sockets: OpenSockets
  ) throws {
    message.pointee = 0
    do {
      if !isSetUp {
        try setBasics()
        try setNetwork(configuration)
        try setCallbacks(sockets)
        isSetUp = true
      }
      try setProxy(proxy)
      try setNetrc(exchange.request.usesNetrc ? configuration.netrc : .off)
      // Where many exchanges may share a connection, they wait until the first one has told; else
      // each would begin with one of its own.
      try set(CURLOPT_PIPEWAIT, exchange.route.mayShareConnection ? 1 : 0)
      // libcurl sends a request again when a kept connection ends before it has answered. For one
      // that must not be repeated only a new connection is sure to be alive.
      let needsNew = exchange.route.needsNewConnection || exchange.request.usesDigest
      try set(CURLOPT_FRESH_CONNECT, needsNew ? 1 : 0)
      if exchange.request.usesDigest { try setDigest(exchange.request.credentials) }
      try setRequest(exchange.request)
      if !exchange.request.isPlain { try setMethodAndBody(of: exchange) }
      try set(CURLOPT_HTTPHEADER, headerList)
      try setExchange(exchange)
    } catch var refusal as TransportError where refusal.address.isEmpty {
      refusal.address = exchange.request.address.redacted
      throw refusal
    }
  }

  var status: Int { csync_easy_long(easy, CURLINFO_RESPONSE_CODE) }

  /// Whether libcurl had to make a connection for the exchange, other than one that was kept.
  var hasConnectedAnew: Bool { csync_easy_long(easy, CURLINFO_NUM_CONNECTS) > 0 }

  var hasDecryptedBytes: Bool { csync_tls_pending(easy) > 0 }

  func forbidReuse() {
    forbidsReuse = csync_easy_set_long(easy, CURLOPT_FORBID_REUSE, 1) == CURLE_OK
  }

  /// Whether servers are verified, and no certificate is trusted.
  private(set) var trustsNothing = false

  var said: String? { message.pointee == 0 ? nil : String(cString: message) }

  /// The status of a proxy's answer to CONNECT; `nil` where there was none.
  var tunnelStatus: Int? {
    let status = csync_easy_long(easy, CURLINFO_HTTP_CONNECTCODE)
    return status > 0 ? status : nil
  }

  private func setBasics() throws {
    try set(CURLOPT_NOSIGNAL, 1)
    try set(CURLOPT_PROTOCOLS_STR, "http,https")
    try set(CURLOPT_FOLLOWLOCATION, 0)
    // Both are decoded here, see `WireBody` and `GzipDecoder`.
    try set(CURLOPT_HTTP_CONTENT_DECODING, 0)
    try set(CURLOPT_HTTP_TRANSFER_DECODING, 0)
    try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    // A cancelled exchange must not wait for a name that is still being resolved.
    try set(CURLOPT_QUICK_EXIT, 1)
    try set(CURLOPT_BUFFERSIZE, 64 * 1024)
    try set(CURLOPT_ERRORBUFFER, message)
  }

  private func setRequest(_ request: HTTPRequest) throws {
    try set(CURLOPT_URL, request.address.text)
    try set(request.method == .head ? CURLOPT_NOBODY : CURLOPT_HTTPGET, 1)
    if request.connectTimeout != connectTimeout {
      let timeout = request.connectTimeout.components
      let milliseconds = timeout.seconds * 1000 + timeout.attoseconds / 1_000_000_000_000_000
      try set(CURLOPT_CONNECTTIMEOUT_MS, Int(max(1, milliseconds)))
      connectTimeout = request.connectTimeout
    }
    try listHeaders(of: request)
  }

  private func listHeaders(of request: HTTPRequest) throws {
    let fields = request.headersToSend.fields
    let isBare = fields.isEmpty && request.isPlain
    // Nearly always the list is the last one.
    if isBare, bareList == request.acceptsCompression { return }
    clearHeaders()
    // Silence would mean that any coding is welcome (RFC 9110, section 12.5.3).
    try append(
      request.acceptsCompression ? "Accept-Encoding: gzip" : "Accept-Encoding: identity")
    for field in fields {
      try request.requireSendable(field)
      // libcurl's way to send a header without a value.
      try append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
    }
    bareList = isBare ? request.acceptsCompression : nil
  }

  /// What only a method beside those two needs, or a body.
  private func setMethodAndBody(of exchange: CurlExchange) throws {
    let request = exchange.request
    guard request.method != .head else { return }
    if let body = request.bodyToSend {
      try set(CURLOPT_UPLOAD, 1)
      try check(csync_easy_set_body_size(easy, curl_off_t(body.length)))
      try check(csync_easy_set_reader(easy, CurlCallbacks.requestBody))
      try check(csync_easy_set_seeker(easy, CurlCallbacks.rewind))
      let itself = Unmanaged.passUnretained(exchange).toOpaque()
      try set(CURLOPT_READDATA, itself)
      try set(CURLOPT_SEEKDATA, itself)
      // Not asked whether a body is welcome: to wait for that word costs more than a body that
      // isn't.
      try append("Expect:")
    }
    try set(CURLOPT_CUSTOMREQUEST, request.method.name)
  }

  private func append(_ line: String) throws {
    guard let longer = line.withCString({ curl_slist_append(headerList, $0) }) else {
      return try check(CURLE_OUT_OF_MEMORY)
    }
    headerList = longer
  }

  private func setNetwork(_ configuration: TransportConfiguration) throws {
    let version = configuration.allowsHTTP2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1
    try set(CURLOPT_HTTP_VERSION, Int(version))
    try set(CURLOPT_SSL_VERIFYPEER, configuration.verifiesServers ? 1 : 0)
    try set(CURLOPT_SSL_VERIFYHOST, configuration.verifiesServers ? 2 : 0)
    try set(CURLOPT_USERAGENT, configuration.userAgent)
    trustsNothing =
      configuration.verifiesServers && configuration.caFile == nil && CurlLibrary.trustsNothing
    if let file = configuration.caFile { try set(CURLOPT_CAINFO, file) }
    if let client = configuration.clientCertificate {
      try set(CURLOPT_SSLCERT, client.certificateFile)
      try set(CURLOPT_SSLKEY, client.keyFile)
    }
  }

  private func setProxy(_ proxy: String?) throws {
    let proxy = proxy ?? ""
    guard proxy != self.proxy else { return }
    try set(CURLOPT_PROXY, proxy)
    try set(CURLOPT_NOPROXY, "")
    self.proxy = proxy
  }

  private func setNetrc(_ netrc: TransportConfiguration.Netrc) throws {
    switch netrc {
    case .off: break
    case .userFile: try set(CURLOPT_NETRC, Int(CURL_NETRC_OPTIONAL.rawValue))
    case .file(let file):
      try set(CURLOPT_NETRC, Int(CURL_NETRC_OPTIONAL.rawValue))
      try set(CURLOPT_NETRC_FILE, file)
    }
  }

  /// What a server says before it is shown a proof isn't the answer: no bytes of it may lie on a
  /// connection that is used again.
  private func setDigest(_ credentials: Credentials?) throws {
    try check(csync_easy_set_digest(easy))
    forbidReuse()
    guard let credentials else { return }
    try set(CURLOPT_USERNAME, credentials.user)
    try set(CURLOPT_PASSWORD, credentials.password)
  }

  private func setCallbacks(_ sockets: OpenSockets) throws {
    try check(csync_easy_set_writer(easy, CURLOPT_WRITEFUNCTION, CurlCallbacks.body))
    try check(csync_easy_set_writer(easy, CURLOPT_HEADERFUNCTION, CurlCallbacks.headerLine))
    try check(csync_easy_set_socket_opener(easy, CurlCallbacks.openSocket))
    try check(csync_easy_set_request_gate(easy, CurlCallbacks.requestGate))
    try check(csync_easy_set_socket_closer(easy, CurlCallbacks.closeSocket))
    try set(CURLOPT_CLOSESOCKETDATA, Unmanaged.passUnretained(sockets).toOpaque())
  }

  private func setExchange(_ exchange: CurlExchange) throws {
    let itself = Unmanaged.passUnretained(exchange).toOpaque()
    for option in [
      CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_OPENSOCKETDATA, CURLOPT_PREREQDATA,
      CURLOPT_PRIVATE,
    ] {
      try check(csync_easy_set_pointer(easy, option, itself))
    }
  }

  /// Throws without an address; ``prepare`` adds it.
  private func check(_ code: CURLcode) throws {
    guard code == CURLE_OK else { throw TransportError(.library(Int(code.rawValue)), at: "") }
  }

  private func set(_ option: CURLoption, _ value: Int) throws {
    try check(csync_easy_set_long(easy, option, value))
  }

  private func set(_ option: CURLoption, _ value: String) throws {
    // (Handed over as it is, Swift would make an array of its bytes first.)
    try check(value.withCString { csync_easy_set_string(easy, option, $0) })
  }

  private func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer?) throws {
    try check(csync_easy_set_pointer(easy, option, value))
  }
}
