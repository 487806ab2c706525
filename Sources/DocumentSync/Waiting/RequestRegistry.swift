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

/// What becomes of a request, where one with the same identifier is under way.
public enum RequestChoice: Sendable, Hashable, CaseIterable {
  /// It's made beside it, or after it where the limit is reached.
  case add
  /// None is made: it's given what comes of the one that was begun last.
  case join
  /// It's made in the place of all others, which are cancelled.
  case replace
}

/// Decides which requests with identifiers run.
///
/// Of each identifier so many run at most; others wait in line.
struct RequestBook<ID: Hashable & Sendable>: Sendable, Equatable {
  /// A request, by the order of asking.
  typealias Ticket = Int

  /// What becomes of who asks.
  enum Answer: Sendable, Equatable {
    /// A request of that number is theirs, and runs when its turn has come. Those others are to be
    /// cancelled.
    case make(Ticket, cancelling: [Ticket])
    /// They are given what comes of that one.
    case join(Ticket)
  }

  /// The requests of one identifier, in the order in which they run.
  struct Line: Sendable, Equatable {
    var tickets: [Ticket] = []
    /// Those that were told to end, and nobody is to be given what comes of them.
    var cancelled: Set<Ticket> = []
  }

  /// How many of one identifier run at most.
  let limit: Int
  private(set) var lines: [ID: Line] = [:]
  private var lastTicket = 0

  init(limit: Int) {
    self.limit = max(1, limit)
  }

  /// Somebody wants a request.
  mutating func asked(_ id: ID, _ choice: RequestChoice) -> Answer {
    let line = lines[id, default: Line()]
    let others = line.tickets.filter { !line.cancelled.contains($0) }
    switch choice {
    case .join:
      if let last = others.last { return .join(last) }
      return .make(add(id), cancelling: [])
    case .add: return .make(add(id), cancelling: [])
    case .replace:
      let ticket = add(id)
      for other in others { cancel(other, of: id) }
      return .make(ticket, cancelling: others)
    }
  }

  /// Whether the turn of a request has come. That of one that was cancelled before never does.
  func mayRun(_ ticket: Ticket, of id: ID) -> Bool {
    hasPlace(ticket, of: id) && !(lines[id]?.cancelled.contains(ticket) ?? false)
  }

  /// Whether a request is among those that may run at once; one that was cancelled is, until it has
  /// ended.
  func hasPlace(_ ticket: Ticket, of id: ID) -> Bool {
    lines[id]?.tickets.prefix(limit).contains(ticket) ?? false
  }

  /// A request has ended, whether it ran or not.
  mutating func ended(_ ticket: Ticket, of id: ID) {
    guard var line = lines[id] else { return }
    line.tickets.removeAll { $0 == ticket }
    line.cancelled.remove(ticket)
    lines[id] = line.tickets.isEmpty ? nil : line
  }

  /// Nobody waits for a request any more, or nobody is to.
  mutating func cancel(_ ticket: Ticket, of id: ID) {
    guard lines[id]?.tickets.contains(ticket) ?? false else { return }
    lines[id]?.cancelled.insert(ticket)
  }

  /// All of an identifier are to be cancelled: answers which.
  mutating func cancelAll(_ id: ID) -> [Ticket] {
    let line = lines[id, default: Line()]
    let tickets = line.tickets.filter { !line.cancelled.contains($0) }
    for ticket in tickets { cancel(ticket, of: id) }
    return tickets
  }

  private mutating func add(_ id: ID) -> Ticket {
    lastTicket += 1
    lines[id, default: Line()].tickets.append(lastTicket)
    return lastTicket
  }
}
