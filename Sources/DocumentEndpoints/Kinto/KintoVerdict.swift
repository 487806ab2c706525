import DocumentSync
import SyncText
import SyncTransport

/// What a Kinto server's answer to a request for a document means.
enum KintoVerdict: Sendable, Equatable {
  case ended(PushEnd)
  /// Nobody has said yet whether it's the document that may not be touched, or its collection.
  case forbidden(PushAnswer)
  /// The collection isn't there, or its bucket.
  case homeless(PushAnswer)
  /// The document isn't there, and nobody has said yet whether it was deleted or never was.
  case absent(PushAnswer)

  /// - Parameters:
  ///   - status: of the answer.
  ///   - said: its body.
  ///   - request: what was asked.
  init(_ status: Int, _ said: KintoBody, to request: PushRequest) {
    switch status {
    case 200...299: self = .ended(Self.success(status, said, to: request))
    case 403: self = .forbidden(Self.refusal(status, said, .collection))
    // Only a Kinto server's own word tells that a record isn't there: a page that isn't found may
    // be anybody's.
    case 404, 410:
      self = Self.absence(status, said, to: request)
    // A server that is read-only at present.
    case 405: self = .ended(.answered(Self.refusal(403, said, .collection)))
    // Two requests at once, of which one is to come again.
    case 409: self = .ended(.answered(Self.refusal(503, said, .collection)))
    case 412: self = Self.conflict(said, to: request)
    default: self = .ended(.answered(Self.refusal(status, said, .document)))
    }
  }

  private static func success(
    _ status: Int, _ said: KintoBody, to request: PushRequest
  ) -> PushEnd {
    guard let record = said.record(of: request.id) else { return .unreadable }
    switch request.kind {
    case .create, .update:
      guard record.isThere else { return .unreadable }
      // Numbers may have become others.
      let isAsSent = record.shown?.copy?.value == request.body
      return .answered(
        PushAnswer(
          status: status, version: record.version, shown: isAsSent ? nil : record.shown))
    case .delete:
      guard !record.isThere else { return .unreadable }
      return .answered(PushAnswer(status: status, version: record.version))
    case .look:
      guard let shown = record.shown else { return .unreadable }
      return .answered(PushAnswer(status: status, version: record.version, shown: shown))
    }
  }

  private static func absence(
    _ status: Int, _ said: KintoBody, to request: PushRequest
  ) -> KintoVerdict {
    switch said.kind {
    case .noSuchObject:
      let answer = refusal(status, said, .document)
      return request.kind == .look ? .absent(answer) : .ended(.answered(answer))
    case .nothingToHoldIt: return .homeless(refusal(status, said, .collection))
    case .badParameters, nil: return .ended(.answered(refusal(status, said, .collection)))
    }
  }

  private static func conflict(_ said: KintoBody, to request: PushRequest) -> KintoVerdict {
    var answer = refusal(412, said, .document)
    guard said.isRefusal else { return .ended(.answered(answer)) }
    guard said.existing != nil else { return .absent(answer) }
    answer.shown = said.existing(of: request.id)?.shown?.recognising(request.body)
    return .ended(.answered(answer))
  }

  private static func refusal(
    _ status: Int, _ said: KintoBody, _ subject: RefusalSubject
  ) -> PushAnswer {
    PushAnswer(status: status, words: said.words, subject: subject)
  }
}

/// What a Kinto server said to one request for a document, by itself or as a part of a batch.
struct KintoAnswered: Sendable {
  let request: PushRequest
  let verdict: KintoVerdict
  var notes: CallNotes

  init(_ request: PushRequest, _ answer: ServiceAnswer) {
    self.request = request
    let json: Result<JSONValue, JSONProblem> = Result { () throws(JSONProblem) in
      try answer.json()
    }
    let said = KintoBody(try? json.get(), hiding: answer.hiding)
    verdict = KintoVerdict(answer.status, said, to: request)
    let isSuccess = (200...299).contains(answer.status)
    notes = answer.notes(
      keepingCall: !isSuccess, problem: isSuccess ? Self.problem(verdict, json) : nil)
  }

  init(_ request: PushRequest, _ error: EndpointError) {
    self.request = request
    verdict = .ended(error.end)
    notes = error.notes
  }

  /// A request that isn't sent, since it would be refused, or do harm.
  init(_ request: PushRequest, refusedFor reason: String, at address: String) {
    self.request = request
    let isLook = request.kind == .look
    verdict = .ended(
      .answered(PushAnswer(status: isLook ? 404 : 400, words: reason, subject: .document)))
    notes = CallNotes(
      call: EndpointCall(request.kintoMethod.name, address, problem: "not sent: \(reason)"))
  }

  private static func problem(
    _ verdict: KintoVerdict, _ json: Result<JSONValue, JSONProblem>
  ) -> String? {
    guard verdict == .ended(.unreadable) else { return nil }
    switch json {
    case .failure(let problem): return "at byte \(problem.offset) stands \(problem.reason)"
    case .success: return "it isn't the record that was asked for"
    }
  }
}

