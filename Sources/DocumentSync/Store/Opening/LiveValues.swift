import SyncLock

/// What is asked of the documents, and asked again after each commit that may have changed the
/// answer: as it is now, and then each other answer.
///
/// Whoever is slow misses answers in between, and never the last one. It ends when the store is
/// closed, and what reading throws, it throws.
package struct LiveValues<Found: Sendable, Value: Sendable>: AsyncSequence, Sendable {
  /// An answer, as it's told.
  package typealias Element = Value

  let store: DocumentStore
  /// Whether a commit may have changed the answer.
  let concerns: @Sendable (StoreChange) -> Bool
  let read: @Sendable (StoreReader) throws -> Found
  let isSame: @Sendable (Found, Found) -> Bool
  /// What is told of an answer; made where the store is read.
  let make: @Sendable (Found) throws -> Value
  /// Whether what was read last shows that more commits concern it than it was told of: then it's
  /// read again.
  var hasMoved: @Sendable () -> Bool = { false }

  /// Begins to listen.
  package func makeAsyncIterator() -> Iterator {
    // It listens before it reads, so that nothing comes between; and since it reads what is there
    // then, one change that waits stands for all before it.
    Iterator(
      values: self,
      changes: store.hub.subscribe(for: store.owner, newest: 1, wants: concerns)
        .makeAsyncIterator())
  }

  /// Goes from answer to answer.
  package struct Iterator: AsyncIteratorProtocol {
    let values: LiveValues
    var changes: AsyncStream<StoreChange>.Iterator
    private var last: Found?

    init(values: LiveValues, changes: AsyncStream<StoreChange>.Iterator) {
      (self.values, self.changes) = (values, changes)
    }

    package mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> Value? {
      do {
        if last == nil, let first = try await other() { return first }
        while await changes.next(isolation: actor) != nil {
          if let value = try await other() { return value }
        }
        return nil
      } catch {
        guard values.store.hub.isClosed else { throw error }
        return nil
      }
    }

    /// The answer, if it's another one than the last.
    private mutating func other() async throws -> Value? {
      var answer = try await changed()
      while values.hasMoved() { answer = try await changed() }
      guard let answer else { return nil }
      last = .some(answer.found)
      return answer.value
    }

    private func changed() async throws -> (found: Found, value: Value)? {
      try await values.store.read { [values, last] reader in
        let found = try values.read(reader)
        if let last, values.isSame(found, last) { return nil }
        return (found, try values.make(found))
      }
    }
  }
}

extension DocumentStore {
  /// What people see of a document; `nil` where there is none.
  ///
  /// - Parameter make: what is told of it.
  package func values<Value: Sendable>(
    of id: DocumentID, _ make: @escaping @Sendable (DocumentValue?) throws -> Value
  ) -> LiveValues<DocumentValue?, Value> {
    // What it's called, where the server gave it another id, and whether that is news.
    let name = Locked((id: id, isNew: false))
    return LiveValues(
      store: self, concerns: { $0.concerns(id) || $0.concerns(name.withLock { $0.id }) },
      read: { reader in
        let now = try reader.named(id)
        name.withLock { $0 = (now, now != $0.id) }
        return try reader.document(id)
      },
      isSame: { $0.hasSameContent(as: $1) }, make: make,
      hasMoved: {
        name.withLock { name in
          defer { name.isNew = false }
          return name.isNew
        }
      })
  }

  package func document(_ id: DocumentID) -> LiveValues<DocumentValue?, DocumentValue?> {
    values(of: id) { $0 }
  }

  /// The documents that a query finds, in the order that it asks for.
  ///
  /// - Parameters:
  ///   - query: what is asked, each time as it is then.
  ///   - make: what is told of each.
  package func values<Value: Sendable>(
    matching query: @escaping @Sendable () -> DocumentQuery,
    _ make: @escaping @Sendable (FoundDocument) throws -> Value
  ) -> LiveValues<[FoundDocument], [Value]> {
    LiveValues(
      store: self,
      concerns: { change in
        !change.isComplete
          || change.documents.contains { $0.kind != .status && query().means($0.scope) }
      },
      read: { try $0.documents(matching: query()) },
      isSame: { $0.elementsEqual($1) { $0.isSame(as: $1) } },
      make: { try $0.map(make) })
  }
}

extension FoundDocument {
  fileprivate func isSame(as other: FoundDocument) -> Bool {
    id == other.id && collection == other.collection && content.hasSameContent(as: other.content)
  }
}
