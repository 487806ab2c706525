import SyncLock
import SyncTransport
import SyncText

/// Fetches over HTTP; see `HTTPClient` for retries, redirects and manners.
package struct HTTPSource: ByteSource {
  /// The source itself: nearly all that is fetched lies beside it.
  let root: WebAddress
  let client: HTTPClient
  let addressGuard: AddressGuard
  let limits: TransferLimits

  package func fetch(_ request: ByteRequest, into sink: any ByteSink) async throws -> ByteAnswer {
    let receiver = SinkReceiver(sink, answering: request.method)
    let response = try await client.fetch(try httpRequest(for: request, receiver), into: receiver)
    try response.head.requireUsable(asPart: receiver.asksForPart, answering: request.method)
    return receiver.answer(to: response)
  }

  private func httpRequest(
    for request: ByteRequest, _ receiver: SinkReceiver
  ) throws -> FetchRequest {
    let address = try root.sibling(request.url) ?? WebAddress(request.url)
    var http = HTTPRequest(address)
    http.method = request.method
    http.body = request.body
    http.acceptsCompression = request.acceptsCompression
    http.connectTimeout = limits.connectTimeout
    http.stallLimit = limits.stall
    http.paceLimit = limits.pace
    http.headers = Self.headers(for: request)
    if let recognises = request.recognises {
      // A refusal brings no bytes.
      http.recognises = {
        $0.status >= 400 || recognises(ByteAnswer(HTTPResponse(head: $0, bodyBytes: 0)))
      }
    }
    var fetch = FetchRequest(http)
    fetch.admits = { [addressGuard] host, ip in addressGuard.admits(ip, for: host) }
    fetch.onConnected = { [addressGuard] host, ip in addressGuard.met(host, at: ip) }
    fetch.check = { response in try request.check(receiver.answer(to: response)) }
    fetch.headersPerAttempt = {
      let rest = request.bypassesCaches ? nil : request.rest()
      receiver.prepare(forPart: rest != nil)
      return rest.map(Self.headers) ?? HTTPHeaders()
    }
    return fetch
  }

  private static func headers(for rest: ByteRequest.Rest) -> HTTPHeaders {
    var headers = HTTPHeaders([
      ("Range", "bytes=\(rest.offset)-" + (rest.last.map(String.init) ?? ""))
    ])
    if let validator = rest.validator { headers.add("If-Range", validator.text) }
    return headers
  }

  private static func headers(for request: ByteRequest) -> HTTPHeaders {
    var headers = request.fields
    if let etag = request.etag { headers.add("If-None-Match", etag) }
    if let date = request.lastModified { headers.add("If-Modified-Since", date) }
    if request.bypassesCaches { headers.add("Cache-Control", "no-cache") }
    return headers
  }
}

private final class SinkReceiver: BodyReceiver {
  private struct State {
    var asksForPart = false
    /// What the attempt's answer says, once its body has begun.
    var begun: ByteAnswer?
  }

  private let sink: any ByteSink
  private let method: HTTPRequest.Method
  private let state = Locked(State())

  init(_ sink: any ByteSink, answering method: HTTPRequest.Method) {
    self.sink = sink
    self.method = method
  }

  func prepare(forPart asksForPart: Bool) {
    state.withLock { $0 = State(asksForPart: asksForPart) }
  }

  /// Whether the attempt that is under way asks for a part.
  var asksForPart: Bool { state.withLock { $0.asksForPart } }

  /// What the response of the attempt says, its body's length included.
  func answer(to response: HTTPResponse) -> ByteAnswer {
    guard var answer = state.withLock({ $0.begun }) else { return ByteAnswer(response) }
    answer.bodyBytes = response.bodyBytes
    return answer
  }

  func begin(_ head: HTTPHead, resumption: Resumption) throws {
    try head.requireUsable(asPart: asksForPart, answering: method)
    var answer = ByteAnswer(HTTPResponse(head: head, bodyBytes: 0))
    // The one that `GET` would be answered with; whoever read the head has checked it.
    if method == .head {
      answer.declaredLength = head.headers["Content-Length"].flatMap { Int64($0) }
    }
    state.withLock { $0.begun = answer }
    try sink.begin(answer)
  }

  func receive(_ bytes: UnsafeRawBufferPointer) throws -> Demand {
    try sink.write(bytes)
    return .more
  }
}

extension HTTPHead {
  /// Only 200 is the resource itself: 206 is a part of it, of use only where one was asked for, 203
  /// somebody's version of it, 204 nothing (RFC 9110, section 15.3). And 304 is no body. WebDAV
  /// answers with 207 (RFC 4918, section 13).
  fileprivate func requireUsable(asPart: Bool, answering method: HTTPRequest.Method) throws {
    let isWhole = status == (method == .get || method == .head ? 200 : 207)
    guard isWhole || status == 304 || status == 206 && asPart else {
      throw TransportError(.status(status), at: address)
    }
  }
}

extension ByteAnswer {
  init(_ response: HTTPResponse) {
    let headers = response.headers
    self.init(url: response.head.address.text, isFramed: response.head.framing.isVouchedFor)
    isNotModified = response.status == 304
    bodyBytes = response.bodyBytes
    if case .length(let length) = response.head.framing { declaredLength = length }
    contentCoding = ContentCoding(headers.all("Content-Encoding"))
    mediaType = headers["Content-Type"].flatMap { MediaType.essence(of: $0) }
    etag = headers["ETag"]
    lastModified = headers["Last-Modified"]
    let answered = response.head.date?.secondsSince1970
    date = answered.map { Double($0) }
    if let date = lastModified.flatMap({ HTTPDate($0) }) {
      modified = Double(date.secondsSince1970)
      hasProvenValidators = answered.map { $0 - date.secondsSince1970 > 1 } ?? false
    }
    if response.status == 206 { part = Part(headers, mediaType: mediaType) }
    // A server needn't announce that it knows parts, only that it doesn't (RFC 9110, section 14.3).
    hasParts = response.status == 200 && headers["Accept-Ranges"]?.lowercased() != "none"
    links = LinkHeader(headers.all("Link"))
    // A link that can't be read may have been the one to the next page: such a page vouches for
    // nothing that it leaves out.
    if links.isBroken { isFramed = false }
  }
}

extension ByteAnswer.Part {
  fileprivate init(_ headers: HTTPHeaders, mediaType: String?) {
    let ranges = headers.all("Content-Range").map { ContentRange($0) }
    if ranges.count == 1, case .bytes(let range, let whole)? = ranges[0],
      mediaType != "multipart/byteranges"
    {
      self = .bytes(range, of: whole)
    } else {
      self = .unclear
    }
  }
}
