package import SyncText

/// How long a server asks to be left alone (RFC 9110, section 10.2.3).
package enum RetryAfter: Equatable, Sendable {
  case delay(Duration)
  case date(HTTPDate)

  /// Reads a header's value: seconds (a negative number counts as 0, a number past every bound as
  /// a very long time) or a date; `nil` for anything else.
  package init?(_ text: String) {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    if !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      let seconds = text.hasPrefix("-") ? 0 : Int64(digits) ?? Int64(Int32.max)
      self = .delay(.seconds(min(seconds, Int64(Int32.max))))
    } else if let date = HTTPDate(text) {
      self = .date(date)
    } else {
      return nil
    }
  }

  /// What an answer says of a limit of requests that is used up: with 403 or 429,
  /// `X-RateLimit-Remaining: 0` and `X-RateLimit-Reset` in seconds since 1970, as GitHub sends
  /// them; `nil` for any other answer.
  package init?(rateLimitOf status: Int, _ headers: HTTPHeaders) {
    guard status == 403 || status == 429, headers["X-RateLimit-Remaining"] == "0",
      let reset = headers["X-RateLimit-Reset"].flatMap({ Int64($0) }), reset > 0
    else { return nil }
    self = .date(HTTPDate(secondsSince1970: reset))
  }

  /// The wait from `now` on, never negative.
  package func wait(at now: HTTPDate) -> Duration {
    switch self {
    case .delay(let duration): max(.zero, duration)
    case .date(let date): max(.zero, .seconds(date.secondsSince1970 - now.secondsSince1970))
    }
  }
}
