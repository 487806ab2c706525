package import DocumentSync
import SyncText
import SyncTransport

/// A bucket of a Kinto server, whose collections hold documents.
///
/// Where the bucket or a collection isn't there, it's made as soon as it is needed, if the account
/// may: with a request that changes nothing that is there.
///
/// An answer may leave open what it means: then the endpoint asks further before it answers itself.
/// Whether 403 is about a document or about its collection, the collection's list tells; whether a
/// document that isn't there was deleted, its tombstone does. Nothing that may have had an effect
/// is sent twice.
package struct KintoEndpoint: DocumentEndpoint {
  let places: KintoPlaces
  let caller: ServiceCaller
  let pageSize: Int?

  package init(
    server: String, bucket: String = "default", pageSize: Int? = nil,
    options: ServiceOptions = ServiceOptions(), authorization: AuthorizationSource? = nil
  ) throws {
    places = try KintoPlaces(server: server, bucket: bucket)
    self.pageSize = pageSize.map { max(1, $0) }
    caller = try ServiceCaller(places.root, options, authorization: authorization)
  }

  /// What the server can do, and whether it knows the account.
  @concurrent package func capabilities() async throws -> EndpointCapabilities {
    let answer = try await ask(places.greeting)
    let json = try json(of: answer)
    guard answer.status == 200, json["http_api_version"] != nil, let settings = json["settings"]
    else { throw refusal(answer, expecting: "the greeting of a Kinto server") }
    if caller.authorization != nil, json["user"] == nil {
      let words = "the server doesn't know this account, or its password is another one"
      throw EndpointError(
        .refused(status: 401, words: words, subject: .collection), notes: answer.notes())
    }
    var features: Set<EndpointCapabilities.Feature> = [.preconditions, .changes, .tombstones]
    if json["capabilities"]?["attachments"] != nil { features.insert(.files) }
    return EndpointCapabilities(
      features: features,
      batchEntries: settings["batch_max_requests"]?.integer.map { Int(clamping: $0) } ?? 1,
      isReadOnly: settings["readonly"]?.bool ?? false)
  }

  /// What a Kinto server would refuse, or give back otherwise: names of its own, ids that it can't
  /// have, numbers that it would round.
  package func problem(
    with id: DocumentID, _ content: DocumentValue, in collection: String
  ) -> String? {
    KintoCarrying.problem(with: id, content, in: collection)
  }

  func ask(_ path: String, fields: [(String, String)] = []) async throws -> ServiceAnswer {
    try await caller.ask(.get(try places.address(path), fields: fields))
  }

  func json(of answer: ServiceAnswer) throws(EndpointError) -> JSONValue {
    do {
      return try answer.json()
    } catch {
      guard (200...299).contains(answer.status) else { throw refusal(answer, expecting: "") }
      throw Self.unreadable("at byte \(error.offset) stands \(error.reason)", answer)
    }
  }

  /// What it means that an answer isn't the one that was asked for.
  func refusal(_ answer: ServiceAnswer, expecting expected: String) -> EndpointError {
    guard !(200...299).contains(answer.status) else {
      return Self.unreadable("it isn't \(expected)", answer)
    }
    let said = KintoBody(answer)
    return EndpointError(
      .refused(status: answer.status, words: said.words, subject: .collection),
      notes: answer.notes())
  }

  static func unreadable(_ reason: String, _ answer: ServiceAnswer) -> EndpointError {
    EndpointError(.unreadable(answer.hiding(reason)), notes: answer.notes(problem: reason))
  }
}

extension KintoEndpoint {
  /// What is known of a collection itself.
  enum Home: Equatable {
    /// It's there, in this version; `nil` where that may not be read.
    case there(Int64?)
    /// It isn't there, or its bucket isn't.
    case missing
  }

  /// Asks for the collection itself.
  func home(of collection: String) async throws -> Home {
    let answer = try await ask(places.path(of: collection))
    switch answer.status {
    case 200:
      guard let version = KintoBody(try json(of: answer)).data?["last_modified"]?.integer else {
        throw Self.unreadable("it isn't a collection", answer)
      }
      return .there(version)
    case 403: return .there(nil)
    case 404 where KintoBody(answer).kind != nil: return .missing
    default: throw refusal(answer, expecting: "a collection")
    }
  }

