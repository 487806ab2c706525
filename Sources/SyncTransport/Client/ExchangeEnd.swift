/// How an exchange ended, as far as it tells how many an origin takes at once.
struct ExchangeEnd: Equatable {
  /// The bytes of the body; `nil` when it failed, whatever had come by then.
  var bytes: Int64?
  /// Whether the server answered that it has too much to do.
  var isRefusal: Bool
  /// Whether the connection carries many exchanges at once.
  var isMultiplexed = false
}

extension ExchangeEnd {
  init(_ response: HTTPResponse) {
    self.init(
      bytes: response.status < 500 ? response.bodyBytes : nil,
      isRefusal: Self.isRefusal(response.status), isMultiplexed: response.head.isMultiplexed)
  }

  /// It failed, after this status if it came as far.
  init(failedAfter status: Int?) {
    self.init(bytes: nil, isRefusal: Self.isRefusal(status))
  }

  private static func isRefusal(_ status: Int?) -> Bool { status == 429 || status == 503 }
}
