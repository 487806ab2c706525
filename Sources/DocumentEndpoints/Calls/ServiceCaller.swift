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

/// Makes requests on somebody's behalf, one for each call, and says what came of them.
struct ServiceCaller: Sendable {
  let connection: ServiceConnection
  let authorization: AuthorizationSource?
  let longestAnswer: Int
  var today: @Sendable () -> HTTPDate = {
    HTTPDate(secondsSince1970: Int64(Date().timeIntervalSince1970))
  }

  /// The way to a service, on behalf of whoever the authorization speaks of.
  ///
  /// - Throws: ``ServiceProblem``.
  init(
    _ address: WebAddress, _ options: ServiceOptions, authorization: AuthorizationSource?
  ) throws {
    do {
      connection = try ServiceConnection(address, options.forConnection) {
        options.transport ?? CurlTransport($0)
      }
    } catch SourceProblem.unreadableFile(let file, let path) {
      throw ServiceProblem.unreadableFile(file, path: path)
    }
    self.authorization = authorization
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
    let secrets = authorization.map(AuthorizationSecrets.of) ?? []
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
    http.body = request.body.map { RequestBody($0, mediaType: request.mediaType) }
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
