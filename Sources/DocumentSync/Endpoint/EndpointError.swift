/// Why an endpoint has no answer to give.
public struct EndpointError: Error, Sendable, Hashable {
  /// What went wrong.
  public enum Reason: Sendable, Hashable {
    /// The server refused, with a status of HTTP and its own words.
    case refused(status: Int, words: String, subject: RefusalSubject = .document)
    /// The server said yes, and what it said can't be understood, for this reason.
    case unreadable(String)
    /// No answer came.
    case lost
    /// No server was reached.
    case unreachable
    /// No request can be made as things are, for this reason: a bad address, a wrong certificate.
    case impossible(String)
  }

  /// What went wrong.
  public var reason: Reason
  /// What the server said beside it.
  package var notes: CallNotes

  /// What went wrong, and what the server said.
  public init(_ reason: Reason, notes: CallNotes = CallNotes()) {
    self.reason = reason
    self.notes = notes
  }

  /// What the end of a request that changes something is.
  package var end: PushEnd {
    switch reason {
    case .unreachable: .unreachable
    case .lost: .lost
    case .impossible: .impossible
    case .unreadable: .unreadable
    case .refused(let status, let words, let subject):
      .answered(PushAnswer(status: status, words: words, subject: subject))
    }
  }

  var notice: ServerNotice {
    switch reason {
    case .refused(401, _, _), .refused(407, _, _): .mustStop(.unauthorized)
    case .refused(let status, _, _) where [408, 425, 429].contains(status) || status >= 500:
      .isInTrouble(.status(status))
    case .refused(let status, let words, _) where [403, 404, 410].contains(status):
      .mustStop(.collection(Refusal(status: status, words: words)))
    case .refused(let status, _, _): .mustStop(.unexpected(status))
    case .unreadable: .isInTrouble(.unreadable)
    case .lost: .isInTrouble(.lost)
    case .unreachable: .isInTrouble(.unreachable)
    case .impossible: .mustStop(.impossible)
    }
  }
}

extension EndpointError: CustomStringConvertible {
  /// What went wrong, for a place behind a colon.
  public var description: String {
    switch reason {
    case .refused(let status, let words, _):
      words.isEmpty ? "the server refused (\(status))" : "the server refused (\(status)): \(words)"
    case .unreadable(let why): "the server's answer can't be understood: \(why)"
    case .lost: "no answer came"
    case .unreachable: "the server can't be reached"
    case .impossible(let why): "no request can be made: \(why)"
    }
  }
}

extension EndpointReply<PushEnd> {
  /// The reply to a push that got no answer.
  package init(_ error: EndpointError) {
    self.init(error.end, notes: error.notes)
  }
}
