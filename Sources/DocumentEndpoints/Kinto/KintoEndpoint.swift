public import DocumentSync
import SyncText
import SyncTransport

/// A bucket of a Kinto server, whose collections hold documents.
///
/// ```swift
/// let endpoint = try KintoEndpoint(server: "https://kinto.example.org", bucket: "notes") {
///   "Bearer \(await account.token)"
/// }
/// ```
///
/// Where the bucket or a collection isn't there, it's made as soon as it is needed, if the account
/// may: with a request that changes nothing that is there.
///
/// An answer may leave open what it means: then the endpoint asks further before it answers itself.
/// Whether 403 is about a document or about its collection, the collection's list tells; whether a
/// document that isn't there was deleted, its tombstone does. Nothing that may have had an effect
/// is sent twice.
public struct KintoEndpoint: DocumentEndpoint {
  let places: KintoPlaces
  let caller: ServiceCaller
  let pageSize: Int?

  /// A bucket at a server; nothing is sent yet.
  ///
  /// - Parameters:
  ///   - server: its address, with or without `/v1`.
  ///   - bucket: by default the one that each account has for itself.
  ///   - pageSize: how many documents of a list are asked for at once. By default as many as the
  ///     server gives: small pages cost it much.
  ///   - options: how the server is reached.
  ///   - authorization: gives the value of the field `Authorization`; `nil` for a server that
  ///     everybody may use.
  /// - Throws: ``ServiceProblem``.
  public init(
    server: String, bucket: String = "default", pageSize: Int? = nil,
    options: ServiceOptions = ServiceOptions(), authorization: AuthorizationSource? = nil
  ) throws {
    places = try KintoPlaces(server: server, bucket: bucket)
    self.pageSize = pageSize.map { max(1, $0) }
    caller = try ServiceCaller(places.root, options, authorization: authorization)
  }

  /// What the server can do, and whether it knows the account.
  @concurrent public func capabilities() async throws -> EndpointCapabilities {
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
  public func problem(
    with id: DocumentID, _ content: DocumentValue, in collection: String
  ) -> String? {
    KintoCarrying.problem(with: id, content, in: collection)
  }

  func ask(_ path: String, fields: [(String, String)] = []) async throws -> ServiceAnswer {
    try await caller.ask(.get(try places.address(path), fields: fields))
  }

  /// The body of an answer, or of a refusal what the server says.
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
    let saying = KintoSaying(answer)
    return EndpointError(
      .refused(status: answer.status, words: saying.words, subject: .collection),
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
      guard let version = KintoSaying(try json(of: answer)).data?["last_modified"]?.integer else {
        throw Self.unreadable("it isn't a collection", answer)
      }
      return .there(version)
    case 403: return .there(nil)
    case 404 where KintoSaying(answer).kind != nil: return .missing
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

  /// Makes the bucket and the collection where they aren't there. What is there stays as it is.
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
