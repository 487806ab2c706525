import Dispatch
import Foundation

/// SIGINT and SIGTERM: the first cancels what runs and waits for it, the second ends the program
/// at once. Neither harms a file: whatever is in place is whole.
enum Interruption {
  /// Runs `body` in a task that the first signal cancels.
  static func guarding<Result: Sendable>(
    _ body: @escaping @Sendable () async -> Result
  ) async -> Result {
    let work = Task { await body() }
    let queue = DispatchQueue(label: "mirror.signals")
    let sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        if work.isCancelled { _exit(Program.ExitStatus.cancelled.rawValue) }
        work.cancel()
      }
      source.resume()
      return source
    }
    defer { for source in sources { source.cancel() } }
    return await work.value
  }
}
