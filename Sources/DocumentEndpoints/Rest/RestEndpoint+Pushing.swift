package import DocumentSync
import SyncText
import SyncTransport

extension RestEndpoint {
  /// Stores, removes or shows a row.
  @concurrent package func push(_ request: PushRequest) async -> EndpointReply<PushEnd> {
    // Not what is wrong with its address: that isn't the document's fault, and may be mended.
    let dialect = dialect.of(request.collection)
    let isKeyless = request.kind == .create && makesKeys(in: request.collection)
    let key = isKeyless ? nil : request.id
    if let body = request.body, let problem = dialect.problem(with: key, body) {
      return EndpointReply<PushEnd>(.answered(PushAnswer(status: 400, words: problem)))
    }
    do throws(EndpointError) {
      var http = try self.request(
        try call(request, key, dialect), key: request.idempotencyKey)
      // Only an entity tag is a validator (RFC 9110, section 13.1.2).
      if let tag = request.known?.text, dialect.hasEntityTags, tag.hasSuffix("\"") {
        http.fields.append(("If-None-Match", tag))
      }
      let written = try await caller.call(http)
      let answer = dialect.inUTF8(written) ?? written
      let verdict = RestVerdict(answer, to: request, isKeyless: isKeyless, dialect)
      let isSuccess = (200...299).contains(answer.status)
      return EndpointReply<PushEnd>(
        verdict.end, notes: answer.notes(keepingCall: !isSuccess, problem: verdict.problem))
    } catch {
      return EndpointReply<PushEnd>(error)
    }
  }

  /// - Parameter key: the row's; `nil` for one that the service makes.
  private func call(
    _ request: PushRequest, _ key: DocumentID?, _ dialect: RestDialect
  ) throws(EndpointError) -> RestCall {
    var call = RestCall(
      request.kind.verb, request.collection,
      id: DocumentID(dialect.key(of: request.id) ?? request.id.text))
    // An entity tag is a service's own word, whatever it looks like.
    let version = dialect.hasEntityTags ? nil : request.kind.version.map { RestVersion($0) }
    do {
      call.body = try request.body.map {
        try dialect.row(of: $0, key, changedFrom: version)
      }
    } catch {
      throw EndpointError(.impossible("\(error)"))
    }
    // What has no body says by its query which version it is about.
    if request.kind.isDeletion, let modified = dialect.modified, let date = version?.date {
      call.query.append((modified, RestDate(date)?.parameter ?? date))
    }
    return call
  }
}

extension SendKind {
  fileprivate var verb: RestVerb {
    switch self {
    case .create: .create
    case .update: .update
    case .delete: .delete
    case .look: .get
    }
  }

  fileprivate var version: DocumentVersion? {
    switch self {
    case .update(let version), .delete(let version): version
    case .create, .look: nil
    }
  }
}

/// What a service's answer to a request for a row means.
struct RestVerdict: Sendable {
  private(set) var end: PushEnd
  /// Why a success can't be understood.
  private(set) var problem: String?

  /// - Parameter isKeyless: whether the service was to make a row with a key of its own.
  init(
    _ answer: ServiceAnswer, to request: PushRequest, isKeyless: Bool = false,
    _ dialect: RestDialect
  ) {
    let value = try? DocumentValue(bytes: answer.body)
    let key =
      isKeyless
      ? value.flatMap(dialect.key(in:)) ?? answer.id(ofLocation: dialect.prefix)
      : request.id
    let row = key.flatMap { key in value.flatMap { dialect.row(in: $0, of: key) } }
    let isSuccess = (200...299).contains(answer.status)
    let said = answer.hiding(value?.words ?? "")
    if isSuccess, let value, let words = dialect.problem?(value) {
      end = .answered(PushAnswer(status: 400, words: answer.hiding(words)))
    } else if [409, 412].contains(answer.status)
      || isSuccess && value.map(dialect.tellsConflict) ?? false
    {
      end = .answered(PushAnswer(status: 412, shown: row?.state, words: said))
    } else if isSuccess {
      (end, problem) = Self.success(answer, value, row, request, isKeyless ? key : nil, dialect)
      if isKeyless { nameMade(key) }
    } else {
      // That something isn't there is a row's absence only where the service itself says so: a page
      // that isn't found may come of a wrong address.
      let isAnybodys = [404, 410].contains(answer.status) && !(value?.isObject ?? false)
      end = .answered(
        PushAnswer(
          status: answer.status, words: said,
          subject: isAnybodys ? .collection : .document))
    }
  }

