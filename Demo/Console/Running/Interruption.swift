import Dispatch
import Foundation

/// SIGINT and SIGTERM: the first cancels what runs and waits for it, the second ends the program
/// at once. Neither harms a file: whatever is in place is whole.
package enum Interruption {
  /// Whether a signal has come.
  package struct State: Sendable {
    /// Whether one has; then the task is cancelled.
    package var hasCome: Bool { Task.isCancelled }
  }

  /// Runs `body` in a task that the first signal cancels. From then on, nobody who should read our
  /// output is waited for much longer.
  ///
  /// It begins once the signals are watched for: one that comes before ends the program, which has
  /// done nothing by then, and none is lost.
  package static func guarding<Result: Sendable>(
    _ body: @escaping @Sendable (State) async -> Result
  ) async -> Result {
    let (watched, begin) = AsyncStream<Never>.makeStream()
    let work = Task {
      for await _ in watched {}
      return await body(State())
    }
    let queue = DispatchQueue(label: "console.signals")
    let sources = [SIGINT, SIGTERM].map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        if work.isCancelled { _exit(ExitStatus.cancelled.rawValue) }
        Streams.hurry()
        work.cancel()
      }
      return source
    }
    for source in sources { await source.watch() }
    begin.finish()
    defer { for source in sources { source.cancel() } }
    return await work.value
  }
}

extension DispatchSourceSignal {
  /// Starts the source and returns when it watches.
  fileprivate func watch() async {
    #if canImport(Darwin)
      // There, a source only looks on, and leaves the program to the signal's own effect.
      signal(Int32(handle), SIG_IGN)
    #endif
    await withCheckedContinuation { watching in
      setRegistrationHandler { watching.resume() }
      resume()
    }
  }
}
