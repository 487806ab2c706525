import Console

/// The file in which the metrics of all mirrors of the process stand.
///
/// What earlier runs wrote of other mirrors stays, unless ``keep(_:)`` says which ones there are:
/// each configuration has a file of its own.
final class MetricsFile: Sendable {
  private let path: String
  private let queue: OutputQueue
  private let isHopeless: @Sendable (Duration) -> Bool
  private let state = Locked(State())

  private struct State {
    var metrics: MirrorMetrics?
    /// How many changes there were, and how many of them the last try to write held.
    var (changes, told) = (0, 0)
    /// What came of that try.
    var failure: OutputFile.Problem?
  }

  /// A file, which need not be there.
  ///
  /// - Parameter isHopeless: Whether a FIFO's reader is waited for no longer.
  init(
    _ path: String, on queue: OutputQueue = OutputQueue(),
    until isHopeless: @escaping @Sendable (Duration) -> Bool = OutputFile.isHopeless
  ) {
    (self.path, self.queue, self.isHopeless) = (path, queue, isHopeless)
  }

  /// Only these mirrors are told of from now on.
  func keep(_ names: [String]) {
    _ = change { $0.keep(Set(names)) }
  }

  /// A run has ended.
  /// - Returns: what went wrong with the file, if anything did.
  func note(_ name: String, _ end: RunEnd) async -> [String] {
    let number = change { $0.note(name, end) }
    do {
      try await queue.run { [self] isCancelled in try tell(number, until: isCancelled) }
      return []
    } catch {
      return ["the file of metrics \(error)"]
    }
  }

  /// Changes what is known.
  /// - Returns: the number of the change.
  private func change(_ body: (inout MirrorMetrics) -> Void) -> Int {
    let found = state.withLock { $0.metrics } ?? read()
    return state.withLock { state in
      var metrics = state.metrics ?? found
      body(&metrics)
      state.metrics = metrics
      state.changes += 1
      return state.changes
    }
  }

  /// Writes all that is known, on the queue: of two that write at once, the older text could come
  /// last. A change that an earlier call wrote isn't written once more, nor is its reader waited
  /// for again.
  private func tell(_ number: Int, until isCancelled: () -> Bool) throws(OutputFile.Problem) {
    let (state, text) = state.withLock { ($0, $0.metrics?.text ?? "") }
    guard state.told < number else {
      if let failure = state.failure { throw failure }
      return
    }
    let failure = write(text, until: isCancelled)
    // Whoever was cancelled hasn't waited for the reader in the others' stead.
    if !isCancelled() {
      self.state.withLock { ($0.told, $0.failure) = (state.changes, failure) }
    }
    if let failure { throw failure }
  }

  private func write(_ text: String, until isCancelled: () -> Bool) -> OutputFile.Problem? {
    guard !holdsSomethingElse else {
      return OutputFile.Problem(
        path: path, reason: "it holds something else, which would be lost; name another file")
    }
    do throws(OutputFile.Problem) {
      try OutputFile(path).write(Array(text.utf8)) { isCancelled() || isHopeless($0) }
      return nil
    } catch {
      return error
    }
  }

  /// Whether what is there already was never a file of metrics of ours, cut short or not.
  private var holdsSomethingElse: Bool {
    guard let text = content, !text.isEmpty else { return false }
    return !text.starts(with: "# HELP mirror_".utf8)
  }

  /// What the file holds; a device or a FIFO isn't read.
  private var content: [UInt8]? { try? OutputFile(path).bytes() }

  /// What is there already, if it's ours and whole.
  private func read() -> MirrorMetrics {
    guard let text = content.flatMap({ String(validating: $0, as: UTF8.self) }),
      let families = MetricText.families(of: text), let metrics = MirrorMetrics(families)
    else { return MirrorMetrics() }
    return metrics
  }
}
