import SyncFolder
import SyncText

/// Which pieces of packs have come, which are asked for next, and what a download that asks for
/// one is told. A value: ``PackStreams`` does what it says.
///
/// A request goes through these states in order; one that isn't made leaves out those between.
/// ```
/// open → admitted → running → over
/// ```
struct PackDesk: Sendable {
  enum Answer: Sendable {
    /// It has come, is checked and staged.
    case staged(Staged)
    /// It doesn't come, and the file is fetched from its own address.
    case own
    /// It has come and has another digest: nor is any cache believed.
    case ownPastCaches
  }

  private enum State: Equatable {
    case open
    /// Somebody waits for a piece of it, and there is room for it.
    case admitted
    /// Its pieces before this one have come, or don't.
    case running(next: Int)
    case over
  }

  /// What a stream has brought.
  struct Harvest: Sendable {
    /// Pieces that are checked and staged, once for each who wants them.
    var files: [(piece: Int, staged: [Staged])] = []
    /// Pieces with another digest.
    var differing: [Int] = []

    var isEmpty: Bool { files.isEmpty && differing.isEmpty }
  }

  /// What a stream is to fetch.
  struct Order: Equatable, Sendable {
    let request: Int
    /// The first piece that is still to come.
    let piece: Int
  }

  let plan: PackPlan
  private var states: [State]
  /// Requests that are admitted, in the order in which they were.
  private var admitted: [Int] = []
  /// How many of the plan's order were looked at.
  private var seen = 0
  private var running = 0
  private var staged: [Int: [Staged]] = [:]
  /// Pieces that came with another digest.
  private var differing: Set<Int> = []
  private var differences: [Int: Int] = [:]
  private var givenUp: Set<Int> = []
  /// How many packs were given up since a piece came.
  private var givenUpInARow = 0
  /// Of which pieces so many copies are had by other means.
  private var unwanted: [Int: Int] = [:]
  /// Whether streams go on; nothing comes after that.
  private(set) var isClosed = false
  /// What was staged, or is to be, and nobody has taken.
  private(set) var ahead: Int64 = 0
  private(set) var tally = PackTally()

  /// How much may be staged ahead of the downloads.
  static let mostAhead: Int64 = 64 << 20
  /// How many streams there are at once.
  static let mostRunning = 4
  /// With how many pieces that differ a pack is given up.
  static let mostDifferences = 4
  /// After how many packs in a row that gave nothing no other one is asked for.
  static let mostGivenUpInARow = 3

  init(_ plan: PackPlan) {
    self.plan = plan
    states = Array(repeating: .open, count: plan.requests.count)
  }
}

/// What downloads ask.
extension PackDesk {
  /// Asks for a piece: its request is made soon, if there is room for what comes with it.
  mutating func ask(for piece: Int) -> Answer? {
    if let answer = answer(for: piece) { return answer }
    let request = plan.request(of: piece)
    guard states[request] == .open else { return nil }
    guard admit(request) else {
      unwanted[piece, default: 0] += 1
      return .own
    }
    states[request] = .admitted
    admitted.append(request)
    return nil
  }

  /// What is told who waits for a piece; `nil` as long as it may still come.
  mutating func answer(for piece: Int) -> Answer? {
    if let last = staged[piece]?.popLast() {
      ahead -= Int64(plan.pieces[piece].size)
      if staged[piece]?.isEmpty ?? false { staged[piece] = nil }
      tally.files += 1
      return .staged(last)
    }
    if differing.contains(piece) { return .ownPastCaches }
    if isClosed { return .own }
    switch states[plan.request(of: piece)] {
    case .open, .admitted: return nil
    case .running(let next): return piece >= next ? nil : .own
    case .over: return .own
    }
  }

  private mutating func admit(_ request: Int) -> Bool {
    let room = plan.requests[request].room
    guard ahead + room <= Self.mostAhead || ahead == 0 else { return false }
    ahead += room
    return true
  }
}

/// What streams are told, and tell.
extension PackDesk {
  enum Next: Equatable, Sendable {
    case fetch(Order)
    case end
  }

  /// What to fetch next; `nil` as long as streams, or pieces that nobody has taken, are too many.
  mutating func next() -> Next? {
    if isClosed { return .end }
    guard running < Self.mostRunning else { return nil }
    guard let request = nextRequest() else { return seen == plan.order.count ? .end : nil }
    let piece = plan.requests[request].pieces.lowerBound
    states[request] = .running(next: piece)
    running += 1
    tally.requests += 1
    return .fetch(Order(request: request, piece: piece))
  }

  /// First what somebody waits for; then what comes next, if there is room for it.
  private mutating func nextRequest() -> Int? {
    if !admitted.isEmpty { return admitted.removeFirst() }
    while seen < plan.order.count {
      let request = plan.order[seen]
      if states[request] == .open {
        if isWorthwhile(request) {
          guard admit(request) else { return nil }
          seen += 1
          return request
        }
        states[request] = .over
      }
      seen += 1
    }
    return nil
  }

