import SyncLock

/// Keeps the newest status and gives it to any number of readers, each of which sees the newest
/// when it looks: who reads slowly skips what lay between.
final class StatusBoard: Sendable {
  /// What people are told of an error.
  typealias Wording = @Sendable (any Error) -> String

  private struct State {
    var status = SyncStatus()
    var readers: [Int: Reader] = [:]
    var lastReader = 0
  }

  private struct Reader {
    let stream: AsyncStream<SyncStatus>.Continuation
    let firstRun: Int

    func tell(_ status: SyncStatus) {
      var status = status
      status.firstRunOfReader = firstRun
      stream.yield(status)
    }
  }

  private let state = Locked(State())
  /// Told when the first reader comes, and when the last one is gone.
  private let observers: ObserverCount
  private let wording: Wording

  init(_ observers: ObserverCount, wording: @escaping Wording) {
    self.observers = observers
    self.wording = wording
  }

  var current: SyncStatus { state.withLock { $0.status } }

  /// Takes an event in and tells the readers.
  func apply<ID>(_ event: SyncEvent<ID>) {
    // Outside the lock, since the error's own code is called.
    let message: String? =
      if case .runEnded(.failure(let error)) = event { wording(error) } else { nil }
    state.withLock { state in
      state.status.apply(event, message: message)
      // Under the lock, so that they come in order; nobody is waited for.
      for reader in state.readers.values { reader.tell(state.status) }
    }
  }

  /// A pass is about to tell its plan: so many items are downloaded in each of these stages.
  func expect(items: Int, in stages: [SyncStage]) {
    state.withLock { $0.status.tally.expect(items: items, in: stages) }
  }

  /// The present status, then each newer one.
  func subscribe() -> AsyncStream<SyncStatus> {
    let (stream, sink) = AsyncStream.makeStream(
      of: SyncStatus.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      let reader = Reader(
        stream: sink, firstRun: state.status.run + (state.status.isSyncing ? 0 : 1))
      state.lastReader += 1
      state.readers[state.lastReader] = reader
      reader.tell(state.status)
      return state.lastReader
    }
    observers.add(1)
    sink.onTermination = { [weak self] _ in self?.remove(number) }
    return stream
  }

  private func remove(_ number: Int) {
    let reader = state.withLock { $0.readers.removeValue(forKey: number) }
    if reader != nil { observers.add(-1) }
  }

  deinit {
    for reader in state.withLock({ $0.readers }).values { reader.stream.finish() }
  }
}
