import TestSupport

/// Changes inputs blindly; the same seed changes them in the same way.
struct Mutator {
  private var generator: SeededGenerator

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  /// One of the inputs, changed in one to six places.
  mutating func mutation(of inputs: [[UInt8]], longest: Int) -> [UInt8] {
    var bytes = inputs.randomElement(using: &generator) ?? []
    let other = inputs.randomElement(using: &generator) ?? []
    for _ in 0..<Int.random(in: 1...6, using: &generator) { change(&bytes, other) }
    return Array(bytes.prefix(longest))
  }

  private mutating func change(_ bytes: inout [UInt8], _ other: [UInt8]) {
    let range = range(in: bytes)
    switch Int.random(in: 0..<6, using: &generator) {
    case 0 where !bytes.isEmpty:
      bytes[range.lowerBound % bytes.count] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 1: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: range.lowerBound)
    case 2: bytes.removeSubrange(range)
    case 3: bytes.insert(contentsOf: bytes[range], at: range.upperBound)
    case 4: bytes.replaceSubrange(range, with: other[self.range(in: other)])
    default:
      let telling = Array("/.\\@:#?%\"{}[],\n\r\u{0}<> -0".utf8)
      bytes.insert(telling.randomElement(using: &generator) ?? 0, at: range.lowerBound)
    }
  }

  private mutating func range(in bytes: [UInt8]) -> Range<Int> {
    let start = Int.random(in: 0...bytes.count, using: &generator)
    return start..<Int.random(in: start...min(bytes.count, start + 40), using: &generator)
  }
}
