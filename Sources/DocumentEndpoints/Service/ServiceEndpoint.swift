public import DocumentSync
import SyncText
import SyncTransport

/// A plain document service: one address for documents of all types.
///
/// | Request | What for |
/// | --- | --- |
/// | `POST {base}/document` | a new document, its id among its members |
/// | `PUT {base}/document` | a changed document, the same way |
/// | `GET {base}/document/{id}` | what the service has |
/// | `DELETE {base}/document/{id}` | removes it |
///
/// The document comes back under the name `data`. What says yes without it counts for nothing: the
/// document is sent again. A service has no versions, so that of a document is its entity tag, or
/// else the digest of its content; it knows no conditions, so who writes last has the word; and it
/// has no lists, so what others changed is learned of a document by asking for it.
public struct ServiceEndpoint: DocumentEndpoint {
  let root: WebAddress
  let caller: ServiceCaller

  /// A service; nothing is sent yet.
  ///
  /// - Parameters:
  ///   - server: the address before `/document`, with or without a closing slash.
  ///   - options: how the server is reached.
  ///   - authorization: gives the value of the field `Authorization`, as
  ///     ``authorization(token:)`` writes it.
  /// - Throws: ``ServiceProblem``.
  public init(
    server: String, options: ServiceOptions = ServiceOptions(),
    authorization: AuthorizationSource? = nil
  ) throws {
    root = try ServiceAddress.read(server)
    caller = try ServiceCaller(root, options, authorization: authorization)
  }

  /// How such services are told of a token.
  public static func authorization(token: String) -> String { "\(scheme) token=\(token)" }

  private static let scheme = "Token"

  /// Such a service has no files.
  public var keepsFiles: Bool? { false }

  /// Nothing beyond storing, removing and showing. It makes no request.
  @concurrent public func capabilities() async throws -> EndpointCapabilities {
    EndpointCapabilities(features: [])
  }

  /// Nothing is told: there are no lists. It makes no request.
  @concurrent public func changes(
    in collection: String, from place: ChangesPlace
  ) async throws -> ChangesReply {
    ChangesReply(.withoutLists)
  }

  /// What is no object, or names its id itself.
  public func problem(
    with id: DocumentID, _ content: DocumentValue, in collection: String
  ) -> String? {
    guard !id.text.isEmpty, ![".", ".."].contains(id.text) else {
      return "a document service has no document of the id \"\(id)\""
    }
    guard content.isObject else { return "a document service has only objects" }
    guard content[Self.idMember] == nil else {
      return "the member \"id\" is the document's id already; give it another name"
    }
    return nil
  }

  static let idMember = "id"

  /// Stores, removes or shows a document.
  @concurrent public func push(_ request: PushRequest) async -> PushReply {
    if let problem = problem(with: request.id, request.body ?? [:], in: request.collection) {
      let isLook = request.kind == .look
      return PushReply(.answered(PushAnswer(status: isLook ? 404 : 400, words: problem)))
    }
    do throws(EndpointError) {
      let answer = try await caller.call(try http(request))
      let saying = ServiceSaying(answer, to: request)
      let isSuccess = (200...299).contains(answer.status)
      return PushReply(
        saying.end, notes: answer.notes(keepingCall: !isSuccess, problem: saying.problem))
    } catch {
      return PushReply(error)
    }
  }

  private func http(_ request: PushRequest) throws(EndpointError) -> ServiceRequest {
    var path = "/document"
    if request.body == nil { path += "/" + Self.encoded(request.id) }
    var fields: [(name: String, value: String)] = []
    if request.kind == .look { fields.append(("Cache-Control", "no-cache")) }
    if let key = request.idempotencyKey { fields.append(("Idempotency-Key", key)) }
    let body = request.body?.replacing(
      ByteString(Self.idMember), with: DocumentValue(request.id.text))
    return ServiceRequest(
      method: Self.method(of: request.kind), address: try root.below(path), fields: fields,
      body: body.map { Array($0.json.written) })
  }

  private static func method(of kind: SendKind) -> HTTPRequest.Method {
    switch kind {
    case .create: .post
    case .update: .put
    case .delete: .delete
    case .look: .get
    }
  }

  /// An id as one step of a path.
  private static func encoded(_ id: DocumentID) -> String {
    PercentEncoding.encode(path: id.text.utf8).replacing("/", with: "%2F")
  }
}

/// What a document service's answer to a request for a document means.
struct ServiceSaying: Sendable {
  let end: PushEnd
  /// Why a success can't be understood.
  private(set) var problem: String?

  init(_ answer: ServiceAnswer, to request: PushRequest) {
    let json = try? answer.json()
    guard (200...299).contains(answer.status) else {
      end = .answered(Self.refusal(answer, json))
      return
    }
    if request.kind.isDeletion {
      let isUnderstood = answer.status == 204 || json?.isObject ?? false
      end = isUnderstood ? .answered(PushAnswer(status: answer.status)) : .unreadable
      problem = isUnderstood ? nil : "it isn't JSON"
      return
    }
    let key = Self.key(json?["data"])
    if request.kind == .create, let key, key != request.id {
      end = .answered(PushAnswer(status: answer.status, madeAs: key))
      return
    }
    guard key == request.id, let copy = Self.copy(json?["data"], answer) else {
      end = .unreadable
      problem = "it isn't the document under the name \"data\""
      return
    }
    let shown = request.isShown(by: copy.value) ? DocumentState.present(copy) : nil
    end = .answered(PushAnswer(status: answer.status, version: copy.version, shown: shown))
  }

  private static func key(_ data: JSONValue?) -> DocumentID? {
    let said = data?[Array(ServiceEndpoint.idMember.utf8)]
    return (said?.string ?? said?.integer.map { "\($0)" }).map { DocumentID($0) }
  }

  private static func copy(_ data: JSONValue?, _ answer: ServiceAnswer) -> ServerCopy? {
    guard let data, let value = try? DocumentValue(bytes: Array(data.written)) else { return nil }
    let content = value.replacing(ByteString(ServiceEndpoint.idMember), with: nil)
    let version = answer.headers["ETag"] ?? "\(SHA256Digest(of: content.json.canonicalBytes))"
    return ServerCopy(value: content, version: DocumentVersion(version))
  }

  /// That something isn't there is a document's absence only where the service itself says so: a
  /// page that isn't found may come of a wrong address.
  private static func refusal(_ answer: ServiceAnswer, _ json: JSONValue?) -> PushAnswer {
    let status = answer.status
    let words = ["message", "error"].lazy.compactMap { json?[Array($0.utf8)]?.string }.first
    let isAnybodys = [404, 410].contains(status) && !(json?.isObject ?? false)
    return PushAnswer(
      status: status, words: answer.hiding(words ?? ""),
      subject: isAnybodys ? .collection : .document)
  }
}
