import SyncTransport

/// What a simulated web site answers to one request.
struct WebAnswer: Sendable {
  var status = 200
  var headers: [(String, String)] = []
  var body: [UInt8] = []
  /// Whether the end of the body is vouched for.
  var isFramed = true
  /// Fails in place of an answer.
  var refusal: TransportError.Code?
  /// How many bytes come before it breaks.
  var cut: Int?

  init(_ body: [UInt8]) {
    self.body = body
  }

  init(_ text: String) {
    self.init(Array(text.utf8))
  }

  init(status: Int) {
    self.status = status
  }

  init(refusal: TransportError.Code) {
    self.refusal = refusal
  }

  func head(for request: HTTPRequest) -> HTTPHead {
    var framing = isFramed ? Framing.length(Int64(body.count)) : .untilClose
    if status == 304 { framing = .noBody }
    return HTTPHead(
      address: request.address, status: status, headers: HTTPHeaders(headers), framing: framing)
  }

  /// The part of a pack that a request asks for.
  func part(of request: HTTPRequest) -> WebAnswer {
    guard let range = request.headers["Range"] else { return self }
    let ends = range.dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) }
    guard ends.count == 2, ends[0] <= ends[1], ends[1] < body.count else {
      return WebAnswer(status: 416)
    }
    var answer = self
    answer.status = 206
    answer.headers.append(("Content-Range", "bytes \(ends[0])-\(ends[1])/\(body.count)"))
    answer.body = Array(body[ends[0]...ends[1]])
    return answer
  }

  /// The part of the body that a request asks for (RFC 9110, sections 13.1.5 and 14.2).
  func part(for request: HTTPRequest, tag: String?) -> WebAnswer {
    guard let range = request.headers["Range"] else { return self }
    let ends = range.dropFirst("bytes=".count)
      .split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    // The beginning needn't be of anything.
    let condition = request.headers["If-Range"]
    guard let tag, condition == tag || condition == nil, let first = ends.first ?? nil else {
      return self
    }
    guard first < body.count else { return WebAnswer(status: 416) }
    let last = min((ends.last ?? nil) ?? .max, body.count - 1)
    var answer = self
    answer.status = 206
    answer.headers.append(("Content-Range", "bytes \(first)-\(last)/\(body.count)"))
    answer.body = Array(body[first...last])
    return answer
  }
}
