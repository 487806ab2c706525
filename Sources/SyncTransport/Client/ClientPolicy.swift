private import SyncLock

/// How a client treats servers.
package struct ClientPolicy: Sendable, Equatable {
  package var retry = RetryPolicy()
  /// The most redirects in a row. Default 10.
  package var redirects = 10
  /// The most exchanges with one origin at once; others wait in line. Default 8.
  package var requestsPerOrigin = 8
  /// The same where one connection carries many of them (HTTP/2), which is known after the first
  /// answer. Default 8.
  package var streamsPerOrigin = 8
  /// Whether fewer of them are begun with, and more only as long as that makes it faster. Default:
  /// no, always as many.
  package var adaptsRequests = false
  /// The most bytes of bodies a second from one origin. Default: any number.
  package var bytesPerSecond: Int64?
  /// After how many fetches in a row whose retries were used up a directory, or the whole origin,
  /// is left alone for the rest of the run (``OriginRecord``). Default 10.
  package var failuresUntilGivenUp = 10

  package init() {}
}

/// Decides whether and when a failed fetch is tried again.
package struct RetryPolicy: Sendable, Equatable {
  /// The most retries of one fetch. Default 5.
  package var retries = 5
  /// The most retries when a name didn't resolve. Default 2: names seldom heal within a minute.
  var resolveRetries = 2
  /// The first wait, doubled with each further one. Default 500 ms.
  package var base = Duration.milliseconds(500)
  /// The longest wait of our own choosing. Default 30 s.
  var cap = Duration.seconds(30)
  /// The longest wait that a server can ask for. Default 120 s.
  package var retryAfterCap = Duration.seconds(120)

  package init() {}

  /// How long to wait before the next attempt; `nil` when there is none.
  ///
  /// A request that must not be repeated is sent again only when nothing of it can have been taken:
  /// no connection came about, or the server put it off, with 429 or 503 and a `Retry-After`.
  ///
  /// What the server asked for counts as it is, up to its cap; otherwise the wait lies between half
  /// and all of the doubled base.
  ///
  /// - Parameters:
  ///   - error: why the last attempt failed.
  ///   - retry: the number of the retry that this would be; the first is 1.
  ///   - random: from 0 up to 1.
  ///   - isRepeatable: whether the request may be repeated.
  package func wait(
    after error: TransportError, retry: Int, random: Double, isRepeatable: Bool = true
  ) -> Duration? {
    guard isRepeatable || Self.wasNotTaken(after: error) else { return nil }
    let most = error.code == .couldNotResolve ? min(resolveRetries, retries) : retries
    guard error.isTransient, retry <= most else { return nil }
    if let asked = error.retryAfter { return min(max(.zero, asked), retryAfterCap) }
    return Backoff(first: base, longest: cap).wait(after: retry, random: random)
  }

  private static func wasNotTaken(after error: TransportError) -> Bool {
    if case .status(let status) = error.code, status == 429 || status == 503 {
      return error.retryAfter != nil
    }
    return error.provesNothingWasSent
  }
}
