import SyncLock

/// Requests with identifiers: one more under the same is added, given the running one's result, or
/// replaces it, by choice; all of an identifier can be cancelled.
///
/// ```swift
/// let pictures = RequestRegistry<DocumentID, [UInt8]>(limit: 1)
/// let bytes = try await pictures.run(id, .join) { try await fetch(id) }
/// ```
public final class RequestRegistry<ID: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Request: Sendable {
    let number: Int
    let work: SharedWork<Value>
    var callers = 1
    /// It was told to end, and nobody is to be given what comes of it.
    var isCancelled = false
  }

  private struct State: Sendable {
    /// The requests of each identifier, in the order in which they run.
    var lines: [ID: [Request]] = [:]
    var lastNumber = 0
  }

  private let limit: Int
  private let state = Watched(State())

  /// A registry without requests.
  ///
  /// - Parameter limit: how many of one identifier run side by side; others wait in line.
  public init(limit: Int) {
    self.limit = max(1, limit)
  }

  /// Makes a request, or takes part in one that is under way.
  ///
  /// If your task is cancelled, the call throws `CancellationError` at once; the request is
  /// cancelled, too, if nobody else waits for it.
  ///
  /// - Throws: what the request throws; `CancellationError` if it was replaced or cancelled.
  public func run(
    _ id: ID, _ choice: RequestChoice, _ request: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let (mine, isNew, replaced) = state.change { [self] state in
      let line = state.lines[id, default: []]
      if choice == .join, let place = line.lastIndex(where: { !$0.isCancelled }) {
        state.lines[id]?[place].callers += 1
        return (line[place], false, [SharedWork<Value>]())
      }
      let replaced = choice == .replace ? Self.cancelAll(id, &state) : []
      state.lastNumber += 1
      let made = Request(
        number: state.lastNumber, work: work(state.lastNumber, of: id, request))
      state.lines[id, default: []].append(made)
      return (made, true, replaced)
    }
    for other in replaced { other.cancel() }
    if isNew { mine.work.begin() }
    do {
      return try await mine.work.value()
    } catch {
      if Task.isCancelled { leave(mine.number, of: id) }
      throw error
    }
  }

  /// Cancels all requests of an identifier; those who wait for them are told when they have ended.
  public func cancel(_ id: ID) {
    for work in state.change({ Self.cancelAll(id, &$0) }) { work.cancel() }
  }

  /// How many requests of an identifier run or wait.
  package func count(of id: ID) -> Int { state.state.lines[id]?.count ?? 0 }

  /// Returns when at least so many wait for requests of an identifier.
  func callers(of id: ID, atLeast count: Int) async throws {
    try await state.wait { state in
      state.lines[id, default: []].reduce(0) { $0 + $1.callers } >= count ? () : nil
    }
  }

  /// Waits in line, makes the request, and leaves the line. One that was cancelled in line isn't
  /// made.
  private func work(
    _ number: Int, of id: ID, _ request: @escaping @Sendable () async throws -> Value
  ) -> SharedWork<Value> {
    SharedWork { [state, limit] in
      defer {
        state.change { state in
          let left = state.lines[id, default: []].filter { $0.number != number }
          state.lines[id] = left.isEmpty ? nil : left
        }
      }
      try await state.wait { state in
        let running = state.lines[id, default: []].prefix(limit)
        return running.contains { $0.number == number && !$0.isCancelled } ? () : nil
      }
      return try await request()
    }
  }

  /// Nobody is given what comes of those of an identifier; answers the work that is to be ended.
  private static func cancelAll(_ id: ID, _ state: inout State) -> [SharedWork<Value>] {
    let works = state.lines[id, default: []].filter { !$0.isCancelled }.map(\.work)
    for place in state.lines[id, default: []].indices { state.lines[id]?[place].isCancelled = true }
    return works
  }

  private func leave(_ number: Int, of id: ID) {
    let work = state.change { state -> SharedWork<Value>? in
      guard let place = state.lines[id]?.firstIndex(where: { $0.number == number }) else {
        return nil
      }
      state.lines[id]?[place].callers -= 1
      guard state.lines[id]?[place].callers == 0 else { return nil }
      state.lines[id]?[place].isCancelled = true
      return state.lines[id]?[place].work
    }
    work?.cancel()
  }
}

/// What becomes of a request, where one with the same identifier is under way.
public enum RequestChoice: Sendable, Hashable, CaseIterable {
  /// It's made beside it, or after it where the limit is reached.
  case add
  /// None is made: it's given what comes of the one that was begun last.
  case join
  /// It's made in the place of all others, which are cancelled.
  case replace
}
