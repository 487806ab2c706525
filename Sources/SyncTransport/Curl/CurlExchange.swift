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
  var phase = Phase.waiting
  /// What cut the exchange, when it wasn't libcurl.
  var cut: (any Error)?
  var watch: TransferWatch
  var pause = Pause.none
  /// The connection, and what is known of it.
  var route: ExchangeRoute
  var answer = ReceivedHead()
  var body = WireBody(.noBody)
  private(set) var bodyBytes: Int64 = 0
  private var sent = SentRequest()

  enum Phase {
    /// In line, or on the way to the loop.
    case waiting
    case running
    case over
  }

  enum Pause {
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
    route = ExchangeRoute(needsNewConnection: !request.isRepeatable)
  }

  var movedBytes: Int64 { bodyBytes + sent.bytes }

  /// Whether the answer came over a connection that carries many exchanges; `nil` without a whole
  /// head.
  var isMultiplexed: Bool? {
    answer.headers.isComplete ? answer.headers.version == .multiplexed : nil
  }

  /// Whether the receiver has been told of the response.
  var hasBegun: Bool { answer.head != nil }

  /// A header line came, its line break included. `false` cuts the transfer.
  func receive(headerLine line: UnsafeRawBufferPointer) -> Bool {
    watch.moved(line.count)
    do throws(FramingProblem) {
      try answer.headers.take(line)
      // An empty line ends a head; every other one needn't ask.
      if line.count <= 2 { try judgeHeadIfComplete() }
      guard !route.needsAnotherConnection else { return false }
    } catch {
      return fail(malformed("\(error)"))
    }
    guard answer.headers.byteCount > request.headerLimit else { return true }
    return fail(TransportError(.headersTooLarge, at: request.address))
  }

  /// Bytes of the body came, in their framing. `false` cuts the transfer.
  func receive(body bytes: UnsafeRawBufferPointer) -> Bool {
    watch.moved(bytes.count)
    do {
      try beginIfNeeded()
      let decoder = answer.decoder
      try body.take(bytes) { bytes in
        if let decoder { try decoder.feed(bytes, deliver: hand) } else { try hand(bytes) }
      }
      // libcurl 7.88 keeps such a connection, and forgets what it has read of it.
      if body.hasExcess { handle?.forbidReuse() }
      noteReadBytes()
      if answer.isUnrecognised, body.isOver, hasMoreThan(answer.framing) { throw surplus }
      return true
    } catch let problem as FramingProblem {
      return fail(malformed("\(problem)"))
    } catch {
      return fail(error)
    }
  }

  /// Reads the next bytes of the request's body; 0 at its end. `nil` cuts the transfer.
  func send(into room: UnsafeMutableRawBufferPointer) -> Int? {
    do throws(TransportError) {
      let count = try request.bodyToSend?.read(at: sent.bytes, into: room) ?? 0
      sent.bytes += Int64(count)
      watch.moved(count)
      return count
    } catch {
      _ = fail(TransportError(.unreadableBody, at: request.address, detail: error.detail))
      return nil
    }
  }

  /// Goes back in the request's body, to send it once more.
  func rewind(to offset: Int64) {
    sent.bytes = offset
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
    guard !route.isProxied else { return true }
    guard let address, !request.admits(address) else { return address != nil }
    route.refused = address
    return false
  }

  /// libcurl asks once more, with the proof that the first answer asked for: that one is over.
  func forgetChallenge() {
    guard request.usesDigest, !hasBegun, answer.headers.isComplete else { return }
    (answer, body) = (ReceivedHead(), WireBody(.noBody))
  }

  /// Whether the request may go out. libcurl sends it once more of its own accord where a kept
  /// connection ends before it has answered: one that must not be repeated goes out only once.
  func mayGoOut() -> Bool {
    guard !sent.hasGoneOut || request.isRepeatable else {
      return fail(TransportError(.interrupted, at: request.address))
    }
    sent.hasGoneOut = true
    return true
  }

  /// A connection is there, and nothing was sent yet.
  func connected(to address: IPAddress?) {
    if let address, !route.isProxied { request.onConnected(address) }
  }

  /// The transfer ended well: tells the receiver of a response without a body, and the caller.
  func succeed() {
    do {
      // libcurl takes a connection that closes amid the headers for a response without a body.
      guard answer.headers.isComplete else {
        throw TransportError(.interrupted, at: request.address)
      }
      try beginIfNeeded()
      guard let head = answer.head else { preconditionFailure("begun without a head") }
      guard body.isWhole, answer.decoder?.isAtEnd ?? true else {
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
    guard answer.headers.isComplete, answer.framing == nil, let handle else { return }
    let framing = try Framing(
      answer.headers, status: handle.status, isHead: request.method == .head,
      mayBeInFrames: route.sockets == nil)
    answer.framing = framing
    body = WireBody(framing)
    // Behind an answer without a body, libcurl 7.88 drops what it has read, and keeps the
    // connection: what comes of the rest would be the next answer.
    if body.isOver, hasMoreThan(framing) { handle.forbidReuse() }
    answer.isUnrecognised = isOnTrust(head(in: framing, status: handle.status))
    if answer.isUnrecognised, !tellsLength(framing) {
      (route.needsAnotherConnection, route.needsNewConnection) = (true, true)
    }
    noteReadBytes()
  }

  /// Begins only when the first byte is there, as only then has libcurl judged the whole head.
  private func beginIfNeeded() throws {
    guard answer.head == nil, let handle else { return }
    guard let framing = answer.framing else { throw malformed("a body without a whole head") }
    let head = head(in: framing, status: handle.status)
    answer.head = head
    try prepareDecoder(for: head)
    // Weak, as the receiver that keeps it is kept by this exchange.
    let resumption = Resumption { [weak self, loop] in
      if let self { _ = loop.post(.resume(self)) }
    }
    try receiver.begin(head, resumption: resumption)
  }

  private func head(in framing: Framing, status: Int) -> HTTPHead {
    HTTPHead(
      address: request.address, status: status, headers: answer.headers.fields, framing: framing,
      isMultiplexed: isMultiplexed ?? false)
  }

  private func prepareDecoder(for head: HTTPHead) throws {
    guard request.acceptsCompression, head.framing != .noBody,
      let coding = ContentCoding(head.headers.all("Content-Encoding"))?.withoutSignedChunks
    else { return }
    guard coding.isGzip else {
      throw TransportError(.unaskedCoding, at: request.address, detail: "\(coding)")
    }
    answer.decoder = GzipDecoder()
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

/// The head of an answer, and what follows from it for the body.
struct ReceivedHead {
  var headers = HeaderBlock()
  var framing: Framing?
  var head: HTTPHead?
  var decoder: GzipDecoder?
  /// Whether only its length tells that the answer is the one to the request.
  var isUnrecognised = false
}

/// What has gone out of a request.
private struct SentRequest {
  /// The bytes of its body that libcurl took.
  var bytes: Int64 = 0
  var hasGoneOut = false
}
