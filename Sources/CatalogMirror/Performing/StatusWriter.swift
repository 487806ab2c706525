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

  /// The run has ended, and says nothing any more.
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
