/// The least rate of a transfer: fewer than `bytesPerSecond` over a whole `span` is a stall. Counts
/// from when the request goes out, both ways, headers included; time in which the receiver pauses
/// doesn't count. What a request carries has moved when the system has taken it, which may be some
/// megabytes before it has arrived.
package struct StallLimit: Sendable, Equatable {
  /// The least rate. Default 1,024.
  package var bytesPerSecond: Int64
  /// Over how long. Default 30 s.
  package var span: Duration

  /// A limit; by default 1 KiB/s over 30 s.
  package init(bytesPerSecond: Int64 = 1024, span: Duration = .seconds(30)) {
    self.bytesPerSecond = bytesPerSecond
    self.span = span
  }
}

/// The least rate of a transfer on the whole: it may take `grace`, and as long as its body takes at
/// `bytesPerSecond`. So even a body without an end, which comes just fast enough not to stall,
/// doesn't last for ever. Bytes count as the receiver gets them, and as the system takes those of
/// the request's body; time in which the receiver pauses doesn't.
package struct PaceLimit: Sendable, Equatable {
  /// The least rate. Default 4,096.
  package var bytesPerSecond: Int64
  /// What may be lost beside. Default 10 minutes.
  package var grace: Duration

  /// A limit; by default 4 KiB/s and 10 minutes.
  package init(bytesPerSecond: Int64 = 4096, grace: Duration = .seconds(600)) {
    self.bytesPerSecond = bytesPerSecond
    self.grace = grace
  }

  /// How long so many bytes may take.
  func time(for bytes: Int64) -> Duration {
    grace + .seconds(Double(bytes) / Double(max(1, bytesPerSecond)))
  }
}

extension Duration {
  var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
