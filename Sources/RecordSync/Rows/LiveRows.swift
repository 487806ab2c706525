/// Rows as they are, and anew whenever they have changed. Each who iterates begins with the rows as
/// they are then.
public struct LiveRows<Element>: AsyncSequence, Sendable {
  private let store: RecordStore
  private let interval: Duration
  private let read: @Sendable (RecordStore) async throws -> [RecordRow]
  private let value: @Sendable (RecordRow) throws -> Element

  init(
    _ store: RecordStore, every interval: Duration,
    read: @escaping @Sendable (RecordStore) async throws -> [RecordRow],
    value: @escaping @Sendable (RecordRow) throws -> Element
  ) {
    (self.store, self.interval, self.read, self.value) = (store, interval, read, value)
  }

  /// Ends when the task that reads is cancelled, or with the first error.
  public func makeAsyncIterator() -> Iterator {
    Iterator(rows: self, looking: Looking(at: store, every: interval))
  }

  /// What is read next.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let rows: LiveRows
    fileprivate let looking: Looking
    private lazy var changes = looking.changes.makeAsyncIterator()
    private var last: [RecordRow]?

    fileprivate init(rows: LiveRows, looking: Looking) {
      (self.rows, self.looking) = (rows, looking)
    }

    /// All rows, once they are others than last time.
    public mutating func next() async throws -> [Element]? {
      while true {
        if last != nil {
          guard await changes.next(isolation: #isolation) != nil else { return nil }
        }
        do {
          let found = try await rows.read(rows.store)
          guard found != last else { continue }
          last = found
          return try found.map(rows.value)
        } catch is CancellationError {
          return nil
        }
      }
    }
  }
}

/// Looks again and again whether others have written, until it is let go of.
private final class Looking: Sendable {
  /// What was written since this began.
  let changes: AsyncStream<StoreChange>
  private let task: Task<Void, Never>

  init(at store: RecordStore, every interval: Duration) {
    changes = store.changes
    // Of nobody's: it goes on while the reader is busy, and ends with the iterator.
    task = Task { [weak store] in
      while (try? await Task.sleep(for: interval)) != nil {
        // Who reads is told of what is wrong with the database.
        try? await store?.lookForChanges()
      }
    }
  }

  deinit { task.cancel() }
}
