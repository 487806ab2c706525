import Dispatch
import Foundation

/// Readers of a stream that come and go while it is told something, as the views of an app do.
///
/// Telling a reader takes its lock, and cancelling its task holds that one: whoever tells under a
/// lock that a leaving reader takes, too, stands still for good sooner or later, and so does the
/// thread that cancelled.
public enum LeavingReaders {
  /// Begins readers of a stream each and cancels them, one after the other, on a thread of its own,
  /// while `tell` is done over and over. Those that froze did so within a hundred.
  ///
  /// - Returns: whether it came to its end within five minutes.
  public static func comeAndGo<Element: Sendable>(
    _ count: Int = 250, reading stream: @escaping @Sendable () -> AsyncStream<Element>,
    while tell: @escaping @Sendable () async -> Void
  ) -> Bool {
    let telling = Task.detached {
      while !Task.isCancelled {
        await tell()
        await Task.yield()
      }
    }
    defer { telling.cancel() }
    let isOver = DispatchSemaphore(value: 0)
    Thread {
      for number in 0..<count {
        let reader = Task { for await _ in stream() {} }
        for _ in 0..<(number % 64) { sched_yield() }
        reader.cancel()
      }
      isOver.signal()
    }.start()
    return isOver.wait(timeout: .now() + 300) == .success
  }
}
