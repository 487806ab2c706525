import Console
import SyncLock

/// Shows how far work is: on a live line where there is one, else a line a minute if asked for.
final class ProgressDisplay: Sendable {
  /// How it is shown.
  enum Pace: Sendable {
    case live
    case minutely
    case never
  }

  let pace: Pace
  private let meter = Locked(ProgressMeter())

  init(_ pace: Pace) {
    self.pace = pace
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
    case .minutely: Streams.error(ProgressLine.plainText(reading), .fleeting)
    case .never: break
    }
  }
}

extension Invocation {
  /// How progress is shown in the style for people.
  var pace: ProgressDisplay.Pace {
    if Terminal.current.isLive { return .live }
    return showsProgress ? .minutely : .never
  }
}