  /// What came of making a collection.
  struct Making {
    var isMade = false
    /// What the server asked for beside its answers.
    var wishes = ServerWishes()
    /// Why it can't be made just now.
    var trouble: EndpointError?
  }

  func make(_ collection: String) async -> Making {
    var making = Making()
    for path in [places.bucketPath, places.path(of: collection)] where making.trouble == nil {
      await make(path: path, &making)
    }
    return making
  }

  private func make(path: String, _ making: inout Making) async {
    guard let address = try? places.address(path) else { return }
    let request = ServiceRequest.put(
      address, Array("{}".utf8), fields: [("If-None-Match", "*")])
    do throws(EndpointError) {
      let answer = try await caller.call(request)
      making.isMade = making.isMade || answer.status == 201
      making.wishes = making.wishes.joined(with: answer.notes().wishes)
      making.trouble = Self.trouble(refusal(answer, expecting: "a bucket or a collection"))
    } catch {
      making.trouble = Task.isCancelled ? nil : error
    }
  }

  /// What is no word of the server's on what was asked.
  private static func trouble(_ error: EndpointError) -> EndpointError? {
    switch error.reason {
    case .refused(let status, _, _):
      [408, 425, 429].contains(status) || status >= 500 ? error : nil
    case .lost, .unreachable: error
    case .unreadable, .impossible: nil
    }
  }
}

/// Where a Kinto server keeps what: the addresses of one bucket.
struct KintoPlaces: Sendable {
  /// The server, with the version of its protocol and without a closing slash.
  let root: WebAddress
  let bucket: String

  /// The places of a bucket.
  ///
  /// - Parameter server: With or without the version, with or without a closing slash.
  /// - Throws: ``ServiceError``.
  init(server: String, bucket: String) throws(ServiceError) {
    let web = try ServiceAddress.read(server)
    let steps = web.path.split(separator: "/")
    guard !steps.contains("buckets") else { throw .inside(web.redacted) }
    let isWhole = steps.last.map(String.init) == Self.version
    let text = steps.isEmpty ? "\(web.origin)" : web.text
    guard let root = try? WebAddress(isWhole ? text : "\(text)/\(Self.version)") else {
      throw .badAddress(web.redacted)
    }
    guard KintoNames.isName(bucket) else { throw .badName(bucket) }
    self.root = root
    self.bucket = bucket
  }

  private static let version = "v1"

  var greeting: String { "/" }
  /// Where many requests are sent in one.
  var batch: String { "/batch" }
  var bucketPath: String { "/buckets/\(bucket)" }

  func path(of collection: String) -> String { "\(bucketPath)/collections/\(collection)" }

  func records(of collection: String) -> String { "\(path(of: collection))/records" }

  func record(_ id: DocumentID, of collection: String) -> String {
    "\(records(of: collection))/\(id.text)"
  }

  /// The whole address of a path of this server. The names in it hold nothing that has to be
  /// encoded, see ``KintoNames``.
  func address(_ path: String) throws(EndpointError) -> WebAddress { try root.below(path) }

  /// The query of a list's next page, which is to be at this server and of the same collection. The
  /// bucket may go by another name there: that of an account has its own, besides `default`.
  ///
  /// - Parameter text: the address, as the server gave it.
  func queryOfNextPage(_ text: String, of collection: String) -> String? {
    guard let next = try? root.resolving(text), next.origin == root.origin,
      next.path.hasPrefix(root.path + "/buckets/"),
      next.path.hasSuffix("/collections/\(collection)/records")
    else { return nil }
    return next.query
  }
}

/// What things at a Kinto server may be called.
enum KintoNames {
  /// Letters and digits of ASCII, `-` and `_`, of which the last two don't begin one.
  static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, isAlphanumeric(first) else { return false }
    return text.utf8.allSatisfy {
      isAlphanumeric($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
    }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }
}
