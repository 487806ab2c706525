/// How a client treats servers.
package struct ClientPolicy: Sendable, Equatable {
  /// When a failed fetch is tried again.
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

  /// The defaults, as stated at each property.
  package init() {}
}
