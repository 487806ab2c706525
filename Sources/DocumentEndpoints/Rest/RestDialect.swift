public import DocumentSync

/// How a REST service speaks of its rows.
///
/// Two levels of service go with it. One that knows the key of its rows alone is *updated*: whoever
/// writes last has the word, and each list is of all rows. One whose rows have a date of their last
/// change (``modified``), and which answers whether a change met another one (``conflict``), is
/// *synced*: no change is written over one that wasn't seen.
public struct RestDialect: Sendable {
  /// How a service writes its keys.
  public enum KeyForm: Sendable, Hashable {
    /// As strings. A number that a row has as its key is known by its digits, and written as a
    /// number again.
    case text
    /// As numbers: an id here must be one.
    case number
  }

  /// What becomes of members that are `null`.
  public enum Nulls: Sendable, Hashable {
    /// They are values as others are.
    case kept
    /// They aren't there.
    case cleared
  }

  /// How a service is asked.
  public var driver: any RestDriver = PlainRestDriver()
  /// The name under which an answer has its rows; `nil`, the default, where it is the bare array.
  public var rows: String?
  /// The name under which an answer has its one row; `nil`, the default, where it is the bare row.
  public var row: String?
  /// The member that is a row's key. By default `id`.
  public var key = "id"
  /// How keys are written. By default as text.
  public var keyForm = KeyForm.text
  /// The member with the date of a row's last change: a string (RFC 3339), or a number that rises.
  /// `nil`, the default, where there is none.
  public var modified: String?
  /// The parameter that asks for rows changed at a date or later. By default the date's member with
  /// `__gte` behind it.
  public var since: String?
  /// The member by which a row says that it was deleted, if its value is true; `nil`, the default,
  /// where rows don't, so that deletions show in a list of all rows alone.
  public var deleted: String?
  /// The member of an answer, or of its row, that says whether the change met another one: its
  /// value counts, not that it's there. `nil`, the default, where none does.
  public var conflict: String?
  /// How text is encoded where an answer doesn't say. By default UTF-8.
  public var charset = RestCharset.utf8
  /// What becomes of members that are `null`. By default they are kept.
  public var nulls = Nulls.kept

  // What is asked in this order, with each call.
  /// Completes a call before it's made into a request; also when a document is to be stored, to see
  /// whether it could be sent, so that it must return soon and change nothing else.
  public var prepare: (@Sendable (inout RestCall) throws -> Void)?
  /// Says why a whole answer with a status of success is none, in words; `nil` if it is one.
  public var problem: (@Sendable (DocumentValue) -> String?)?
  /// Makes a document of a row; keys, dates and flags are looked for in what it gives.
  public var reading: (@Sendable (DocumentValue) throws -> DocumentValue)?
  /// Makes a row of a document, before key and date are added.
  public var writing: (@Sendable (DocumentValue) throws -> DocumentValue)?
  /// Says whether an answer tells that the change met another one, in place of ``conflict``.
  public var isConflict: (@Sendable (DocumentValue) -> Bool)?

  /// Bare rows with a key `id`, updated only.
  public init() {}

  /// Whether changes are told from a date on: only where deletions are told, too.
  var tellsChanges: Bool { modified != nil && deleted != nil }

  /// Whether a change that meets another one is told.
  var tellsConflicts: Bool { modified != nil && (conflict != nil || isConflict != nil) }
}

/// An encoding of text.
public enum RestCharset: Sendable, Hashable {
  /// UTF-8 (RFC 3629).
  case utf8
  /// ISO 8859-1.
  case latin1
  /// UTF-16 (RFC 2781); without a byte order mark, the more significant byte comes first.
  case utf16
  /// UTF-16 with the less significant byte first, where no byte order mark says otherwise.
  case utf16LittleEndian

  /// The encoding of that name (RFC 2978); `nil` for one that isn't known here.
  public init?(named name: String) {
    switch name.lowercased() {
    case "utf-8", "utf8", "us-ascii", "ascii": self = .utf8
    case "iso-8859-1", "iso_8859-1", "latin1", "l1": self = .latin1
    case "utf-16", "utf-16be": self = .utf16
    case "utf-16le": self = .utf16LittleEndian
    default: return nil
    }
  }

