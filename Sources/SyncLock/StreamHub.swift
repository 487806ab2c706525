/// Gives what is new to any number of readers, each of whom has a stream of its own: the one way in
/// which this package tells anything through a stream.
///
/// A stream is pulled. What is new lies in the reader's ``Backlog``, under the hub's lock; a reader
/// that waits is resumed once no lock is held, and takes what is there. So elements come in the
/// order in which they were put, however many threads put them or tell of it, and it is never
/// waited for a reader.
package final class StreamHub<Waiting: Backlog>: Sendable {
  /// What the streams consist of.
  package typealias Element = Waiting.Element

  // The streams hold it, too: they can be read to their end when the hub is gone.
  private let readers = Locked(Readers())

  /// A hub without readers.
  package init() {}

  deinit { close() }

  package var hasReaders: Bool { readers.withLock { !$0.all.isEmpty } }

  /// Lays an element before every reader; tell what it returns when no lock is held. May be called
  /// under a lock, which then says in which order elements come.
  package func put(_ element: Element) -> Wakeups {
    readers.withLock { $0.put(mayBeLeftOut: false) { element } }
  }

  /// As ``put(_:)``, of an element that a backlog may leave out: it is made, once and under the
  /// hub's lock, if any backlog takes it.
  package func offer(_ make: () -> Element) -> Wakeups {
    readers.withLock { $0.put(mayBeLeftOut: true, make) }
  }

  /// Lays an element before every reader and tells those who wait. Under no lock.
  package func send(_ element: Element) { put(element).tell() }

  /// A stream of what its backlog holds and of all that is put from now on. May be called under a
  /// lock.
  ///
  /// - Parameter whenGone: Called once nobody reads it any more.
  package func stream(
    _ backlog: Waiting, whenGone: @escaping @Sendable () -> Void = {}
  ) -> AsyncStream<Element> {
    stream(backlog, whenGone: whenGone) { $0 }
  }

  /// As ``stream(_:whenGone:)``, of what `look` makes of each element when it is read, under no
  /// lock.
  package func stream<Output: Sendable>(
    _ backlog: Waiting, whenGone: @escaping @Sendable () -> Void = {},
    reading look: @escaping @Sendable (Element) -> Output
  ) -> AsyncStream<Output> {
    let number = readers.withLock { $0.add(backlog) }
    let end = Reading(of: readers, number, whenGone)
    return AsyncStream { await end.next().map(look) }
  }

  /// Takes in no more: every stream ends once what waits for its reader has been read.
  package func close() { readers.withLock { $0.close() }.tell() }
}

extension StreamHub {
  /// What a look at a reader's backlog gave.
  fileprivate enum Look: Sendable {
    case element(Element)
    case end
    /// Something may be there now.
    case again
  }

  fileprivate struct Reader: Sendable {
    var backlog: Waiting
    var isOver: Bool
    /// Tasks that wait for the next element, the first to come first; usually one.
    var waiting: [CheckedContinuation<Look, Never>] = []

    /// Takes in what `element` gives, unless it may be and is left out; gives the task to wake.
    mutating func take(
      _ element: () -> Element, mayBeLeftOut: Bool
    ) -> CheckedContinuation<Look, Never>? {
      if isOver || backlog.isClosed || mayBeLeftOut && backlog.leavesOutNext() { return nil }
      backlog.append(element())
      return waiting.isEmpty ? nil : waiting.removeFirst()
    }

    mutating func end() -> [CheckedContinuation<Look, Never>] {
      isOver = true
      defer { waiting = [] }
      return waiting
    }
  }

  fileprivate struct Readers: Sendable {
    var all: [Int: Reader] = [:]
    private var last = 0
    private var isClosed = false

    mutating func add(_ backlog: Waiting) -> Int {
      last += 1
      all[last] = Reader(backlog: backlog, isOver: isClosed)
      return last
    }

    mutating func put(mayBeLeftOut: Bool, _ make: () -> Element) -> Wakeups {
      var wakeups = Wakeups()
      var made: Element?
      func element() -> Element {
        let element = made ?? make()
        made = element
        return element
      }
      var place = all.startIndex
      while place != all.endIndex {  // in place: a loop over the indices would copy all
        if let reader = all.values[place].take(element, mayBeLeftOut: mayBeLeftOut) {
          wakeups.add { reader.resume(returning: .again) }
        }
        all.formIndex(after: &place)
      }
      return wakeups
    }

    /// What is there for a reader; `nil` if it is to wait, and is remembered as waiting.
    mutating func look(
      _ number: Int, orWait continuation: CheckedContinuation<Look, Never>
    ) -> Look? {
      guard let place = all.index(forKey: number) else { return .end }
      if let element = all.values[place].backlog.popFirst() { return .element(element) }
      let reader = all.values[place]
      if reader.isOver || reader.backlog.isClosed || Task.isCancelled { return .end }
      all.values[place].waiting.append(continuation)
      return nil
    }

    mutating func end(_ number: Int) -> Wakeups { Self.wakeups(of: all[number]?.end() ?? []) }

    mutating func close() -> Wakeups {
      isClosed = true
      return Self.wakeups(of: all.keys.flatMap { all[$0]?.end() ?? [] })
    }

    private static func wakeups(of waiting: [CheckedContinuation<Look, Never>]) -> Wakeups {
      var wakeups = Wakeups()
      for reader in waiting { wakeups.add { reader.resume(returning: .end) } }
      return wakeups
    }
  }

  /// A reader's end of a stream, held by the stream alone: when that goes, so does the reader.
  private final class Reading: Sendable {
    private let readers: Locked<Readers>
    private let number: Int
    private let whenGone: @Sendable () -> Void

    init(of readers: Locked<Readers>, _ number: Int, _ whenGone: @escaping @Sendable () -> Void) {
      (self.readers, self.number, self.whenGone) = (readers, number, whenGone)
    }

    deinit {
      // What it held is let go of when the lock is free.
      _ = readers.withLock { $0.all.removeValue(forKey: number) }
      whenGone()
    }

    /// The next element; `nil` when the stream is over or a task that reads it was cancelled.
    func next() async -> Element? {
      await withTaskCancellationHandler {
        while true {
          let found = await withCheckedContinuation { continuation in
            let found = readers.withLock { $0.look(number, orWait: continuation) }
            if let found { continuation.resume(returning: found) }
          }
          switch found {
          case .element(let element): return element
          case .end: return nil
          case .again: continue
          }
        }
      } onCancel: {
        readers.withLock { $0.end(number) }.tell()
      }
    }
  }
}
