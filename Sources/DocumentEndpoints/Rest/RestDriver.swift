public import DocumentSync

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

  /// The method.
  public var method: Method
  /// The steps of the path below the service's address, each as it is: they are encoded when the
  /// address is made.
  public var steps: [String]
  /// Whether the path ends in a slash. By default it doesn't.
  public var endsInSlash: Bool
  /// What the query says.
  public var query: [RestParameter]

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