  /// Whether half of what a request brings is wanted still, and more than one file.
  private func isWorthwhile(_ request: Int) -> Bool {
    guard !unwanted.isEmpty else { return true }
    let left = plan.requests[request].pieces.filter {
      unwanted[$0] ?? 0 < Int(plan.pieces[$0].copies)
    }
    let bytes = left.reduce(0) { $0 + Int64(plan.pieces[$1].size) }
    return left.count > 1 && bytes * 2 >= Int64(plan.requests[request].bytes.count)
  }

  /// A server gives the whole pack to who asked for a part of it: what else is wanted of it comes
  /// with that, as far as there is room for it.
  ///
  /// - Parameter pieces: What was to come so far.
  /// - Returns: the places of all pieces that come now; `nil` where they are less than a quarter of
  ///   the pack, so that it isn't taken.
  mutating func takeWhole(_ order: Order, for pieces: [Int]) -> [Int]? {
    let pack = plan.requests[order.request].pack
    let others = plan.requests(of: pack).filter { other in
      states[other] == .admitted || states[other] == .open
    }
    let wanted = others.reduce(pieces.reduce(0) { $0 + Int64(plan.pieces[$1].size) }) {
      $0 + plan.requests[$1].wanted
    }
    guard wanted * 4 >= plan.packs[pack].size else { return nil }
    let taken = others.filter { states[$0] == .admitted || admit($0) }
    for other in taken {
      states[other] = .running(next: plan.requests[other].pieces.lowerBound)
    }
    admitted.removeAll { taken.contains($0) }
    return (pieces + taken.flatMap { plan.requests[$0].pieces }).sorted()
  }

  /// The pieces of a request that are still to come.
  func rest(of request: Int) -> Range<Int> {
    let pieces = plan.requests[request].pieces
    if case .running(let next) = states[request] { return next..<pieces.upperBound }
    return pieces.upperBound..<pieces.upperBound
  }

  /// These have come.
  /// - Returns: those of them that are had by other means.
  mutating func came(_ harvest: Harvest) -> [Staged] {
    var surplus: [Staged] = []
    for piece in harvest.differing { differed(piece) }
    if !harvest.files.isEmpty { givenUpInARow = 0 }
    for (piece, copies) in harvest.files {
      pass(piece)
      let wanted = max(0, copies.count - (unwanted[piece] ?? 0))
      if wanted > 0 { staged[piece] = Array(copies.prefix(wanted)) }
      surplus += copies.dropFirst(wanted)
      ahead -= Int64(plan.pieces[piece].size) * Int64(copies.count - wanted)
      tally.bytes += Int64(plan.pieces[piece].size)
    }
    return surplus
  }

  private mutating func differed(_ piece: Int) {
    pass(piece)
    ahead -= plan.pieces[piece].room
    differing.insert(piece)
    differences[plan.requests[plan.request(of: piece)].pack, default: 0] += 1
  }

  /// Whether so many pieces of a request's pack differed that it isn't read on.
  func differsTooOften(_ request: Int) -> Bool {
    differences[plan.requests[request].pack] ?? 0 >= Self.mostDifferences
  }

  private mutating func pass(_ piece: Int) {
    states[plan.request(of: piece)] = .running(next: piece + 1)
  }

  /// A stream has ended: what hasn't come with it doesn't, of its own request and of those that it
  /// took over.
  mutating func ended(_ order: Order, with others: [Int]) {
    running -= 1
    for request in Set(others.map { plan.request(of: $0) }).union([order.request]) {
      drop(request)
    }
  }

  /// Nothing more is asked of a pack.
  /// - Returns: whether that is new.
  mutating func giveUp(on pack: Int) -> Bool {
    guard givenUp.insert(pack).inserted else { return false }
    tally.givenUp += 1
    givenUpInARow += 1
    let isLast = givenUpInARow >= Self.mostGivenUpInARow
    for request in isLast ? 0..<plan.requests.count : plan.requests(of: pack) {
      switch states[request] {
      case .open, .admitted: drop(request)
      case .running, .over: break
      }
    }
    admitted.removeAll { states[$0] == .over }
    return true
  }

  private mutating func drop(_ request: Int) {
    switch states[request] {
    case .open, .over: break
    case .admitted: ahead -= plan.requests[request].room
    case .running: ahead -= rest(of: request).reduce(0) { $0 + plan.pieces[$1].room }
    }
    states[request] = .over
  }

  /// No stream goes on.
  mutating func close() { isClosed = true }

  /// Takes out all that nobody has asked for.
  mutating func takeRest() -> [(piece: Int, staged: [Staged])] {
    defer { staged = [:] }
    return staged.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// A file is had by other means.
  /// - Returns: what was staged of it.
  mutating func release(_ piece: Int) -> Staged? {
    guard let last = staged[piece]?.popLast() else {
      unwanted[piece, default: 0] += 1
      return nil
    }
    ahead -= Int64(plan.pieces[piece].size)
    if staged[piece]?.isEmpty ?? false { staged[piece] = nil }
    return last
  }
}
