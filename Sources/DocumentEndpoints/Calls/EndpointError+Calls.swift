import DocumentSync
import SyncTransport

extension EndpointError.Reason {
  /// What a failure of the transport tells of the request.
  init(_ error: TransportError) {
    switch error.code {
    case .couldNotResolve, .couldNotConnect, .timedOut, .tls, .originGivenUp, .directoryGivenUp:
      self = .unreachable
    case .invalidAddress, .schemeRefused, .invalidHeader, .badProxy, .addressRefused, .certificate,
      .noCertificates, .withoutTLS, .onlyTLS, .otherRegion, .clockDiffers, .keyRefused:
      self = .impossible(error.reason)
    case .stalled, .tooSlow, .interrupted, .shortBody, .unreadableBody, .closed, .library:
      self = .lost
    case .bodyTooLarge, .headersTooLarge, .malformedAnswer, .unaskedCoding, .badRedirect,
      .tooManyRedirects:
      self = .unreadable(error.reason)
    case .status(let status):
      self = .refused(status: status, words: error.detail ?? "", subject: .collection)
    }
  }

  /// The same, without what must be shown nowhere.
  func hiding(_ redaction: Redaction) -> Self {
    switch self {
    case .unreachable, .lost: self
    case .impossible(let why): .impossible(redaction.text(why))
    case .unreadable(let why): .unreadable(redaction.text(why))
    case .refused(let status, let words, let subject):
      .refused(status: status, words: redaction.text(words), subject: subject)
    }
  }

  /// What the failure of a request that comes first, such as for a token, means for one that
  /// wasn't made.
  var ofNext: Self {
    switch self {
    case .refused(let status, let words, _):
      .refused(status: status, words: words, subject: .collection)
    case .unreadable, .lost, .unreachable: .unreachable
    case .impossible: self
    }
  }
}
