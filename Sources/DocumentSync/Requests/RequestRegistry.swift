import SyncLock

/// Requests with identifiers: one more under the same is added, given the running one's result, or
/// replaces it, by choice; all of an identifier can be cancelled.
///
/// ```swift
/// let pictures = RequestRegistry<DocumentID, [UInt8]>(limit: 1)
/// let bytes = try await pictures.run(id, .join) { try await fetch(id) }
/// ```
public final class RequestRegistry<ID: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct State: Sendable {
    var book: RequestBook<ID>
    var works: [RequestBook<ID>.Ticket: Work] = [:]
  }

  private struct Work: Sendable {
    let work: SharedWork<Value>
    var callers = 1
  }

  /// A request of whoever asks, and those that are to be cancelled for it.
  private struct Place: Sendable {
    let ticket: RequestBook<ID>.Ticket
    let work: SharedWork<Value>?
    var begins = false
    var cancelled: [SharedWork<Value>] = []
  }

  private let state: Watched<State>

  /// A registry without requests.
  ///
  /// - Parameter limit: how many of one identifier run side by side; others wait in line.
  public init(limit: Int) {
    state = Watched(State(book: RequestBook(limit: limit)))
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
    let place = state.change { [self] state -> Place in
      switch state.book.asked(id, choice) {
      case .make(let ticket, let others):
        let work = work(ticket, of: id, request)
        state.works[ticket] = Work(work: work)
        return Place(
          ticket: ticket, work: work, begins: true,
          cancelled: others.compactMap { state.works[$0]?.work })
      case .join(let ticket):
        state.works[ticket]?.callers += 1
        return Place(ticket: ticket, work: state.works[ticket]?.work)
      }
    }
    for other in place.cancelled { other.cancel() }
    if place.begins { place.work?.begin() }
    guard let work = place.work else { throw CancellationError() }
    do {
      return try await work.value()
    } catch {
      if Task.isCancelled { leave(place.ticket, of: id) }
      throw error
    }
  }

  /// Cancels all requests of an identifier; those who wait for them are told when they have ended.
  public func cancel(_ id: ID) {
    let works = state.change { state in
      state.book.cancelAll(id).compactMap { state.works[$0]?.work }
    }
    for work in works { work.cancel() }
  }

  /// How many requests of an identifier run or wait.
  public func count(of id: ID) -> Int { state.state.book.lines[id]?.tickets.count ?? 0 }

  /// Returns when at least so many wait for requests of an identifier.
  func callers(of id: ID, atLeast count: Int) async throws {
    try await state.wait { state in
      let tickets = state.book.lines[id]?.tickets ?? []
      return tickets.reduce(0) { $0 + (state.works[$1]?.callers ?? 0) } >= count ? () : nil
    }
  }

  private func work(
    _ ticket: RequestBook<ID>.Ticket, of id: ID,
    _ request: @escaping @Sendable () async throws -> Value
  ) -> SharedWork<Value> {
    SharedWork { [state] in
      defer {
        state.change { state in
          state.book.ended(ticket, of: id)
          state.works[ticket] = nil
        }
      }
      try await state.wait { $0.book.mayRun(ticket, of: id) ? () : nil }
      return try await request()
    }
  }

  private func leave(_ ticket: RequestBook<ID>.Ticket, of id: ID) {
    let work = state.change { state -> SharedWork<Value>? in
      state.works[ticket]?.callers -= 1
      guard state.works[ticket]?.callers == 0 else { return nil }
      state.book.cancel(ticket, of: id)
      return state.works[ticket]?.work
    }
    work?.cancel()
  }
}
