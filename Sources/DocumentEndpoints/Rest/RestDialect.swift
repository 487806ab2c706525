public import DocumentSync

/// How a REST service speaks of its rows.
///
/// Two levels of service go with it. One that knows the key of its rows alone is *updated*: a row
/// is read just before it's changed or removed, what is changed between the two requests is written
/// over, and each list is of all rows. One whose rows have a date of their last change, and which
/// answers whether a change met another one, is *synced*: no change is written over one that wasn't
/// seen.
public struct RestDialect: Sendable {
  package var rows: String?
  package var row: String?
  package var key = "id"
  package var hasNumericKeys = false
  package var serverKeys: Set<String> = []
  package var knowsRequests = false
  package var idsNameModels = false
  /// What stands before the key in an id.
  var prefix = ""
  package var modified: String?
  package var since: String?
  package var deleted: String?
  package var conflict: String?
  package var charset = RestCharset.utf8
  package var clearsNulls = false
  package var paging = RestPaging.links
  package var endsInSlash = false
  /// Where files of rows are stored; `nil` where they can't be.
  public var files: RestFiles?
  package var line: (@Sendable (RestCall) throws -> RestLine?)?
  package var prepare: (@Sendable (inout RestCall) throws -> Void)?
  package var problem: (@Sendable (DocumentValue) -> String?)?
  package var reading: (@Sendable (DocumentValue) throws -> DocumentValue)?
  package var writing: (@Sendable (DocumentValue) throws -> DocumentValue)?
  package var isConflict: (@Sendable (DocumentValue) -> Bool)?
  /// Whether there are lists; else what others changed is learned of single rows alone.
  var hasLists = true
  /// Whether a row's version is its entity tag, where an answer has one, and a row comes back with
  /// each success.
  var hasEntityTags = false

  /// Bare rows with a key `id`, updated only, but for what is said.
  ///
  /// - Parameters:
  ///   - rows: the name under which an answer has its rows; `nil` where it is the bare array.
  ///   - row: the name under which an answer has its one row; `nil` where it is the bare row.
  ///   - key: the member that is a row's key.
  ///   - hasNumericKeys: whether keys are numbers, so that an id here must be one. Else they are
  ///     strings; a number that a row has as its key is known by its digits, and written as a
  ///     number again.
  ///   - serverKeys: the models whose keys the service makes: a row is made without one, and its
  ///     document has the service's key from the answer on; of an answer without a row, that at the
  ///     end of its `Location` (RFC 9110, section 10.2.2).
  ///   - knowsRequests: whether the service knows a request again by its field `Idempotency-Key`,
  ///     and answers it as before.
  ///   - idsNameModels: whether an id says the model before the key, `task/7`, so that models whose
  ///     keys are the same numbers can be in one store. To the service, it's the key alone.
  ///   - modified: the member with the date of a row's last change: a string (RFC 3339), or a
  ///     number that rises; `nil` where there is none.
  ///   - since: the parameter that asks for rows changed at a date or later. By default the date's
  ///     member with `__gte` behind it.
  ///   - deleted: the member by which a row says that it was deleted, if its value is true; `nil`
  ///     where rows don't, so that deletions show in a list of all rows alone.
  ///   - conflict: the member of an answer, or of its row, that says whether the change met another
  ///     one: its value counts, not that it's there; `nil` where none does.
  ///   - charset: how text is encoded where an answer doesn't say: `utf-8`, `iso-8859-1`, `utf-16`
  ///     or `utf-16le`. With any other name no endpoint is made: ``ServiceError/badCharset(_:)``.
  ///   - paging: how the pages of a list hang together.
  ///   - clearsNulls: whether members that are `null` aren't there. Else they are values as others.
  ///   - endsInSlash: whether paths end in a slash.
  ///   - line: makes method and address of a call; `nil` for the usual ones: `GET`, `POST` at the
  ///     model, `GET`, `PUT` and `DELETE` at the row, `POST` at a name below for a procedure, and
  ///     the parameter `sort`. What it throws is wrong with the call: then no request is made, and
  ///     nothing changes here.
  ///   - prepare: completes a call before it's made into a request; also when a document is to be
  ///     stored, to see whether it could be sent, so that it must return soon and change nothing
  ///     else.
  ///   - problem: says why a whole answer with a status of success is none, in words; `nil` if it
  ///     is one.
  ///   - reading: makes a document of a row; keys, dates and flags are looked for in what it gives.
  ///   - writing: makes a row of a document, before key and date are added.
  ///   - isConflict: says whether an answer tells that the change met another one, in place of
  ///     `conflict`.
  public init(
    rows: String? = nil, row: String? = nil, key: String = "id", hasNumericKeys: Bool = false,
    serverKeys: Set<String> = [], knowsRequests: Bool = false,
    idsNameModels: Bool = false, modified: String? = nil,
    since: String? = nil, deleted: String? = nil,
    conflict: String? = nil, charset: String = "utf-8", paging: RestPaging = .links,
    clearsNulls: Bool = false,
    endsInSlash: Bool = false, line: (@Sendable (RestCall) throws -> RestLine?)? = nil,
    prepare: (@Sendable (inout RestCall) throws -> Void)? = nil,
    problem: (@Sendable (DocumentValue) -> String?)? = nil,
    reading: (@Sendable (DocumentValue) throws -> DocumentValue)? = nil,
    writing: (@Sendable (DocumentValue) throws -> DocumentValue)? = nil,
    isConflict: (@Sendable (DocumentValue) -> Bool)? = nil
  ) {
    (self.rows, self.row, self.key, self.hasNumericKeys) = (rows, row, key, hasNumericKeys)
    (self.serverKeys, self.knowsRequests) = (serverKeys, knowsRequests)
    self.idsNameModels = idsNameModels
    (self.modified, self.since, self.deleted, self.conflict) = (modified, since, deleted, conflict)
    (self.clearsNulls, self.endsInSlash) = (clearsNulls, endsInSlash)
    self.charset = RestCharset(named: charset) ?? .unknown(charset)
    self.paging = paging
    (self.line, self.prepare, self.problem) = (line, prepare, problem)
    (self.reading, self.writing, self.isConflict) = (reading, writing, isConflict)
  }

