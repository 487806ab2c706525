/// Decides what a loss of power leaves of what wasn't flushed.
protocol CrashDice {
  /// Whether something that was not flushed is there.
  mutating func keeps() -> Bool
  /// How many sectors at the start of a block are the new ones: all, none, or some.
  mutating func sectorsKept() -> Int
  /// How many of the changes of names may be there at all: these first ones.
  mutating func changesKept(of count: Int) -> Int
}

/// Dice over a seed's numbers. Each crash has a bias of its own, since what is lost altogether and
/// what is kept altogether are cases that even odds would hardly ever give.
struct SeededDice<Generator: RandomNumberGenerator>: CrashDice {
  var generator: Generator
  private let bias: Double
  private let keepsPrefix: Bool
  private let tears: Bool

  init(_ generator: Generator) {
    var generator = generator
    bias = [0, 1, 0.1, 0.5, 0.5, 0.9].randomElement(using: &generator) ?? 0.5
    keepsPrefix = Bool.random(using: &generator)
    tears = Bool.random(using: &generator)
    self.generator = generator
  }

  mutating func keeps() -> Bool { Double.random(in: 0..<1, using: &generator) < bias }

  mutating func sectorsKept() -> Int {
    let all = FileBytes.block / FileBytes.sector
    if tears, Int.random(in: 0..<8, using: &generator) == 0 {
      return Int.random(in: 0...all, using: &generator)
    }
    return keeps() ? all : 0
  }

  mutating func changesKept(of count: Int) -> Int {
    keepsPrefix ? Int.random(in: 0...count, using: &generator) : count
  }
}
