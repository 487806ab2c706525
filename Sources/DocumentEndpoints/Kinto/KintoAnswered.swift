import DocumentSync
import SyncText
import SyncTransport

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
    let saying = KintoSaying(try? json.get(), hiding: answer.hiding)
    verdict = KintoVerdict(answer.status, saying, to: request)
    let isSuccess = (200...299).contains(answer.status)
    notes = answer.notes(
      keepingCall: !isSuccess, problem: isSuccess ? Self.problem(verdict, json) : nil)
  }

  init(_ request: PushRequest, _ failure: CallFailure) {
    self.request = request
    verdict = .ended(failure.end)
    notes = failure.notes
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
  /// How a Kinto server is asked.
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
