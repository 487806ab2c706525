import SyncTransport

/// Why a request of ours has no answer that can be used.
struct CallFailure: Error, Equatable {
  enum Kind: Sendable, Equatable {
    /// It's certain that nothing of the request has reached a server; a later one may.
    case unreachable
    /// Nobody knows what became of the request.
    case lost
    /// It's certain that nothing has reached a server, and that nothing will as things are.
    case impossible(String)
    /// Something answered that can't be understood.
    case unreadable(String)
    /// The server, or a proxy, refused; the rest of its answer was lost.
    case refused(status: Int, words: String)
    /// The task was cancelled; whether anything has left by then.
    case cancelled(hasLeft: Bool)
  }

  var kind: Kind
  var notes = CallNotes()

  /// What the end of a request that changes something is.
  var end: PushEnd {
    switch kind {
    case .unreachable, .cancelled(hasLeft: false): .unreachable
    case .lost, .cancelled(hasLeft: true): .lost
    case .impossible: .impossible
    case .unreadable: .unreadable
    case .refused(let status, let words):
      .answered(PushAnswer(status: status, words: words, subject: .collection))
    }
  }

  /// What a request that only asks throws.
  var error: any Error {
    switch kind {
    case .unreachable: EndpointError(.unreachable, notes: notes)
    case .lost: EndpointError(.lost, notes: notes)
    case .impossible(let reason): EndpointError(.impossible(reason), notes: notes)
    case .unreadable(let reason): EndpointError(.unreadable(reason), notes: notes)
    case .refused(let status, let words):
      EndpointError(
        .refused(status: status, words: words, subject: .collection), notes: notes)
    case .cancelled: CancellationError()
    }
  }
}

extension CallFailure.Kind {
  /// What a failure of the transport tells of the request.
  init(_ error: TransportError) {
    switch error.code {
    case .couldNotResolve, .couldNotConnect, .timedOut, .tls, .originGivenUp, .directoryGivenUp:
      self = .unreachable
    case .invalidAddress, .schemeRefused, .invalidHeader, .badProxy, .addressRefused, .certificate,
      .withoutTLS, .onlyTLS, .otherRegion, .clockDiffers, .keyRefused:
      self = .impossible(error.reason)
    case .stalled, .tooSlow, .interrupted, .shortBody, .unreadableBody, .closed, .library:
      self = .lost
    case .bodyTooLarge, .headersTooLarge, .malformedAnswer, .badRedirect, .tooManyRedirects:
      self = .unreadable(error.reason)
    case .status(let status): self = .refused(status: status, words: error.detail ?? "")
    }
  }

  /// The same, without what must be shown nowhere.
  func hiding(_ redaction: Redaction) -> Self {
    switch self {
    case .unreachable, .lost, .cancelled: self
    case .impossible(let why): .impossible(redaction.text(why))
    case .unreadable(let why): .unreadable(redaction.text(why))
    case .refused(let status, let words): .refused(status: status, words: redaction.text(words))
    }
  }

  /// What an error of those who know the credentials means for a request that wasn't made.
  init(_ reason: EndpointError.Reason) {
    switch reason {
    case .refused(let status, let words, _): self = .refused(status: status, words: words)
    case .unreadable, .lost, .unreachable: self = .unreachable
    case .impossible(let why): self = .impossible(why)
    }
  }
}
