import SyncFolder
import SyncText

/// Which pieces of packs have come, which are asked for next, and what a download that asks for
/// its copy of one is told. A value: ``PackStreams`` does what it says.
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
    /// It has come, and hasn't the digest that the item has: nor is any cache believed.
    case ownPastCaches
  }

  enum State: Equatable {
    case open
    /// Somebody waits for a piece of it, and there is room for it.
    case admitted
    /// Its pieces before this one have come, or don't.
    case running(next: Int)
    case over
  }

  /// What a stream has brought.
  struct Harvest: Sendable {
    /// Copies that are checked and staged. All of a piece come together.
    var files: [(copy: Int, staged: Staged)] = []
    /// Copies of which the digest is another one.
    var differing: [Int] = []
    /// How many answers brought their first files with it.
    var answers = 0

    var isEmpty: Bool { files.isEmpty && differing.isEmpty }
  }

  /// What a stream is to fetch.
  struct Order: Equatable, Sendable {
    let request: Int
    /// The first piece that is still to come.
    let piece: Int
  }

  let plan: PackPlan
  var states: [State]
  /// Requests that are admitted, in the order in which they were.
  var admitted: [Int] = []
  /// How many of the plan's order were looked at.
  var seen = 0
  var running = 0
  var staged: [Int: Staged] = [:]
  /// Copies that came with another digest.
  var differing: Set<Int> = []
  /// Of how many pieces of a pack.
  var differences: [Int: Int] = [:]
  var givenUp: Set<Int> = []
  /// How many packs were given up since a piece came.
  var givenUpInARow = 0
  /// Copies that are had by other means.
  var unwanted: Set<Int> = []
  /// Whether streams go on; nothing comes after that.
  var isClosed = false
  /// What was staged, or is to be, and nobody has taken.
  var ahead: Int64 = 0
  var tally = PackTally()

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
  /// Asks for a copy: the request for its piece is made soon, if there is room for what comes with
  /// it.
  mutating func ask(for copy: Int) -> Answer? {
    if let answer = answer(for: copy) { return answer }
    let request = request(of: copy)
    guard states[request] == .open else { return nil }
    guard admit(request) else {
      unwanted.insert(copy)
      return .own
    }
    states[request] = .admitted
    admitted.append(request)
    return nil
  }

  /// What is told who waits for a copy; `nil` as long as it may still come.
  mutating func answer(for copy: Int) -> Answer? {
    if let file = take(copy) {
      tally.files += 1
      return .staged(file)
    }
    if differing.contains(copy) { return .ownPastCaches }
    if isClosed { return .own }
    let piece = plan.piece(of: copy)
    switch states[plan.request(of: piece)] {
    case .open, .admitted: return nil
    case .running(let next): return piece >= next ? nil : .own
    case .over: return .own
    }
  }

  mutating func take(_ copy: Int) -> Staged? {
    guard let file = staged.removeValue(forKey: copy) else { return nil }
    ahead -= size(of: copy)
    return file
  }

  private func request(of copy: Int) -> Int { plan.request(of: plan.piece(of: copy)) }

  func size(of copy: Int) -> Int64 { Int64(plan.pieces[plan.piece(of: copy)].size) }

  mutating func admit(_ request: Int) -> Bool {
    let room = plan.requests[request].room
    guard fits(room) else { return false }
    ahead += room
    return true
  }

  func fits(_ room: Int64) -> Bool { ahead + room <= Self.mostAhead }
}
