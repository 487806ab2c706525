internal import CSyncCurl
internal import SyncLock

/// One exchange under way: what libcurl's callbacks need, and what it comes to.
///
/// It decides nothing about the transfer's order; ``CurlLoop`` does. After it was handed to the
/// loop, everything here is touched on the loop's thread only.
final class CurlExchange: @unchecked Sendable {  // handed over once, then used by one thread
  let request: HTTPRequest
  let receiver: any BodyReceiver
  /// Whether its task was cancelled; set on any thread.
  let isCancelled = Locked(false)
  private let continuation: CheckedContinuation<HTTPResponse, any Error>
  private let loop: CurlLoop

  /// The libcurl handle while the exchange is on it.
  var handle: CurlHandle?
  var isProxied = false
  /// Whether others may be under way on the same connection (HTTP/2).
  var mayShareConnection = false
  var phase = Phase.waiting
  /// What cut the exchange, when it wasn't libcurl.
  var cut: (any Error)?
  /// Counts bytes against the limits of slowness.
  var watch: TransferWatch
  /// The pause that the receiver asked for.
  var pause = Pause.none
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
  /// Whether only its length tells that the answer is the one to the request.
  private var isUnrecognised = false

  /// The connection, and how many bytes had come on it before the request; `nil` where what comes
  /// is encrypted, or nobody counts.
  var carrier: (socket: OpenSocket, received: Int64)?
  var headers = HeaderBlock()
  var framing: Framing?
  var body = WireBody(.noBody)
  private var head: HTTPHead?
  /// The bytes that the receiver got.
  private(set) var bodyBytes: Int64 = 0
  private var decoder: GzipDecoder?
  /// The bytes of the request's body that libcurl took.
  private(set) var sentBytes: Int64 = 0
  private var hasGoneOut = false

  /// Where an exchange stands.
  enum Phase {
    /// In line, or on the way to the loop.
    case waiting
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
    watch = TransferWatch(request.stallLimit, request.paceLimit)
    needsNewConnection = !request.isRepeatable
  }

  /// The bytes of both bodies.
  var movedBytes: Int64 { bodyBytes + sentBytes }

  /// Whether the answer came over a connection that carries many exchanges; `nil` without a whole
  /// head.
  var isMultiplexed: Bool? { headers.isComplete ? headers.version == .multiplexed : nil }

  /// Whether the receiver has been told of the response.
  var hasBegun: Bool { head != nil }

  /// A header line came, its line break included. `false` cuts the transfer.
  func receive(headerLine line: UnsafeRawBufferPointer) -> Bool {
    watch.moved(line.count)
    do throws(FramingProblem) {
      try headers.take(line)
      // An empty line ends a head; every other one needn't ask.
      if line.count <= 2 { try judgeHeadIfComplete() }
      guard !needsAnotherConnection else { return false }
    } catch {
      return fail(malformed("\(error)"))
    }
    guard headers.byteCount > request.headerLimit else { return true }
    return fail(TransportError(.headersTooLarge, at: request.address))
  }

  /// Bytes of the body came, in their framing. `false` cuts the transfer.
  func receive(body bytes: UnsafeRawBufferPointer) -> Bool {
    watch.moved(bytes.count)
    do {
      try beginIfNeeded()
      try body.take(bytes) { bytes in
        if let decoder { try decoder.feed(bytes, deliver: hand) } else { try hand(bytes) }
      }
      // libcurl 7.88 keeps such a connection, and forgets what it has read of it.
      if body.hasExcess { handle?.forbidReuse() }
      noteReadBytes()
      if isUnrecognised, body.isOver, hasMoreThan(framing) { throw surplus }
      return true
    } catch let problem as FramingProblem {
      return fail(malformed("\(problem)"))
    } catch {
      return fail(error)
    }
  }

  /// Reads the next bytes of the request's body; 0 at its end. `nil` cuts the transfer.
  func send(into room: UnsafeMutableRawBufferPointer) -> Int? {
    do throws(RequestBody.Unreadable) {
      let count = try request.bodyToSend?.read(at: sentBytes, into: room) ?? 0
      sentBytes += Int64(count)
      watch.moved(count)
      return count
    } catch {
      _ = fail(TransportError(.unreadableBody, at: request.address, detail: error.reason))
      return nil
    }
  }

