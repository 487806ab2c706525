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

  package func document(_ id: DocumentID) -> DocumentStream { DocumentStream(store: self, id: id) }

  package func noticeOthers() async throws {
    try await withConnection { [hub] in try hub.look(at: $0) }
  }
}

/// What people see of one document: as it is now, and then each other value that it takes; `nil`
/// where there is none.
///
/// Whoever is slow misses values in between, and never the last one. It ends when the store is
/// closed, and what reading throws, it throws.
package struct DocumentStream: AsyncSequence, Sendable {
  /// What people see of it; `nil` where there is none.
  package typealias Element = DocumentValue?

  let store: DocumentStore
  let id: DocumentID

  /// Begins to listen.
  package func makeAsyncIterator() -> Iterator {
    // It listens before it reads, so that nothing comes between.
    Iterator(store: store, id: id, changes: store.changes.makeAsyncIterator())
  }

  /// Goes from value to value.
  package struct Iterator: AsyncIteratorProtocol {
    let store: DocumentStore
    let id: DocumentID
    var changes: AsyncStream<StoreChange>.Iterator
    private var last: Element?

    init(store: DocumentStore, id: DocumentID, changes: AsyncStream<StoreChange>.Iterator) {
      (self.store, self.id, self.changes) = (store, id, changes)
    }

    package mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> Element? {
      do {
        guard let last else { return try await seen() }
        while let change = await changes.next(isolation: actor) {
          guard change.concerns(id) else { continue }
          let value = try await read()
          if !value.hasSameContent(as: last) {
            self.last = .some(value)
            return .some(value)
          }
        }
        return nil
      } catch {
        guard store.hub.isClosed else { throw error }
        return nil
      }
    }

    private mutating func seen() async throws -> Element? {
      let value = try await read()
      last = .some(value)
      return last
    }

    private func read() async throws -> DocumentValue? {
      try await store.read { [id] in try $0.document(id) }
    }
  }
}
