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

  /// What happens to the next call.
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
