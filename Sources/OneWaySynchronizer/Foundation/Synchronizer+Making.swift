public import SyncEngine

extension Synchronizer {
  /// Makes a synchronizer that is idle.
  ///
  /// - Parameters:
  ///   - processor: Your side of the synchronization.
  ///   - options: How it works; can be changed later.
  ///   - requestWindow: How requests are gathered, see ``requestSync()``.
  ///   - runUntilQuiet: Whether everybody who calls `sync()` during a run is told at the end of its
  ///     last pass. By default each is told when the pass that they waited for has ended, so that
  ///     callers who never stop asking hold up nobody.
  ///   - clock: What the window, pauses, limits and the durations in reports are measured with.
  public convenience init(
    processor: Processor, options: SyncOptions = SyncOptions(),
    requestWindow: RequestWindow = RequestWindow(), runUntilQuiet: Bool = false,
    clock: some Clock<Duration> = ContinuousClock()
  ) {
    self.init(
      processor: processor, options: options, requestWindow: requestWindow,
      runUntilQuiet: runUntilQuiet, clock: clock, executor: nil, voice: .ofApp())
  }
}

extension Voice {
  /// The notification, and the sentences of alerts, for one synchronizer.
  static func ofApp() -> Voice {
    let notification = StatusNotification()
    return Voice(
      wording: { $0.words },
      isCancellation: { $0.isCancellationOfFoundation },
      announce: { notification.post(for: $0, isSyncing: $1, run: $2) })
  }
}
