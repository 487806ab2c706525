import Console
import DocumentEndpoints
import DocumentSync

/// What a store's server is.
enum ServerKind: String, Sendable {
  case kinto
  case service
  case rest
}

/// How a REST service speaks of its rows, as a store keeps it.
struct RestSetting: Codable, Sendable, Hashable {
  var rows: String?
  var row: String?
  var key: String?
  var hasNumericKeys: Bool?
  var modified: String?
  var since: String?
  var deleted: String?
  var conflict: String?
  var charset: String?
  var knowsRequests: Bool?
  var idsNameModels: Bool?
  /// Paths and parameters of the pages of lists.
  var next: String?
  var cursor: String?
  var cursorParameter: String?
  var offsetParameter: String?
  var pageParameter: String?
  var endsInSlash: Bool?
  /// Where files of rows are stored.
  var files: String?
  var fileAnswer: String?

  /// The same as the endpoint takes it.
  ///
  /// - Parameter serverKeys: the models whose keys the service makes.
  func dialect(serverKeys: Set<String>) throws -> RestDialect {
    var dialect = RestDialect(
      rows: rows, row: row, key: key ?? "id", hasNumericKeys: hasNumericKeys ?? false,
      serverKeys: serverKeys, knowsRequests: knowsRequests ?? false,
      idsNameModels: idsNameModels ?? false, modified: modified,
      since: since, deleted: deleted, conflict: conflict,
      charset: charset ?? "utf-8", paging: try paging(), endsInSlash: endsInSlash ?? false)
    dialect.files = restFiles
    return dialect
  }

  var restFiles: RestFiles? { files.map { RestFiles(at: $0, answer: fileAnswer) } }

  /// What is said of rows alone.
  var ofRows: RestSetting {
    var rows = self
    (rows.files, rows.fileAnswer) = (nil, nil)
    return rows
  }

  private func paging() throws -> RestPaging {
    if let next { return .next(try DocumentPath(parsing: next)) }
    if let cursor, let cursorParameter {
      return .cursor(try DocumentPath(parsing: cursor), parameter: cursorParameter)
    }
    if let offsetParameter { return .offset(parameter: offsetParameter) }
    return pageParameter.map { .page(parameter: $0) } ?? .links
  }
}

extension StoreSetup {
  var kind: ServerKind { ServerKind(rawValue: service) ?? .kinto }

  /// The server's name for people, and who is told to it.
  var placeOfAccount: String { place + (account.isEmpty ? "" : ", as \(account.escaped)") }

  /// The same, and which types are kept in step with it.
  var placeAndTypes: String {
    let names = kinds.map(\.name.escaped).joined(separator: ", ")
    return placeOfAccount + "; types: " + (names.isEmpty ? "none yet, --type adds one" : names)
  }

  /// The server's name for people.
  var place: String {
    kind == .kinto ? "the bucket \(bucket) of \(server)" : "the service at \(server)"
  }

  /// What to know of a service that isn't said to tell that a change met another one; `nil` of one
  /// that is.
  func caution() throws -> String? {
    let rest = try restSetting()
    guard kind != .kinto, rest.modified == nil || rest.conflict == nil else { return nil }
    let why =
      rest.conflict == nil
      ? "nothing is said of how this service tells that a change met another one"
      : "--conflict-flag counts only with --modified, the date that a change was made on"
    let words =
      why + ". So each document is read just before it's changed or removed there, and what others"
      + " made of it is met as the policy says; what they change between the two requests is"
      + " written over, unseen"
    guard kind == .rest else { return words }
    let wanted = [
      rest.modified == nil ? "--modified" : nil, rest.conflict == nil ? "--conflict-flag" : nil,
    ].compactMap(\.self)
    let what =
      wanted.count > 1
      ? "its rows have dates, and its answers a flag"
      : rest.modified == nil ? "its rows have dates" : "its answers have a flag for that"
    return words + ". If \(what), say " + wanted.joined(separator: " and ")
  }

  var scopeName: String { kind == .kinto ? "\(server)/buckets/\(bucket)" : server }

  /// Whether of each member of a collection's documents the latest edit wins.
  func isLatest(_ collection: String) -> Bool {
    kinds.contains { $0.collection == collection && $0.isLatest == true }
  }

  /// Whether what the server lost can be sent to it again, under the same ids.
  var canRepublish: Bool { serverKeys.isEmpty }

  /// The collections whose keys the server makes.
  private var serverKeys: Set<String> {
    Set(kinds.filter { $0.makesKeys == true }.map(\.collection))
  }

  /// The members that tell a collection's documents from each other.
  func naturalKey(of collection: String) throws -> [DocumentPath] {
    try kinds.filter { $0.collection == collection }.flatMap { $0.naturalKey ?? [] }
      .map { try DocumentPath(parsing: $0) }
  }

  /// Which of a collection's documents are held; `nil` for all.
  func filter(of collection: String) -> CollectionFilter? {
    let said = kinds.lazy.filter { $0.collection == collection }.compactMap(\.filter)
    return said.first.flatMap { CollectionFilter($0) }
  }

  /// The members of a collection's documents that name others, and the collections of those.
  func references(of collection: String) throws -> [DocumentPath: String] {
    let types = try types()
    var all: [DocumentPath: String] = [:]
    for kind in kinds where kind.collection == collection {
      for (path, type) in kind.references ?? [:] {
        all[try DocumentPath(parsing: path)] = types.collection(of: type)
      }
    }
    return all
  }

  /// The server, asked by whoever the authorization speaks of.
  func endpoint(
    _ options: ServiceOptions = ServiceOptions(), _ source: AuthorizationSource? = nil
  ) throws -> any DocumentEndpoint {
    switch kind {
    case .kinto:
      return try ServiceEndpoint.kinto(
        server: server, bucket: bucket, options: options, authorization: source)
    case .service:
      var dialect = RestDialect.documentService
      dialect.files = try restSetting().restFiles
      return try ServiceEndpoint.rest(
        server: server, dialect: dialect, options: options, authorization: source)
    case .rest:
      return try ServiceEndpoint.rest(
        server: server, dialect: try restSetting().dialect(serverKeys: serverKeys),
        options: options, authorization: source)
    }
  }

  func restSetting() throws -> RestSetting {
    try dialect.map { try DocumentValue(parsing: $0).decode() } ?? RestSetting()
  }

  /// An address as all who write it somewhat otherwise mean it: without a closing slash, and a
  /// Kinto server's without the version of its protocol.
  static func address(_ text: String, _ kind: ServerKind) -> String {
    var text = text[...]
    while text.hasSuffix("/") { text = text.dropLast() }
    if kind == .kinto, text.hasSuffix("/v1") { text = text.dropLast(3) }
    while text.hasSuffix("/") { text = text.dropLast() }
    return String(text)
  }
}
