import Dispatch
import Foundation

/// SIGINT and SIGTERM: the first cancels what runs and waits for it, the second ends the program
/// at once. Neither harms a file: whatever is in place is whole.
enum Interruption {
  private static let numbers = [SIGINT, SIGTERM]

  /// Runs `body` in a task that the first signal cancels.
  ///
  /// It begins when both are listened for. Until then they do what they do to any program: one that
  /// was ignored in the meantime would be lost, and the run would go on for hours.
  static func guarding<Result: Sendable>(
    _ body: @escaping @Sendable () async -> Result
  ) async -> Result {
    let (listening, report) = AsyncStream<Void>.makeStream()
    let work = Task {
      var waiting = numbers.count
      for await _ in listening {
        waiting -= 1
        if waiting == 0 { break }
      }
      return await body()
    }
    let queue = DispatchQueue(label: "mirror.signals")
    let sources = numbers.map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        if work.isCancelled { _exit(Program.ExitStatus.cancelled.rawValue) }
        work.cancel()
      }
      source.setRegistrationHandler {
        #if canImport(Darwin)
          // There a source only watches, and what it watches would still end the program.
          signal(number, SIG_IGN)
        #endif
        report.yield()
      }
      source.resume()
      return source
    }
    defer { for source in sources { source.cancel() } }
    return await work.value
  }
}
