/// Which of an endpoint's calls go wrong, and how: the same ones each time.
public struct FaultPlan: Sendable {
  private enum Way: Sendable {
    case script(ArraySlice<ServerFault?>)
    case always(ServerFault)
    case seeded(SeededNumbers, oneIn: Int, among: [ServerFault])
  }

  private var way: Way

  /// All goes well.
  public static let none = FaultPlan.script([])

  /// What happens to each call, the first one first; `nil` where all goes well. After them, all
  /// goes well.
  public static func script(_ faults: [ServerFault?]) -> FaultPlan {
    FaultPlan(way: .script(faults[...]))
  }

  /// The same happens to every call.
  public static func always(_ fault: ServerFault) -> FaultPlan { FaultPlan(way: .always(fault)) }

  /// One in so many calls goes wrong, in one of these ways.
  public static func seeded(
    _ seed: UInt64, oneIn calls: Int, among faults: [ServerFault] = ServerFault.ordinary
  ) -> FaultPlan {
    FaultPlan(way: .seeded(SeededNumbers(seed: seed), oneIn: max(1, calls), among: faults))
  }

  mutating func next() -> ServerFault? {
    switch way {
    case .script(var rest):
      let fault = rest.popFirst() ?? nil
      way = .script(rest)
      return fault
    case .always(let fault): return fault
    case .seeded(var numbers, let calls, let faults):
      let isWrong = Int.random(in: 0..<calls, using: &numbers) == 0
      let fault = isWrong ? faults.randomElement(using: &numbers) : nil
      way = .seeded(numbers, oneIn: calls, among: faults)
      return fault
    }
  }
}

/// Random numbers that are the same for the same seed (SplitMix64, Steele, Lea and Flood, "Fast
/// splittable pseudorandom number generators", 2014).
struct SeededNumbers: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// What goes wrong with one call of a ``ReferenceServer``.
public enum ServerFault: Sendable, Hashable {
  /// Whether something goes wrong before the server has done what it was asked, or after it.
  public enum Moment: Sendable, Hashable {
    /// It wasn't done.
    case before
    /// It was done.
    case after
  }

  /// No server is reached.
  case unreachable
  /// The request doesn't arrive, which nobody learns.
  case requestLost
  /// The request is carried out, and its answer doesn't come.
  case answerLost
  /// No answer comes; the request arrives before the call that comes so many calls later.
  case arrivesLate(after: Int)
  /// All goes well, and the request arrives once more before the call that comes so many calls
  /// later.
  case arrivesTwice(after: Int)
  /// Somebody on the way gives an answer that he heard before to the very same question; only
  /// where a list goes on from a checkpoint or a mark, so that it is late and no lie.
  case staleAnswer
  /// The server breaks, with a status from 500 on.
  case breaks(status: Int, Moment)
  /// The server has too much to do, 429 or 503, and may say for how long. Nothing was done.
  case busy(status: Int, retryAfter: Duration?)
  /// All goes well, and the server asks to be left alone for a while.
  case backoff(Duration)
  /// The server carries out so many parts of a batch, and then the connection ends. With what is no
  /// batch it is an answer that doesn't come.
  case batchCut(after: Int)
  /// The server answers so many parts of a batch only, and carries out no others.
  case batchShort(Int)
  /// The credentials don't count (401).
  case unauthorized
  /// The collection isn't ours (403).
  case forbidden
  /// A success comes that is no JSON: from a portal, or garbled on the way.
  case garbled(Moment)
  /// Something befalls the server. The call itself goes well.
  case befalls(ServerAccident)

  /// One of each kind that servers and networks have on ordinary days, and after which nothing is
  /// missing.
  public static let ordinary: [ServerFault] = [
    .unreachable, .requestLost, .answerLost, .arrivesLate(after: 3), .arrivesTwice(after: 3),
    .staleAnswer, .breaks(status: 500, .before), .breaks(status: 502, .after),
    .busy(status: 429, retryAfter: .seconds(2)), .busy(status: 503, retryAfter: nil),
    .backoff(.seconds(5)), .batchCut(after: 2), .batchShort(1), .garbled(.before),
    .garbled(.after),
  ]
}

/// What befalls a ``ReferenceServer``.
public enum ServerAccident: Sendable, Hashable {
  /// Everything is thrown away.
  case flush
  /// Somebody makes a backup.
  case backUp
  /// The last backup is put back; everything is thrown away if there is none.
  case restore
  /// Another server takes over the address, which has nothing.
  case replacement
  /// Its clock is set: on by so much, or back.
  case clockStep(Duration)
}
