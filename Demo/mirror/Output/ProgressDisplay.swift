import Console

/// Shows how far work is: on a live line where there is one, else a line a minute if asked for.
final class ProgressDisplay: Sendable {
  enum Pace: Sendable {
    case live
    case minutely
    case never
  }

  let pace: Pace
  private let meter = Locked(ProgressMeter())
  private let write: @Sendable (String) -> Void

  /// - Parameter write: where a plain line goes; by default standard error, unless nobody reads
  ///   that.
  init(
    _ pace: Pace,
    writing write: @escaping @Sendable (String) -> Void = { Streams.error($0, .fleeting) }
  ) {
    self.pace = pace
    self.write = write
  }

  /// How often ``show(_:elapsed:)`` is to be called; `nil` for never.
  var interval: Duration? {
    switch pace {
    case .live: .milliseconds(200)
    case .minutely: .seconds(60)
    case .never: nil
    }
  }

  func show(_ work: WorkProgress, elapsed: Duration) {
    let reading = meter.withLock { $0.read(work, at: elapsed) }
    switch pace {
    case .live: Streams.live(ProgressLine.text(reading, width: Terminal.width - 1))
    case .minutely: write(ProgressLine.plainText(reading))
    case .never: break
    }
  }
}

extension Invocation {
  var pace: ProgressDisplay.Pace { pace(on: .current) }

  func pace(on terminal: Terminal) -> ProgressDisplay.Pace {
    if terminal.isLive { return .live }
    return showsProgress ? .minutely : .never
  }
}
