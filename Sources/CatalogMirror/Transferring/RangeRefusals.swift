import SyncFetching
import SyncText
import SyncTransport

extension Error {
  /// Whether a server gave no answer of use to the question for the rest of a body; 416 says that
  /// there is none (RFC 9110, section 15.5.17).
  var refusesPart: Bool {
    switch self {
    case let error as ItemError: error == .otherPart
    case let error as TransportError: error.code == .status(416) || error.mayRefuseRanges
    default: false
    }
  }

  /// Whether a server, or something on the way to it, may have refused a request only because it
  /// asked for a range, or beside others: with a status that stays, and that says nothing of the
  /// file itself.
  var mayRefuseRanges: Bool {
    guard let error = self as? TransportError, case .status(let status) = error.code,
      status >= 400, !error.isTransient
    else { return false }
    return ![401, 404, 407, 410, 416].contains(status)
  }
}

extension TransportError {
  /// An answer ended before all came that was to come.
  static func shortBody(of answer: ByteAnswer, _ count: Int64, of wanted: Int64) -> Self {
    TransportError(
      .shortBody, at: URLReference(answer.url)?.redacted ?? "the item",
      detail: ByteAmount.share(count, of: wanted))
  }
}
