import SyncText
import SyncTransport

/// A whole answer of a service, whatever its status.
struct ServiceAnswer: Sendable {
  /// The request, for people.
  let method: String
  let address: String
  let status: Int
  let headers: HTTPHeaders
  private(set) var body: [UInt8]
  /// The time here, for what is reckoned from it.
  let now: HTTPDate
  /// What must be shown nowhere.
  let secrets: [String]

  /// How deeply the JSON of an answer may nest: deeper than any document in it may, so that one
  /// that nests too deep doesn't make all the others unreadable.
  static let deepestNesting = 2 * DocumentValue.deepestNesting

  /// The body as one value of JSON.
  func json() throws(JSONProblem) -> JSONValue {
    var tape = JSONTape(nesting: Self.deepestNesting)
    tape.begin(body)
    let (root, end) = try tape.append(at: 0)
    if let more = body[end...].firstIndex(where: { !JSONValue.isBlank($0) }) {
      throw JSONProblem(reason: "more after its end", offset: more)
    }
    return tape.value(root)
  }

  /// The same answer with another body.
  func saying(_ body: [UInt8]) -> ServiceAnswer {
    var answer = self
    answer.body = body
    return answer
  }

  /// What was said beside the answer.
  ///
  /// - Parameter problem: why the body can't be used.
  func notes(keepingCall isKept: Bool = true, problem: String? = nil) -> CallNotes {
    CallNotes(
      wishes: ServerWishes(headers, now: now), date: date.map { $0.secondsSince1970 * 1_000 },
      call: isKept || problem != nil ? call(problem: problem) : nil)
  }

  private var date: HTTPDate? { headers["Date"].flatMap { HTTPDate($0) } }

  private func call(problem: String?) -> EndpointCall {
    EndpointCall(
      method, address, status: status,
      fields: headers.fields.map { EndpointCall.Field(name: $0.name, value: $0.value) },
      body: body, problem: problem, secrets: secrets)
  }
}

extension ServerWishes {
  /// What an answer's fields ask for. A date is reckoned from the server's own.
  ///
  /// - Parameter now: the time here, where the server tells none.
  init(_ headers: HTTPHeaders, now: HTTPDate) {
    let now = headers["Date"].flatMap { HTTPDate($0) } ?? now
    self.init(
      retryAfter: headers["Retry-After"].flatMap { RetryAfter($0) }?.wait(at: now),
      backoff: headers["Backoff"].flatMap { RetryAfter($0) }?.wait(at: now))
  }

  /// What either of two answers asks for, the longer time.
  func joined(with other: ServerWishes) -> ServerWishes {
    func longer(_ one: Duration?, _ two: Duration?) -> Duration? {
      guard let one, let two else { return one ?? two }
      return max(one, two)
    }
    return ServerWishes(
      retryAfter: longer(retryAfter, other.retryAfter), backoff: longer(backoff, other.backoff))
  }
}
