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
