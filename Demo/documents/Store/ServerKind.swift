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
  var endsInSlash: Bool?
  /// Where files of rows are stored.
  var files: String?
  var fileAnswer: String?

  /// The same as the endpoint takes it.
  var dialect: RestDialect {
    var dialect = RestDialect(
      rows: rows, row: row, key: key ?? "id", hasNumericKeys: hasNumericKeys ?? false,
      modified: modified, since: since, deleted: deleted, conflict: conflict,
      charset: charset ?? "utf-8",
      endsInSlash: endsInSlash ?? false)
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
}

extension StoreSetup {
  var kind: ServerKind { ServerKind(rawValue: service) ?? .kinto }

  /// The server's name for people.
  var place: String {
    kind == .kinto ? "the bucket \(bucket) of \(server)" : "the service at \(server)"
  }

  var scopeName: String { kind == .kinto ? "\(server)/buckets/\(bucket)" : server }

  /// Whether of each member of a collection's documents the latest edit wins.
  func isLatest(_ collection: String) -> Bool {
    kinds.contains { $0.collection == collection && $0.isLatest == true }
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
        server: server, dialect: try restSetting().dialect, options: options,
        authorization: source)
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
