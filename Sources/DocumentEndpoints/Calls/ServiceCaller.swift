import DocumentSync
private import SyncEssentials
import SyncFetching
import SyncText
import SyncTransport

/// A request to a service.
struct ServiceRequest: Sendable {
  var method = HTTPRequest.Method.get
  let address: WebAddress
  var fields: [(name: String, value: String)] = []
  var body: [UInt8]?
  /// The same in parts, where it's more than should be in memory.
  var parts: [RequestBody.Part]?
  /// What kind of content that is. By default JSON.
  var mediaType = "application/json"
  /// Whether the bytes of a file are asked for, as they are, and not an answer in words.
  var isOfBytes = false
  /// Whether the server is told on whose behalf.
  var isSigned = true

  /// A request that asks for what is at an address now, past all caches.
  static func get(_ address: WebAddress, fields: [(String, String)] = []) -> ServiceRequest {
    ServiceRequest(address: address, fields: [("Cache-Control", "no-cache")] + fields)
  }

  static func put(
    _ address: WebAddress, _ body: [UInt8], fields: [(String, String)] = []
  ) -> ServiceRequest {
    ServiceRequest(method: .put, address: address, fields: fields, body: body)
  }
}

extension FileContent {
  /// It, as a part of what is sent.
  var part: RequestBody.Part { .read(count: size) { try read(at: $0, into: $1) } }
}

/// Makes requests on somebody's behalf, one for each call, and says what came of them.
struct ServiceCaller: Sendable {
  let connection: ServiceConnection
  let authorization: AuthorizationSource?
  let longestAnswer: Int
  /// What of the way to the server must be shown nowhere.
  private let secrets: [String]
  var today: @Sendable () -> HTTPDate = {
    HTTPDate(secondsSince1970: Int64(Date().timeIntervalSince1970))
  }

  /// The way to a service, on behalf of whoever the authorization speaks of.
  ///
  /// - Throws: ``ServiceError``.
  init(
    _ address: WebAddress, _ options: ServiceOptions, authorization: AuthorizationSource?
  ) throws {
    do {
      connection = try ServiceConnection(address, options.forConnection) {
        options.transport ?? CurlTransport($0)
      }
    } catch SourceProblem.unreadableFile(let file, let path) {
      throw ServiceError.unreadableFile(file, path: path)
    }
    self.authorization = authorization
    secrets = AccessSecrets.of(options.access)
    longestAnswer = options.longestAnswer
  }

  /// Makes a request that may change something.
  ///
  /// - Throws: why no answer can be used. A server, or a proxy, may have refused, so that the rest
  ///   of its answer was lost; only with `unreachable` and `impossible` it's certain that nothing
  ///   of the request has left.
  func call(_ request: ServiceRequest) async throws(EndpointError) -> ServiceAnswer {
    guard !Task.isCancelled else { throw EndpointError(.unreachable) }
    let value: String?
    do {
      value = request.isSigned ? try await authorization?() : nil
    } catch {
      throw Self.unauthorized(error)
    }
    return try await send(request, value)
  }

  /// Makes a request that only asks.
  ///
  /// - Throws: `EndpointError` where no answer came; `CancellationError`.
  func ask(_ request: ServiceRequest) async throws -> ServiceAnswer {
    do {
      return try await call(request)
    } catch {
      try Task.checkCancellation()
      throw error
    }
  }

  private func send(
    _ request: ServiceRequest, _ authorization: String?
  ) async throws(EndpointError) -> ServiceAnswer {
    let secrets = self.secrets + (authorization.map(AuthorizationSecrets.of) ?? [])
    do {
      let answer = try await connection.answer(
        to: Self.http(request, authorization), limit: longestAnswer)
      return ServiceAnswer(
        method: request.method.name, address: request.address.text, status: answer.status,
        headers: answer.headers, body: answer.body, now: today(), secrets: secrets,
        isOfTheHostAsked: !request.isOfBytes && answer.address.host == request.address.host)
    } catch let error as TransportError {
      let call = EndpointCall(
        request.method.name, request.address.text, problem: error.reason, secrets: secrets)
      throw EndpointError(
        EndpointError.Reason(error).hiding(Redaction(secrets: secrets)),
        notes: CallNotes(wishes: ServerWishes(retryAfter: error.retryAfter), call: call))
    } catch {
      throw EndpointError(.lost)
    }
  }

  private static func http(_ request: ServiceRequest, _ authorization: String?) -> HTTPRequest {
    var http = HTTPRequest(request.address)
    http.method = request.method
    http.acceptsCompression = !request.isOfBytes
    http.headers = HTTPHeaders(request.fields.map { ($0.name, $0.value) })
    http.headers.add("Accept", request.isOfBytes ? "*/*" : "application/json")
    if let authorization { http.headers.add("Authorization", authorization) }
    let parts = request.parts ?? request.body.map { [.bytes($0)] }
    http.body = parts.map { RequestBody(parts: $0, mediaType: request.mediaType) }
    return http
  }

