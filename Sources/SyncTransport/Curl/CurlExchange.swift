/// One exchange under way: what libcurl's callbacks need, and what it comes to.
///
/// It decides nothing about the transfer's order; ``CurlLoop`` does. After it was handed to the
/// loop, everything here is touched on the loop's thread only.
final class CurlExchange: @unchecked Sendable {  // handed over once, then used by one thread
  let request: HTTPRequest
  let receiver: any BodyReceiver
  private let continuation: CheckedContinuation<HTTPResponse, any Error>
  private let loop: CurlLoop

  /// The libcurl handle while the exchange is on it.
  var handle: CurlHandle?
  /// Whether a proxy stands between.
  var isProxied = false
  /// Where the exchange stands.
  var phase = Phase.waiting
  /// What cut the exchange, when it wasn't libcurl.
  var cut: (any Error)?
  /// Counts bytes against the stall limit.
  var stall: StallWatch
  /// The pause that the receiver asked for.
  var pause = Pause.none
  /// The address that was refused, and whether another one was tried.
  var refused: IPAddress?
  var hasOpenedSocket = false

  private var headers = HeaderBlock()
  private var head: HTTPHead?
  private var bodyBytes: Int64 = 0
  private var decoder: GzipDecoder?

  /// Where an exchange stands.
  enum Phase {
    /// In line, or on the way to the loop.
    case waiting
    /// With libcurl.
    case running
    /// Its caller has been answered.
    case over
  }

  /// How far a pause has come.
  enum Pause {
    /// Bytes may come.
    case none
    /// The receiver wants none; none have come since.
    case wanted
    /// libcurl holds bytes back.
    case inForce
  }

  init(
    _ request: HTTPRequest, into receiver: any BodyReceiver, on loop: CurlLoop,
    continuation: CheckedContinuation<HTTPResponse, any Error>
  ) {
    self.request = request
    self.receiver = receiver
    self.loop = loop
    self.continuation = continuation
    stall = StallWatch(request.stallLimit)
  }

  /// Whether the receiver has been told of the response.
  var hasBegun: Bool { head != nil }

  /// A header line came, its line break included. `false` cuts the transfer.
  func receive(headerLine line: UnsafeRawBufferPointer) -> Bool {
    stall.received(line.count)
    headers.take(line)
    guard headers.byteCount > request.headerLimit else { return true }
    return fail(TransportError(.headersTooLarge, at: request.address))
  }

  /// Bytes of the body came. `false` cuts the transfer.
  func receive(body bytes: UnsafeRawBufferPointer) -> Bool {
    stall.received(bytes.count)
    do {
      try beginIfNeeded()
      if let decoder {
        try decoder.feed(bytes, deliver: hand)
      } else {
        try hand(bytes)
      }
      return true
    } catch is GzipDecoder.Damage {
      return fail(TransportError(.malformedAnswer, at: request.address, detail: "damaged gzip"))
    } catch {
      return fail(error)
    }
  }

  /// Hands bytes to the receiver.
  private func hand(_ bytes: UnsafeRawBufferPointer) throws {
    bodyBytes += Int64(bytes.count)
    guard try receiver.receive(bytes) == .pause else { return }
    pause = .wanted
    stall.stop()
  }

  /// Whether that address may be talked to. `false` is remembered.
  func admits(_ address: IPAddress?) -> Bool {
    guard !isProxied else { return true }
    guard let address, !request.admits(address) else { return address != nil }
    refused = address
    return false
  }

  /// A connection is there, and nothing was sent yet.
  func connected(to address: IPAddress?) {
    if let address, !isProxied { request.onConnected(address) }
  }

  /// The transfer ended well: tells the receiver of a response without a body, and the caller.
  func succeed() {
    do {
      // libcurl takes a connection that closes amid the headers for a response without a body.
      guard headers.isComplete else { throw TransportError(.interrupted, at: request.address) }
      try beginIfNeeded()
      guard let head else { preconditionFailure("begun without a head") }
      guard decoder?.isAtEnd ?? true else { throw TransportError(.shortBody, at: request.address) }
      finish(.success(HTTPResponse(head: head, bodyBytes: bodyBytes)))
    } catch {
      finish(.failure(error))
    }
  }

  /// Answers the caller.
  func finish(_ result: Result<HTTPResponse, any Error>) {
    phase = .over
    continuation.resume(with: result)
  }

  /// Begins only when the first byte is there, as only then has libcurl judged the whole head.
  private func beginIfNeeded() throws {
    guard head == nil, let handle else { return }
    let head = handle.head(of: request, headers: headers.fields)
    // Two lengths are two opinions of where the body ends (RFC 9112, section 6.3).
    guard Set(head.headers.all("Content-Length")).count < 2 else {
      throw TransportError(.malformedAnswer, at: request.address, detail: "two lengths")
    }
    self.head = head
    try prepareDecoder(for: head)
    // Weak, as the receiver that keeps it is kept by this exchange.
    let resumption = Resumption { [weak self, loop] in
      if let self { _ = loop.post(.resume(self)) }
    }
    try receiver.begin(head, resumption: resumption)
  }

  private func prepareDecoder(for head: HTTPHead) throws {
    guard request.acceptsCompression, head.framing != .noBody,
      let coding = head.headers["Content-Encoding"], !coding.isSameFieldName(as: "identity")
    else { return }
    guard coding.isSameFieldName(as: "gzip") || coding.isSameFieldName(as: "x-gzip") else {
      throw TransportError(
        .malformedAnswer, at: request.address, detail: "the coding \(coding) wasn't asked for")
    }
    decoder = GzipDecoder()
  }

  private func fail(_ error: any Error) -> Bool {
    cut = error
    return false
  }
}
