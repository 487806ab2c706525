import DocumentSync
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
  /// Whether it was asked in words, and answered by the host that was asked: not by one to which
  /// the request was led.
  var isOfTheHostAsked = true

  /// How deeply the JSON of an answer may nest: deeper than any document in it may, so that one
  /// that nests too deep doesn't make all the others unreadable.
  static let deepestNesting = 2 * DocumentValue.deepestNesting

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

  /// Words of it, without what must be shown nowhere.
  func hiding(_ words: String) -> String { Redaction(secrets: secrets).text(words) }

  /// What was said beside the answer.
  ///
  /// - Parameter problem: why the body can't be used.
  func notes(keepingCall isKept: Bool = true, problem: String? = nil) -> CallNotes {
    CallNotes(
      wishes: ServerWishes(headers, now: now), date: isTheServices ? date : nil,
      call: isKept || problem != nil ? call(problem: problem) : nil)
  }

  private var date: Int64? {
    headers["Date"].flatMap { HTTPDate($0) }.map { $0.secondsSince1970 * 1_000 }
  }

  /// Whether the service itself seems to speak, whose clock counts: a portal in front of the
  /// network answers with a page, a redirect or nothing, whatever the status that it gives.
  private var isTheServices: Bool {
    guard isOfTheHostAsked else { return false }
    switch status {
    case 204, 304: return body.isEmpty
    // Lists are long: whoever asked reads them anyway, and says if they can't be understood.
    case 200...299: return [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(firstOfBody)
    default: return (try? json())?.isObject ?? false
    }
  }

  private var firstOfBody: UInt8? { body.first { !JSONValue.isBlank($0) } }

  private func call(problem: String?) -> EndpointCall {
    EndpointCall(
      method, address, status: status,
      fields: headers.fields.map { ($0.name, $0.value) },
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
