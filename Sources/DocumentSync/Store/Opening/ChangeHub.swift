import SyncDatabase
private import SyncLock

/// Tells those who listen what the commits of a store changed.
final class ChangeHub: Sendable {
  private struct Listener {
    let stream = StreamHub<NewestElements<StoreChange>>()
    let owner: @Sendable () -> DocumentOwner?
    let wants: @Sendable (StoreChange) -> Bool

    /// Tells what their own documents have of it, if anything.
    func tell(_ change: StoreChange) {
      var change = change
      if let owner = owner() {
        let own = change.documents.filter { owner.has($0.scope) }
        guard !own.isEmpty || !change.isComplete else { return }
        change = StoreChange(
          origin: change.origin, documents: own, isComplete: change.isComplete)
      }
      if wants(change) { stream.send(change) }
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
  /// - Parameters:
  ///   - owner: who listens, as it is when something is told; by default everybody's documents are
  ///     told of.
  ///   - newest: how many of the newest wait for who listens; by default all.
  ///   - wants: which are told at all; by default all.
  func subscribe(
    for owner: @escaping @Sendable () -> DocumentOwner? = { nil }, newest: Int = .max,
    wants: @escaping @Sendable (StoreChange) -> Bool = { _ in true }
  ) -> AsyncStream<StoreChange> {
    let listener = Listener(owner: owner, wants: wants)
    return state.withLock { state in
      if state.isClosed { return AsyncStream { nil } }
      state.next += 1
      state.listeners[state.next] = listener
      return listener.stream.stream(NewestElements(atMost: newest)) {
        [weak self, number = state.next] in
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

  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Nobody else listens from now on; those who do are still told what is recorded.
  func beginClosing() { state.withLock { $0.isClosed = true } }

  /// Nothing more will be told.
  func close() {
    beginClosing()
    for listener in state.withLock({ $0.listeners }).values { listener.stream.close() }
  }
}

extension DocumentStore {
  /// What each commit changes from now on, told once it's recorded, to any number of listeners.
  ///
  /// Nothing is told where nothing changed. What others write who have the same file open is told
  /// before the next change that is made here, or when ``noticeOthers()`` is called. It ends when
  /// the store is closed.
  package var changes: AsyncStream<StoreChange> { hub.subscribe(for: owner) }

  package func noticeOthers() async throws {
    try await withConnection { [hub] in try hub.look(at: $0) }
  }
}
