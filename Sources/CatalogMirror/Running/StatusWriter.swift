import SyncFiles
import SyncFolder
import SyncLock

/// Says in the folder how far a run is, for whoever asks meanwhile: the index is the run's alone.
///
/// Written whole, when something has changed, and at most once in a while. Nothing depends on it:
/// that it can't be written is no error of the run.
final class StatusWriter: Sendable {
  private let folder: MirrorFolder
  private let queue: any DiskQueue
  private let observer: MirrorObserver
  private let run: RunningMirror
  private let interval: Duration
  private let hasEnded = Locked(false)

  /// - Parameters:
  ///   - run: Who works in the folder, and on what.
  ///   - interval: How often it is written at most.
  init(
    _ session: MirrorSession, _ run: RunningMirror, every interval: Duration,
    observer: MirrorObserver
  ) {
    (folder, queue) = (session.folder, session.fileQueue)
    (self.run, self.interval, self.observer) = (run, interval, observer)
  }

  func begin() async {
    _ = try? await queue.run { self.write() }
    observer.whenChanged { [weak self, queue, interval] in
      // Nothing is held open for what is written too late.
      queue.enqueue(after: interval) { [weak self] in self?.write() }
    }
  }

  func end() async {
    observer.whenChanged(nil)
    _ = try? await queue.run { [folder, hasEnded] in
      hasEnded.withLock { $0 = true }
      try folder.removeStatus()
    }
  }

  /// On the queue, and so never beside ``end()``.
  private func write() {
    guard !hasEnded.withLock({ $0 }) else { return }
    var run = run
    run.progress = observer.takeProgress()
    try? folder.writeStatus(run.written)
  }
}

final class RunTimer: Sendable {
  private struct State {
    var isUp = false
    var tell: (@Sendable (Duration) -> Void)?
  }

  private let limit: Duration?
  private let state = Locked(State())

  /// A time; `nil` is without an end.
  init(_ limit: Duration?) {
    self.limit = limit
  }

  var reached: Duration? { state.withLock { $0.isUp ? limit : nil } }

  /// Who is told, before the run is cancelled, that its time is up; the one before is forgotten.
  func whenUp(_ tell: @escaping @Sendable (Duration) -> Void) {
    guard limit != nil else { return }
    state.withLock { $0.tell = tell }
  }

  /// Does something, and cancels it when the time is up.
  func limiting<Value: Sendable>(
    _ clock: any Clock<Duration>, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    guard let limit else { return try await body() }
    return try await withThrowingTaskGroup(of: Value?.self) { group in
      group.addTask { try await body() }
      group.addTask { [self] in
        try await clock.sleep(for: limit)
        timeIsUp(after: limit)
        return nil
      }
      defer { group.cancelAll() }
      while let value = try await group.next() {
        if let value { return value }
        group.cancelAll()
      }
      throw CancellationError()
    }
  }

  private func timeIsUp(after limit: Duration) {
    let tell = state.withLock { state in
      state.isUp = true
      return state.tell
    }
    tell?(limit)
  }
}