  /// The bytes in UTF-8; `nil` if they aren't text in this encoding.
  func utf8(_ bytes: [UInt8]) -> [UInt8]? {
    switch self {
    case .utf8: return bytes
    case .latin1: return bytes.flatMap { $0 < 0x80 ? [$0] : [0xC0 | $0 >> 6, 0x80 | $0 & 0x3F] }
    case .utf16: return Self.utf8(units: bytes, startingLow: false)
    case .utf16LittleEndian: return Self.utf8(units: bytes, startingLow: true)
    }
  }

  private static func utf8(units bytes: [UInt8], startingLow: Bool) -> [UInt8]? {
    guard bytes.count.isMultiple(of: 2) else { return nil }
    let marks: [[UInt8]: Bool] = [[0xFF, 0xFE]: true, [0xFE, 0xFF]: false]
    let mark = marks[Array(bytes.prefix(2))]
    let isReversed = mark ?? startingLow
    let units = stride(from: mark == nil ? 0 : 2, to: bytes.count, by: 2).map { place -> UInt16 in
      let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
      return isReversed ? second << 8 | first : first << 8 | second
    }
    guard let text = String(validating: units, as: UTF16.self) else { return nil }
    return Array(text.utf8)
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
public struct RestCall: Sendable, Hashable {
  /// What is done.
  public var verb: RestVerb
  /// The model: a collection of documents.
  public var model: String
  /// Which row; `nil` for the model itself.
  public var id: DocumentID?
  /// What the query says.
  public var query: [RestParameter] = []
  /// By which members the rows are sorted, a `-` before those that go downwards.
  public var sort: [String] = []
  /// What is sent; `nil` for nothing.
  public var body: DocumentValue?

  /// A call without query, order and body.
  public init(_ verb: RestVerb, _ model: String, id: DocumentID? = nil) {
    self.verb = verb
    self.model = model
    self.id = id
  }
}

/// The method and the address of a request.
public struct RestLine: Sendable, Hashable {
  /// A method of HTTP (RFC 9110, section 9.3; `PATCH`: RFC 5789).
  public enum Method: String, Sendable, Hashable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
  }

  package var method: Method
  /// The steps of the path below the service's address, each as it is: they are encoded when the
  /// address is made.
  package var steps: [String]
  /// Whether the path ends in a slash. By default it doesn't.
  package var endsInSlash: Bool
  package var query: [RestParameter]

  /// A method and an address.
  public init(
    _ method: Method, _ steps: [String], endsInSlash: Bool = false, query: [RestParameter] = []
  ) {
    self.method = method
    self.steps = steps
    self.endsInSlash = endsInSlash
    self.query = query
  }
}

/// Knows how a service wants to be asked.
public protocol RestDriver: Sendable {
  /// The method and the address for a call.
  /// - Throws: what is wrong with the call: then no request is made, and nothing changes here.
  func line(of call: RestCall) throws -> RestLine
}

/// The usual way: `GET`, `POST` at the model, `GET`, `PUT` and `DELETE` at the row, `POST` at a
/// name below for a procedure.
public struct PlainRestDriver: RestDriver {
  /// The parameter that says by what is sorted: members with commas between them.
  public var sortParameter = "sort"
  /// The method of a change. By default `PUT`.
  public var update = RestLine.Method.put
  /// Whether paths end in a slash. By default they don't.
  public var endsInSlash = false

  /// The usual way.
  public init() {}

  /// The model's name, the row's id, and the procedure's name, one below the other.
  public func line(of call: RestCall) -> RestLine {
    var steps = [call.model] + (call.id.map { [$0.text] } ?? [])
    let method: RestLine.Method
    switch call.verb {
    case .filter, .get: method = .get
    case .create:
      method = .post
      steps = [call.model]
    case .update: method = update
    case .delete: method = .delete
    case .rpc(let name):
      method = .post
      steps.append(name)
    }
    var query = call.query
    if !call.sort.isEmpty {
      query.append(RestParameter(sortParameter, call.sort.joined(separator: ",")))
    }
    return RestLine(method, steps, endsInSlash: endsInSlash, query: query)
  }
}