  private static func unauthorized(_ error: any Error) -> EndpointError {
    switch error {
    case is CancellationError: EndpointError(.unreachable)
    case let error as EndpointError: EndpointError(error.reason.ofNext, notes: error.notes)
    default: EndpointError(.impossible("there is no authorization: \(error)"))
    }
  }
}

/// What of an authorization must be shown nowhere.
enum AuthorizationSecrets {
  /// The value, what follows its scheme, and the password of name and password (RFC 7617).
  static func of(_ authorization: String) -> [String] {
    let words = authorization.split(separator: " ", maxSplits: 1).map(String.init)
    guard words.count == 2 else { return [authorization] }
    guard words[0].asciiLowercased == "basic", let bytes = Base64.bytes(of: words[1]) else {
      return [authorization, words[1]] + quoted(in: words[1])
    }
    let pair = String(decoding: bytes, as: UTF8.self)
    let password = pair.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    return [authorization, words[1], pair] + password.dropFirst().map(String.init)
  }

  /// What stands in quotes, as in `Token token="…"`, and behind an equals sign.
  private static func quoted(in text: String) -> [String] {
    text.split(separator: ",").compactMap { part in
      guard let equals = part.firstIndex(of: "=") else { return nil }
      let value = part[part.index(after: equals)...].filter { $0 != "\"" && $0 != " " }
      return value.isEmpty ? nil : value
    }
  }
}

/// A whole answer of a service, whatever its status.
struct ServiceAnswer: Sendable {
  /// The request, for people.
  let method: String
  let address: String
  let status: Int
  let headers: HTTPHeaders
  private(set) var body: [UInt8]
  /// The time here, for what is reckoned from it.
  let now: HTTPDate
  /// What must be shown nowhere.
  let secrets: [String]
  /// Whether it was asked in words, and answered by the host that was asked: not by one to which
  /// the request was led.
  var isOfTheHostAsked = true

  /// How deeply the JSON of an answer may nest: deeper than any document in it may, so that one
  /// that nests too deep doesn't make all the others unreadable.
  static let deepestNesting = 2 * DocumentValue.deepestNesting

  func json() throws(JSONProblem) -> JSONValue {
    var tape = JSONTape(nesting: Self.deepestNesting)
    tape.begin(body)
    let (root, end) = try tape.append(at: 0)
    if let more = body[end...].firstIndex(where: { !JSONValue.isBlank($0) }) {
      throw JSONProblem(reason: "more after its end", offset: more)
    }
    return tape.value(root)
  }

  func replacing(body: [UInt8]) -> ServiceAnswer {
    var answer = self
    answer.body = body
    return answer
  }

  /// Words of it, without what must be shown nowhere.
  func hiding(_ words: String) -> String { Redaction(secrets: secrets).text(words) }

  /// What was said beside the answer.
  ///
  /// - Parameter problem: why the body can't be used.
  func notes(keepingCall isKept: Bool = true, problem: String? = nil) -> CallNotes {
    CallNotes(
      wishes: ServerWishes(headers, now: now), date: isTheServices ? date : nil,
      call: isKept || problem != nil ? call(problem: problem) : nil)
  }

  private var date: Int64? {
    headers["Date"].flatMap { HTTPDate($0) }.map { $0.secondsSince1970 * 1_000 }
  }

  /// Whether the service itself seems to speak, whose clock counts: a portal in front of the
  /// network answers with a page, a redirect or nothing, whatever the status that it gives.
  private var isTheServices: Bool {
    guard isOfTheHostAsked else { return false }
    switch status {
    case 204, 304: return body.isEmpty
    // Lists are long: whoever asked reads them anyway, and says if they can't be understood.
    case 200...299: return [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(firstOfBody)
    default: return (try? json())?.isObject ?? false
    }
  }

  private var firstOfBody: UInt8? { body.first { !JSONValue.isBlank($0) } }

  private func call(problem: String?) -> EndpointCall {
    EndpointCall(
      method, address, status: status,
      fields: headers.fields.map { ($0.name, $0.value) },
      body: body, problem: problem, secrets: secrets)
  }
}

extension ServerWishes {
  /// What an answer's fields ask for. A date is reckoned from the server's own.
  ///
  /// - Parameter now: the time here, where the server tells none.
  init(_ headers: HTTPHeaders, now: HTTPDate) {
    let now = headers["Date"].flatMap { HTTPDate($0) } ?? now
    self.init(
      retryAfter: headers["Retry-After"].flatMap { RetryAfter($0) }?.wait(at: now),
      backoff: headers["Backoff"].flatMap { RetryAfter($0) }?.wait(at: now))
  }

  /// What either of two answers asks for, the longer time.
  func joined(with other: ServerWishes) -> ServerWishes {
    func longer(_ one: Duration?, _ two: Duration?) -> Duration? {
      guard let one, let two else { return one ?? two }
      return max(one, two)
    }
    return ServerWishes(
      retryAfter: longer(retryAfter, other.retryAfter), backoff: longer(backoff, other.backoff))
  }
}