  /// A plain document service: one address for documents of all types.
  ///
  /// | Request | What for |
  /// | --- | --- |
  /// | `POST {base}/document` | a new document, its id among its members |
  /// | `PUT {base}/document` | a changed document, the same way |
  /// | `GET {base}/document/{id}` | what the service has |
  /// | `DELETE {base}/document/{id}` | removes it |
  ///
  /// The document comes back under the name `data`. What says yes without it counts for nothing:
  /// the document is sent again. Such a service has no versions, so that of a document is its
  /// entity tag, or else a digest of its content; it knows no conditions, so a document is read
  /// just before it's changed or removed; and it has no lists, so what others changed is learned of
  /// a document by asking for it.
  public static let documentService = {
    var dialect = RestDialect(row: "data") { call in
      switch call.verb {
      case .create: RestLine("POST", ["document"])
      case .update: RestLine("PUT", ["document"])
      case .get: RestLine("GET", ["document", call.id?.text ?? ""])
      case .delete: RestLine("DELETE", ["document", call.id?.text ?? ""])
      case .filter, .rpc: throw EndpointError(.impossible(Self.isPlain))
      }
    }
    (dialect.hasLists, dialect.hasEntityTags) = (false, true)
    return dialect
  }()

  /// Why a plain document service is asked nothing else.
  static let isPlain = "a plain document service has neither queries nor procedures"

  /// The same for the rows of one model.
  func of(_ model: String) -> RestDialect {
    var dialect = self
    dialect.prefix = idsNameModels ? model + "/" : ""
    return dialect
  }

  /// The key that an id says; `nil` if it says another model's, or none.
  func key(of id: DocumentID) -> String? {
    if prefix.isEmpty { return id.text }
    guard id.text.hasPrefix(prefix), id.text != prefix else { return nil }
    return String(id.text.dropFirst(prefix.count))
  }

  /// Whether changes are told from a date on: only where deletions are told, too.
  var tellsChanges: Bool { modified != nil && deleted != nil }

  /// Whether a change that meets another one is told.
  var tellsConflicts: Bool { modified != nil && (conflict != nil || isConflict != nil) }

  /// The method and the address for a call.
  func line(of call: RestCall) throws -> RestLine { try line?(call) ?? usualLine(of: call) }

  /// The model's name, the row's id, and the procedure's name, one below the other.
  package func usualLine(of call: RestCall) -> RestLine {
    var steps = [call.model] + (call.id.map { [$0.text] } ?? [])
    let method: String
    switch call.verb {
    case .filter, .get: method = "GET"
    case .create: (method, steps) = ("POST", [call.model])
    case .update: method = "PUT"
    case .delete: method = "DELETE"
    case .rpc(let name): (method, steps) = ("POST", steps + [name])
    }
    let sort = call.sort.isEmpty ? [] : [("sort", call.sort.joined(separator: ","))]
    return RestLine(method, steps, endsInSlash: endsInSlash, query: call.query + sort)
  }
}

/// What can be asked of a model of a REST service.
public enum RestVerb: Sendable, Hashable {
  /// The rows for which conditions hold.
  case filter
  /// One row.
  case get
  /// Makes a row.
  case create
  /// Changes a row.
  case update
  /// Removes a row.
  case delete
  /// Has the service do something by name, with the model or one of its rows.
  case rpc(String)
}

/// What is asked of a service.
public struct RestCall: Sendable {
  /// What is done.
  public var verb: RestVerb
  /// The model: a collection of documents.
  public var model: String
  /// Which row; `nil` for the model itself.
  public var id: DocumentID?
  /// What the query says: names and values, passed on as they are, with what an address can't have
  /// percent-encoded (RFC 3986, section 2.1).
  public var query: [(name: String, value: String)] = []
  /// By which members the rows are sorted, a `-` before those that go downwards.
  public var sort: [String] = []
  /// What is sent; `nil` for nothing.
  public var body: DocumentValue?

  init(_ verb: RestVerb, _ model: String, id: DocumentID? = nil) {
    self.verb = verb
    self.model = model
    self.id = id
  }
}

/// The method and the address of a request.
public struct RestLine: Sendable {
  package var method: String
  package var steps: [String]
  package var endsInSlash: Bool
  package var query: [(name: String, value: String)]

  /// A method and an address.
  ///
  /// - Parameters:
  ///   - method: a method of HTTP (RFC 9110, section 9.3; `PATCH`: RFC 5789); small letters count
  ///     as capitals.
  ///   - steps: those of the path below the service's address, each as it is: they are encoded when
  ///     the address is made.
  ///   - endsInSlash: whether the path ends in a slash.
  ///   - query: names and values behind the path, encoded likewise.
  public init(
    _ method: String, _ steps: [String], endsInSlash: Bool = false,
    query: [(name: String, value: String)] = []
  ) {
    self.method = method.uppercased()
    (self.steps, self.endsInSlash, self.query) = (steps, endsInSlash, query)
  }
}
