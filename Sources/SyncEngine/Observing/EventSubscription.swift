import SyncLock

/// One subscriber's end of the event hub: events wait here until they are read.
final class EventSubscription<ID: Hashable & Sendable>: Sendable {
  private struct State {
    var buffer = EventBuffer<ID>()
    /// Tasks that wait for the next event, the first to come first; usually one.
    var readers: [CheckedContinuation<SyncEvent<ID>?, Never>] = []
  }

  private let state = Locked(State())

  /// Hands an event to the reader that waits, or keeps it.
  func publish(_ event: SyncEvent<ID>) {
    let handed = state.withLock { state -> (CheckedContinuation<SyncEvent<ID>?, Never>)? in
      guard !state.readers.isEmpty, !state.buffer.isClosed else {
        state.buffer.append(event)
        return nil
      }
      return state.readers.removeFirst()
    }
    handed?.resume(returning: event)
  }

  /// The stream ends once what waits has been read.
  func close() {
    let readers = state.withLock { state in
      state.buffer.close()
      defer { state.readers = [] }
      return state.readers
    }
    for reader in readers { reader.resume(returning: nil) }
  }

  /// The next event; `nil` when the stream is over or the reading task was cancelled.
  func next() async -> SyncEvent<ID>? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (isOver, event) = state.withLock { state -> (Bool, SyncEvent<ID>?) in
          if let event = state.buffer.popFirst() { return (true, event) }
          if state.buffer.isClosed || Task.isCancelled { return (true, nil) }
          state.readers.append(continuation)
          return (false, nil)
        }
        if isOver { continuation.resume(returning: event) }
      }
    } onCancel: {
      close()
    }
  }
}
