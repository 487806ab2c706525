import DocumentSync
private import SyncEssentials
import SyncFetching
import SyncText
import SyncTransport

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

  /// A request that sends JSON.
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
  /// The most bytes of an answer.
  let longestAnswer: Int
  var today: @Sendable () -> HTTPDate = {
    HTTPDate(secondsSince1970: Int64(Date().timeIntervalSince1970))
  }

  /// The way to a service, on behalf of whoever the authorization speaks of.
  ///
  /// - Throws: ``ServiceProblem``.
  init(
    _ address: WebAddress, _ options: ServiceOptions, authorization: AuthorizationSource?,
    making makeTransport: (TransportConfiguration) throws -> any Transport = { CurlTransport($0) }
  ) throws {
    do {
      connection = try ServiceConnection(address, options.forConnection, making: makeTransport)
    } catch SourceProblem.unreadableFile(let file, let path) {
      throw ServiceProblem.unreadableFile(file, path: path)
    }
    self.authorization = authorization
    longestAnswer = options.longestAnswer
  }

  /// Makes a request that may change something.
  func call(_ request: ServiceRequest) async -> Result<ServiceAnswer, CallFailure> {
    guard !Task.isCancelled else {
      return .failure(CallFailure(reason: .unreachable, isCancelled: true))
    }
    let value: String?
    do {
      value = request.isSigned ? try await authorization?() : nil
    } catch {
      return .failure(Self.unauthorized(error))
    }
    return await send(request, value)
  }

  /// Makes a request that only asks.
  ///
  /// - Throws: ``EndpointError`` where no answer came; `CancellationError`.
  func ask(_ request: ServiceRequest) async throws -> ServiceAnswer {
    switch await call(request) {
    case .success(let answer): return answer
    case .failure(let failure): throw failure.error
    }
  }

  private func send(
    _ request: ServiceRequest, _ authorization: String?
  ) async -> Result<ServiceAnswer, CallFailure> {
    let secrets = authorization.map(AuthorizationSecrets.of) ?? []
    do {
      let answer = try await connection.answer(
        to: Self.http(request, authorization), limit: longestAnswer)
      return .success(
        ServiceAnswer(
          method: request.method.name, address: request.address.text, status: answer.status,
          headers: answer.headers, body: answer.body, now: today(), secrets: secrets,
          isOfTheHostAsked: !request.isOfBytes && answer.address.host == request.address.host))
    } catch let error as TransportError {
      let call = EndpointCall(
        request.method.name, request.address.text, problem: error.reason, secrets: secrets)
      let wishes = ServerWishes(retryAfter: error.retryAfter)
      return .failure(
        CallFailure(
          reason: EndpointError.Reason(error).hiding(Redaction(secrets: secrets)),
          notes: CallNotes(wishes: wishes, call: call)))
    } catch is CancellationError {
      return .failure(CallFailure(reason: .lost, isCancelled: true))
    } catch {
      return .failure(CallFailure(reason: .lost))
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

  private static func unauthorized(_ error: any Error) -> CallFailure {
    switch error {
    case is CancellationError: CallFailure(reason: .unreachable, isCancelled: true)
    case let error as EndpointError: CallFailure(reason: error.reason.ofNext, notes: error.notes)
    default: CallFailure(reason: .impossible("there is no authorization: \(error)"))
    }
  }
}
