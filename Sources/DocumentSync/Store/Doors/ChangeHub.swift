import SyncDatabase
private import SyncLock

/// Tells those who listen what the commits of a store changed.
final class ChangeHub: Sendable {
  private struct Listener {
    let stream = StreamHub<NewestElements<StoreChange>>()
    let owner: @Sendable () -> DocumentOwner?

    /// Tells what their own documents have of it, if anything.
    func tell(_ change: StoreChange) {
      guard let owner = owner() else { return stream.send(change) }
      let own = change.documents.filter { owner.has($0.scope) }
      guard !own.isEmpty || !change.isComplete else { return }
      stream.send(
        StoreChange(origin: change.origin, documents: own, isComplete: change.isComplete))
    }
  }

  private struct State {
    var listeners: [Int: Listener] = [:]
    var next = 0
    var isClosed = false
  }

  private let state = Locked(State())
  private let others = OtherWriters()

  var hasListeners: Bool { state.withLock { !$0.listeners.isEmpty } }

  /// What is told from now on. It waits for who listens, however long.
  ///
  /// - Parameter owner: who listens, as it is when something is told; by default everybody's
  ///   documents are told of.
  func subscribe(
    for owner: @escaping @Sendable () -> DocumentOwner? = { nil }
  ) -> AsyncStream<StoreChange> {
    let listener = Listener(owner: owner)
    return state.withLock { state in
      if state.isClosed { return AsyncStream { nil } }
      state.next += 1
      state.listeners[state.next] = listener
      return listener.stream.stream(NewestElements()) { [weak self, number = state.next] in
        self?.remove(number)
      }
    }
  }

  private func remove(_ number: Int) {
    // What it held is let go of when the lock is free.
    _ = state.withLock { $0.listeners.removeValue(forKey: number) }
  }

  /// Something was committed.
  func tell(_ change: StoreChange) {
    for listener in state.withLock({ $0.listeners.sorted { $0.key < $1.key }.map(\.value) }) {
      listener.tell(change)
    }
  }

  /// Tells if somebody else has written to the file since the last look.
  func look(at connection: Connection) throws {
    guard try others.haveWritten(lookingBy: connection) else { return }
    tell(StoreChange(origin: .others, documents: [], isComplete: false))
  }

  /// Whether the store is closed, or about to be.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Nobody else listens from now on; those who do are still told what is recorded.
  func beginClosing() { state.withLock { $0.isClosed = true } }

  /// Nothing more will be told.
  func close() {
    beginClosing()
    for listener in state.withLock({ $0.listeners }).values { listener.stream.close() }
  }
}
