/// What a server asks for beside its answer: lengths of time from the answer on.
public struct ServerWishes: Sendable, Hashable {
  /// The field `Retry-After`: with a refusal.
  public var retryAfter: Duration?
  /// The field `Backoff`: in passing.
  public var backoff: Duration?

  /// What a server asks for; nothing by default.
  public init(retryAfter: Duration? = nil, backoff: Duration? = nil) {
    self.retryAfter = retryAfter
    self.backoff = backoff
  }
}
