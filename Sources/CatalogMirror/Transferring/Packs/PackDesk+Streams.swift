import SyncFolder
import SyncText

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
    var (files, bytes) = (0, Int64(0))
    for piece in plan.requests[request].pieces {
      let left = plan.copies(of: piece).count { !unwanted.contains($0) }
      files += left
      if left > 0 { bytes += Int64(plan.pieces[piece].size) }
    }
    return files > 1 && bytes * 2 >= Int64(plan.requests[request].bytes.count)
  }

  /// A server gives the whole pack to who asked for a part of it: what else is wanted of it comes
  /// with that, as far as there is room for it.
  ///
  /// - Parameter pieces: What was to come so far.
  /// - Returns: the places of all pieces that come now; `nil` where they are less than a quarter of
  ///   the pack, so that it isn't taken.
  mutating func takeWhole(_ order: Order, for pieces: [Int]) -> [Int]? {
    let pack = plan.requests[order.request].pack
    var wanted = pieces.reduce(Int64(0)) { $0 + Int64(plan.pieces[$1].size) }
    var (taken, room): ([Int], Int64) = ([], 0)
    for other in plan.requests(of: pack) {
      let more = states[other] == .open ? plan.requests[other].room : 0
      guard states[other] == .admitted || states[other] == .open && fits(room + more) else {
        continue
      }
      taken.append(other)
      room += more
      wanted += plan.requests[other].wanted
    }
    guard wanted * 4 >= plan.packs[pack].size else { return nil }
    ahead += room
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
  /// - Returns: those of them that are had by other means, and the bytes of the others.
  mutating func came(_ harvest: Harvest) -> (surplus: [Staged], bytes: Int64) {
    var (surplus, bytes): ([Staged], Int64) = ([], 0)
    differed(harvest.differing)
    tally.requests += harvest.answers
    if !harvest.files.isEmpty { givenUpInARow = 0 }
    for (copy, file) in harvest.files {
      pass(plan.piece(of: copy))
      if unwanted.contains(copy) {
        surplus.append(file)
        ahead -= size(of: copy)
      } else {
        staged[copy] = file
        bytes += size(of: copy)
      }
    }
    return (surplus, bytes)
  }

  private mutating func differed(_ copies: [Int]) {
    var last: Int?
    for copy in copies {
      let piece = plan.piece(of: copy)
      pass(piece)
      ahead -= size(of: copy)
      differing.insert(copy)
      if piece != last {
        differences[plan.requests[plan.request(of: piece)].pack, default: 0] += 1
      }
      last = piece
    }
  }

  /// Whether so many pieces of a request's pack differed that it isn't read on.
  func differsTooOften(_ request: Int) -> Bool {
    differences[plan.requests[request].pack] ?? 0 >= Self.mostDifferences
  }

  private mutating func pass(_ piece: Int) {
    let request = plan.request(of: piece)
    states[request] = .running(next: max(piece + 1, rest(of: request).lowerBound))
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
  mutating func takeRest() -> [(copy: Int, staged: Staged)] {
    defer { staged = [:] }
    return staged.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// A file is had by other means.
  /// - Returns: what was staged of it.
  mutating func release(_ copy: Int) -> Staged? {
    if let file = take(copy) { return file }
    unwanted.insert(copy)
    return nil
  }
}
