package import DocumentSync
import SyncText
import SyncTransport

/// Rows of a REST service as documents: a model is a collection, a row is a document.
///
/// A row's version is its date and a digest of what it says. Lists go on from the latest date that
/// was seen, which is asked for again each time, so that rows of one moment aren't missed; but only
/// where rows tell that they were deleted, since else nobody would notice that. All other lists are
/// of all rows. A service that doesn't tell the row of that date any more is asked for all of them.
package struct RestEndpoint: QueriedEndpoint {
  let root: WebAddress
  let caller: ServiceCaller
  let dialect: RestDialect

  package init(
    server: String, dialect: RestDialect = RestDialect(),
    options: ServiceOptions = ServiceOptions(), authorization: AuthorizationSource? = nil
  ) throws {
    if case .unknown(let name) = dialect.charset { throw ServiceError.badCharset(name) }
    root = try ServiceAddress.read(server)
    if let files = dialect.files { try Self.check(files, below: root) }
    caller = try ServiceCaller(root, options, authorization: authorization)
    self.dialect = dialect
  }

  /// What the dialect says. It makes no request.
  @concurrent package func capabilities() async throws -> EndpointCapabilities {
    var features: Set<EndpointCapabilities.Feature> = []
    if dialect.tellsChanges { features.formUnion([.changes, .tombstones]) }
    if dialect.tellsConflicts {
      features.formUnion([.preconditions, .conditionsOfChangesAlone])
    }
    if dialect.knowsRequests { features.insert(.idempotencyKeys) }
    return EndpointCapabilities(features: features)
  }

  /// Whether the dialect says so.
  package func makesKeys(in collection: String) -> Bool {
    dialect.serverKeys.contains(collection)
  }

  /// The key, as rows have it.
  package func reference(
    to id: DocumentID, _ version: DocumentVersion?, in collection: String
  ) -> DocumentValue {
    let dialect = dialect.of(collection)
    // A key that nobody wrote down yet and that is a number's digits is a number, most likely.
    let isNumber =
      dialect.hasNumericKeys
      || version.map { RestVersion($0).hasNumericKey } ?? makesKeys(in: collection)
    return (isNumber ? dialect.number(id) : nil) ?? DocumentValue(dialect.key(of: id) ?? id.text)
  }

  /// What is no row of the service, has members of its own names, or can't be asked of its model.
  package func problem(
    with id: DocumentID, _ content: DocumentValue, in collection: String
  ) -> String? {
    let dialect = dialect.of(collection)
    // The id is only this store's own as long as the service has made no key.
    let key = makesKeys(in: collection) ? nil : id
    if let problem = dialect.problem(with: key, content) { return problem }
    let row: DocumentValue
    do {
      row = try dialect.row(of: content, key, changedFrom: nil)
    } catch {
      return "no row can be made of it: \(error)"
    }
    // One that can only be made, or only be changed, is carried as far as it goes.
    let problems = [RestVerb.create, .update].map { verb in
      var call = RestCall(verb, collection, id: dialect.key(of: id).map { DocumentID($0) } ?? id)
      call.body = row
      return problem(with: call)
    }
    return problems.contains(nil) ? nil : problems.lazy.compactMap(\.self).first
  }

  /// Why a call makes no request.
  private func problem(with call: RestCall) -> String? {
    var call = call
    // What completes a call may only be missing for now.
    do { try dialect.prepare?(&call) } catch { return nil }
    do {
      _ = try address(try dialect.line(of: call))
      return nil
    } catch let error as EndpointError {
      guard case .impossible(let why) = error.reason else { return "\(error)" }
      return why
    } catch {
      return "\(error)"
    }
  }

  /// Has the service do something by name, with a model or one of its rows.
  ///
  /// - Returns: what it answered.
  /// - Throws: `EndpointError`, `CancellationError`.
  @concurrent package func callProcedure(
    _ name: String, of collection: String, id: DocumentID? = nil, sending body: DocumentValue? = nil
  ) async throws -> DocumentValue {
    guard dialect.hasLists else { throw EndpointError(.impossible(RestDialect.isPlain)) }
    let dialect = dialect.of(collection)
    var call = RestCall(
      .rpc(name), collection, id: id.map { DocumentID(dialect.key(of: $0) ?? $0.text) })
    call.body = body
    let answer = try await ask(call)
    guard let value = try? DocumentValue(bytes: answer.body) else {
      throw EndpointError(.unreadable("it isn't JSON"), notes: answer.notes(problem: "no JSON"))
    }
    return value
  }

  // MARK: - Requests

  func request(_ call: RestCall, key: String? = nil) throws(EndpointError) -> ServiceRequest {
    var call = call
    let line: RestLine
    do {
      try dialect.prepare?(&call)
      line = try dialect.line(of: call)
    } catch {
      throw EndpointError(.impossible("\(error)"))
    }
    var fields: [(name: String, value: String)] = []
    if line.method == "GET" { fields.append(("Cache-Control", "no-cache")) }
    if let key { fields.append(("Idempotency-Key", key)) }
    guard let method = HTTPRequest.Method(line.method) else {
      throw EndpointError(.impossible("\(line.method) is no method"))
    }
    return ServiceRequest(
      method: method, address: try address(line), fields: fields,
      body: call.body.map { Array($0.json.written) })
  }

  /// Asks for what changes nothing; gives the answer in UTF-8.
  func ask(_ call: RestCall) async throws -> ServiceAnswer {
    try accepted(try await caller.ask(try request(call)))
  }

  /// An answer, in UTF-8, with a status of success that is no error by the service's own word.
  func accepted(_ written: ServiceAnswer) throws -> ServiceAnswer {
    guard let answer = dialect.inUTF8(written) else {
      let problem = "it isn't text in the encoding that it names"
      throw EndpointError(.unreadable(problem), notes: written.notes(problem: problem))
    }
    let isSuccess = (200...299).contains(answer.status)
    let value = isSuccess && dialect.problem == nil ? nil : try? DocumentValue(bytes: answer.body)
    guard isSuccess else {
      throw EndpointError(
        .refused(
          status: answer.status, words: answer.hiding(value?.words ?? ""),
          subject: .collection),
        notes: answer.notes())
    }
    if let value, let words = dialect.problem?(value) {
      throw EndpointError(
        .refused(status: 400, words: answer.hiding(words), subject: .collection),
        notes: answer.notes())
    }
    return answer
  }

  private func address(_ line: RestLine) throws(EndpointError) -> WebAddress {
    var path = line.steps.map { "/" + Self.encoded($0) }.joined()
    if line.endsInSlash { path += "/" }
    let query = line.query.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }
    if !query.isEmpty { path += "?" + query.joined(separator: "&") }
    guard line.steps.allSatisfy({ !$0.isEmpty && ![".", ".."].contains($0) }) else {
      let path = line.steps.joined(separator: "/")
      throw EndpointError(.impossible("\(path) makes no address"))
    }
    return try root.below(path)
  }

  /// As one step of a path, or one part of a query.
  static func encoded(_ text: String) -> String {
    var encoded = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        encoded += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
      }
    }
    return encoded
  }
}

extension RestDialect {
  /// An answer with its text in UTF-8, whatever it was written in; `nil` if it isn't such text.
  func inUTF8(_ answer: ServiceAnswer) -> ServiceAnswer? {
    let type = answer.headers["Content-Type"].flatMap { MediaType($0) }
    let named = type?.charset.flatMap { RestCharset(named: $0) }
    return (named ?? charset).utf8(answer.body).map { answer.replacing(body: $0) }
  }
}

extension DocumentValue {
  /// What a service says about a refusal.
  var words: String? {
    ["detail", "message", "error", "errors"].lazy.compactMap { name in
      self[name].map { $0.string ?? $0.text }
    }.first ?? wordsOfMembers
  }

  /// What it says of each member, where it says nothing else, as Django REST framework does.
  private var wordsOfMembers: String? {
    guard let members, !members.isEmpty else { return nil }
    let said = members.compactMap { name, value -> String? in
      let texts = value.elements?.compactMap(\.string) ?? []
      return texts.isEmpty ? nil : "\(name): \(texts.joined(separator: " "))"
    }
    return said.count == members.count ? said.joined(separator: "; ") : nil
  }
}