extension PushRequest {
  var kintoMethod: HTTPRequest.Method {
    switch kind {
    case .create, .update: .put
    case .delete: .delete
    case .look: .get
    }
  }

  /// What makes it safe to be asked twice; `nil` for a version that no Kinto server gave.
  ///
  /// An empty `If-Match` would be no condition at all.
  var kintoFields: [(name: String, value: String)]? {
    var fields: [(name: String, value: String)] = []
    switch kind {
    case .create: fields.append(("If-None-Match", "*"))
    case .update(let version), .delete(let version):
      guard let change = Int64(version.text) else { return nil }
      fields.append(("If-Match", "\"\(change)\""))
    case .look: fields.append(("Cache-Control", "no-cache"))
    }
    if let idempotencyKey { fields.append(("Idempotency-Key", idempotencyKey)) }
    return fields
  }

  /// What is sent along, as JSON: the document as it is written.
  var kintoBody: [UInt8]? {
    body.map { Array("{\"data\":".utf8) + $0.json.written + Array("}".utf8) }
  }

  /// Why it isn't even sent: a member of the document that the server would take for its own, such
  /// as a time that moves the clock of the whole collection; an id that is none.
  var kintoProblem: String? {
    KintoCarrying.problem(with: id, body ?? [:], in: collection)
  }
}

/// The body of a Kinto server's answer, as far as it is one.
struct KintoBody: Sendable {
  /// The kinds of refusals, by the server's numbers.
  enum Kind: Int, Sendable {
    case badParameters = 107
    /// There is no such record, or collection, where it was looked for.
    case noSuchObject = 110
    /// What should hold it isn't there.
    case nothingToHoldIt = 111
  }

  /// What is told: a record, a list of them, a collection.
  let data: JSONValue?
  /// Whether it's a Kinto server that refuses, and not somebody on the way.
  let isRefusal: Bool
  let kind: Kind?
  /// The server's own words about a refusal.
  let words: String
  /// The record that stands in a request's way, if the server shows it.
  let existing: JSONValue?
  /// Which parts of a request a refusal complains about.
  let culprits: [String]

  /// - Parameters:
  ///   - body: `nil` for what is no JSON.
  ///   - hiding: takes out of the words what must be shown nowhere; by default nothing.
  init(_ body: JSONValue?, hiding: (String) -> String = { $0 }) {
    data = body?["data"]
    let number = body?["errno"]?.integer
    isRefusal = number != nil && body?["code"]?.integer != nil
    kind = number.flatMap { Kind(rawValue: Int(clamping: $0)) }
    words = hiding(isRefusal ? body?["message"]?.string ?? body?["error"]?.string ?? "" : "")
    let details = body?["details"]
    existing = details?["existing"]
    culprits = details?.elements?.compactMap { $0["name"]?.string } ?? []
  }

  init(_ answer: ServiceAnswer) { self.init(try? answer.json(), hiding: answer.hiding) }

  /// The one record that an answer tells, if it is of this document.
  func record(of id: DocumentID) -> KintoRecord? { Self.record(data, of: id) }

  /// The record that stands in the way, if it is of this document.
  func existing(of id: DocumentID) -> KintoRecord? { Self.record(existing, of: id) }

  private static func record(_ json: JSONValue?, of id: DocumentID) -> KintoRecord? {
    guard let json, let record = KintoRecord(json), record.id == id else { return nil }
    return record
  }
}

/// A record as a Kinto server tells it.
struct KintoRecord: Sendable {
  let id: DocumentID
  /// When it was changed last, which is its version, too.
  let changed: Int64
  /// What the server has of it; `nil` where that can't be a document, for this reason.
  let state: Result<DocumentState, DocumentProblem>

  init?(_ json: JSONValue) {
    guard let id = json["id"]?.string, let changed = json["last_modified"]?.integer else {
      return nil
    }
    self.id = DocumentID(id)
    self.changed = changed
    let version = DocumentVersion(String(changed))
    if json["deleted"]?.bool == true {
      state = .success(.deleted(version))
    } else {
      state = Result { () throws(DocumentProblem) in
        let value = try DocumentValue(bytes: Array(json.written))
        return .present(
          ServerCopy(value: value.withoutServerMembers, version: version, time: changed))
      }
    }
  }

  var version: DocumentVersion { DocumentVersion(String(changed)) }

  /// What the server has of it, if that can be read.
  var shown: DocumentState? { try? state.get() }

  var isThere: Bool {
    if case .success(.deleted) = state { return false }
    return true
  }
}

extension DocumentValue {
  fileprivate var withoutServerMembers: DocumentValue {
    DocumentValue(
      joining: objectMembers.lazy.filter { !KintoCarrying.serverMembers.contains($0.name) })
  }
}
