/// How many callers a client has use for at once, and who is told when they become more.
///
/// As long as all goes well with one origin, half as many again as exchanges may go on: whoever
/// ends one finds the next caller ready. As soon as there is another origin, or a fetch waits to
/// try again, any number: while some wait for the one, others may ask the other.
struct UsefulCallers: Sendable {
  private var told = 0
  private let teller: (@Sendable (Int) -> Void)?

  /// Nobody was told of any.
  init(teller: (@Sendable (Int) -> Void)? = nil) {
    self.teller = teller
  }

  /// How many are of use with one origin.
  static func count(forRequests requests: Int) -> Int { requests + requests / 2 }

  /// So many are of use; answers whom to tell, if that is news.
  mutating func raise(to count: Int) -> (@Sendable (Int) -> Void)? {
    guard count > told else { return nil }
    told = count
    return teller
  }
}