  /// Goes back in the request's body, to send it once more.
  func rewind(to offset: Int64) {
    sentBytes = offset
  }

  /// Hands bytes to the receiver. A packed body may give very many within one call of libcurl's.
  private func hand(_ bytes: UnsafeRawBufferPointer) throws {
    guard !isCancelled.withLock({ $0 }) else { throw CancellationError() }
    bodyBytes += Int64(bytes.count)
    guard try receiver.receive(bytes) == .pause else { return }
    pause = .wanted
    watch.stop(at: CurlLoop.now)
  }

  /// Whether that address may be talked to. `false` is remembered.
  func admits(_ address: IPAddress?) -> Bool {
    guard !isProxied else { return true }
    guard let address, !request.admits(address) else { return address != nil }
    refused = address
    return false
  }

  /// Whether the request may go out. libcurl sends it once more of its own accord where a kept
  /// connection ends before it has answered: one that must not be repeated goes out only once.
  func mayGoOut() -> Bool {
    guard !hasGoneOut || request.isRepeatable else {
      return fail(TransportError(.interrupted, at: request.address))
    }
    hasGoneOut = true
    return true
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
      guard body.isWhole, decoder?.isAtEnd ?? true else {
        throw TransportError(.shortBody, at: request.address)
      }
      finish(.success(HTTPResponse(head: head, bodyBytes: bodyBytes)))
    } catch {
      finish(.failure(error))
    }
  }

  func finish(_ result: Result<HTTPResponse, any Error>) {
    phase = .over
    continuation.resume(with: result)
  }

  /// Decides where the body ends, before libcurl reads any of it.
  private func judgeHeadIfComplete() throws(FramingProblem) {
    guard headers.isComplete, framing == nil, let handle else { return }
    let framing = try Framing(
      headers, status: handle.status, isHead: request.method == .head,
      mayBeInFrames: sockets == nil)
    self.framing = framing
    body = WireBody(framing)
    // Behind an answer without a body, libcurl 7.88 drops what it has read, and keeps the
    // connection: what comes of the rest would be the next answer.
    if body.isOver, hasMoreThan(framing) { handle.forbidReuse() }
    isUnrecognised = isOnTrust(head(in: framing, status: handle.status))
    if isUnrecognised, !tellsLength(framing) {
      (needsAnotherConnection, needsNewConnection) = (true, true)
    }
    noteReadBytes()
  }

  /// Begins only when the first byte is there, as only then has libcurl judged the whole head.
  private func beginIfNeeded() throws {
    guard head == nil, let handle else { return }
    guard let framing else { throw malformed("a body without a whole head") }
    let head = head(in: framing, status: handle.status)
    self.head = head
    try prepareDecoder(for: head)
    // Weak, as the receiver that keeps it is kept by this exchange.
    let resumption = Resumption { [weak self, loop] in
      if let self { _ = loop.post(.resume(self)) }
    }
    try receiver.begin(head, resumption: resumption)
  }

  private func head(in framing: Framing, status: Int) -> HTTPHead {
    HTTPHead(
      address: request.address, status: status, headers: headers.fields, framing: framing,
      isMultiplexed: isMultiplexed ?? false)
  }

  private func prepareDecoder(for head: HTTPHead) throws {
    guard request.acceptsCompression, head.framing != .noBody,
      let coding = head.headers["Content-Encoding"], !coding.isSameFieldName(as: "identity")
    else { return }
    guard coding.isSameFieldName(as: "gzip") || coding.isSameFieldName(as: "x-gzip") else {
      throw malformed("the coding \(coding) wasn't asked for")
    }
    decoder = GzipDecoder()
  }

  private var surplus: TransportError {
    TransportError(
      .interrupted, at: request.address, detail: "the server sent more than it was asked for")
  }

  private func malformed(_ detail: String) -> TransportError {
    TransportError(.malformedAnswer, at: request.address, detail: detail)
  }

  func fail(_ error: any Error) -> Bool {
    cut = error
    return false
  }
}