  /// Says which key the service made. It's known whatever else can't be read of the answer: then
  /// the row is looked at.
  private mutating func nameMade(_ key: DocumentID?) {
    guard let key else {
      if case .answered = end { (end, problem) = (.unreadable, "it doesn't name the row's key") }
      return
    }
    switch end {
    case .answered(var answer):
      answer.madeAs = key
      end = .answered(answer)
    case .unreadable: (end, problem) = (.answered(PushAnswer(status: 201, madeAs: key)), nil)
    case .lost, .unreachable, .impossible: break
    }
  }

  /// - Parameter key: that the service made, if it was to.
  private static func success(
    _ answer: ServiceAnswer, _ value: DocumentValue?, _ row: RestRow?, _ request: PushRequest,
    _ key: DocumentID?, _ dialect: RestDialect
  ) -> (PushEnd, String?) {
    if request.kind.isDeletion {
      guard answer.status == 204 || value != nil else { return (.unreadable, "it isn't JSON") }
      return (.answered(PushAnswer(status: answer.status)), nil)
    }
    // No portal says that there is nothing to say. Where rows have no dates, what was sent is all
    // that their version is made of.
    let saysNothing = answer.status == 204 || key != nil && answer.body.isEmpty
    if saysNothing, dialect.modified == nil, !dialect.hasEntityTags, let body = request.body {
      let isNumber =
        dialect.hasNumericKeys
        || key.map { dialect.number($0) != nil }
          ?? request.kind.version.map { RestVersion($0).hasNumericKey } ?? false
      let version = RestVersion(date: nil, content: body, hasNumericKey: isNumber).version
      return (.answered(PushAnswer(status: 204, version: version)), nil)
    }
    if request.kind == .create, key == nil, let value, let key = dialect.key(in: value),
      key != request.id
    {
      return (.answered(PushAnswer(status: answer.status, madeAs: key)), nil)
    }
    guard let row else { return (.unreadable, "it isn't the row that was asked for") }
    guard var copy = row.state.copy else {
      return (.answered(PushAnswer(status: 410, shown: row.state)), nil)
    }
    let tag = dialect.hasEntityTags ? answer.headers["ETag"] : nil
    if let tag { copy = ServerCopy(value: copy.value, version: DocumentVersion(tag)) }
    if request.isShown(by: copy.value) {
      let answer = PushAnswer(
        status: answer.status, version: copy.version, shown: .present(copy))
      return (.answered(answer), nil)
    }
    // As the next list has it, if nothing else was stored than was sent.
    let version =
      tag.map { DocumentVersion($0) }
      ?? RestVersion(
        date: row.date, content: request.body ?? copy.value, hasNumericKey: row.hasNumericKey,
        isWhole: row.hasWholeDigest
      ).version
    return (.answered(PushAnswer(status: answer.status, version: version)), nil)
  }
}

extension RestDialect {
  fileprivate func row(in answer: DocumentValue, of id: DocumentID) -> RestRow? {
    guard let found = row.map({ answer[$0] }) ?? answer, let read = row(of: found).row,
      read.id == id
    else { return nil }
    return read
  }

  /// The key of an answer's row, whatever else is wrong with that.
  fileprivate func key(in answer: DocumentValue) -> DocumentID? {
    (row.map { answer[$0] } ?? answer).flatMap { row(of: $0).id }
  }

  /// Whether an answer says that the change met another one.
  fileprivate func tellsConflict(_ answer: DocumentValue) -> Bool {
    if let isConflict { return isConflict(answer) }
    guard let conflict else { return false }
    let flag = answer[conflict] ?? (row.map { answer[$0] } ?? answer)?[conflict]
    return flag?.isTrue ?? false
  }
}

extension ServiceAnswer {
  /// The last step of its `Location` (RFC 9110, section 10.2.2), which says where a row was made.
  ///
  /// - Parameter prefix: what stands before the key in an id.
  fileprivate func id(ofLocation prefix: String) -> DocumentID? {
    guard status == 201 || status == 204, let place = headers["Location"] else { return nil }
    let path = place.prefix { $0 != "?" && $0 != "#" }
    guard let step = path.split(separator: "/").last else { return nil }
    return PercentEncoding.decode(String(step))
      .map { DocumentID(prefix + String(decoding: $0, as: UTF8.self)) }
  }
}
