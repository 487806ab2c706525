import Dispatch
import SyncLock
import SyncSystem

/// SIGINT, SIGTERM and SIGHUP: the first cancels what runs and waits for it, the second ends the
/// program at once. Neither harms a file: whatever is in place is whole.
///
/// A program may take SIGHUP for something else; and one that was started to ignore it, as by
/// nohup(1), does.
public enum Interruption {
  /// Whether a signal has come.
  public struct State: Sendable {
    fileprivate let hangup = Locked<(@Sendable () -> Void)?>(nil)

    /// Whether one has; then the task is cancelled.
    public var hasCome: Bool { Task.isCancelled }

    /// From now on, this is what SIGHUP does.
    public func onHangup(_ body: @escaping @Sendable () -> Void) {
      hangup.withLock { $0 = body }
    }
  }

  /// Runs `body` in a task that the first signal cancels. From then on, nobody who should read our
  /// output is waited for much longer.
  ///
  /// It begins once the signals are watched for: one that comes before ends the program, which has
  /// done nothing by then, and none is lost.
  public static func guarding<Result: Sendable>(
    _ body: @escaping @Sendable (State) async -> Result
  ) async -> Result {
    let (watched, begin) = AsyncStream<Never>.makeStream()
    let state = State()
    if isIgnored(SIGHUP) { state.onHangup {} }
    let work = Task {
      for await _ in watched {}
      return await body(state)
    }
    let queue = DispatchQueue(label: "console.signals")
    let sources = [SIGINT, SIGTERM, SIGHUP].map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        if number == SIGHUP, let hangup = state.hangup.withLock({ $0 }) { return hangup() }
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

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_handler
    #else
      let handler = action.__sigaction_handler.sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}

extension DispatchSourceSignal {
  /// Starts the source and returns when it watches.
  fileprivate func watch() async {
    #if canImport(Darwin)
      // There, a source only looks on, and leaves the program to the signal's own effect.
      signal(Int32(handle), SIG_IGN)
    #endif
    // A stream, as one is in use already: a continuation's type costs a start a third of a
    // millisecond, in which all conformances of the program are looked through.
    let (watching, begin) = AsyncStream<Never>.makeStream()
    setRegistrationHandler { begin.finish() }
    resume()
    for await _ in watching {}
  }
}
