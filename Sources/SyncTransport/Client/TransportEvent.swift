/// Something that a client did on its own while it fetched.
package enum TransportEvent: Sendable, Equatable {
  /// An attempt failed; the next one, with this number (the first retry is 1), follows after the
  /// wait.
  case retrying(address: WebAddress, retry: Int, wait: Duration, reason: TransportError)
  case redirected(from: WebAddress, to: WebAddress, status: Int)
}
