import TestSupport

/// A catalog that changes at random.
struct RandomWorld {
  var random: SeededGenerator
  private(set) var things: [String: Thing] = [:]
  private var count = 0

  /// Keys that get in each other's way among them; the first two never come together.
  static let keys = ["a", "a/x", "b", "c/d", "c/e/f", "g", "h", "i-j"]

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  var list: [Thing] { things.values.sorted { $0.key < $1.key } }

  /// A text that never was before.
  mutating func text(_ word: String) -> String {
    count += 1
    return "\(word) \(count) " + String(repeating: "x", count: count % 50)
  }

  /// Adds, changes and drops some items; never all. Some have the text of another one.
  mutating func change() {
    let texts = list.map(\.text)
    for key in Self.keys {
      if random.oneIn(4) {
        things[key] = thing(key, like: texts)
      } else if random.oneIn(6) {
        things[key] = nil
      }
    }
    if things["a"] != nil, things["a/x"] != nil { things[random.oneIn(2) ? "a" : "a/x"] = nil }
    if things.isEmpty { things["b"] = thing("b", like: []) }
  }

  /// Publishes it, sometimes with packs, whose server does as it should or not.
  mutating func publish(by test: RunTestCase, isComplete: Bool = true) throws {
    guard random.oneIn(2) else { return try test.serve(list, isComplete: isComplete) }
    let manners: [PackShelf.Manner] = [.honest, .honest, .whole, .gone, .replaced, .shifted]
    try test.servePacked(
      list, each: Int.random(in: 2...9, using: &random), isComplete: isComplete,
      manners.randomElement(using: &random) ?? .honest)
  }

  private mutating func thing(_ key: String, like texts: [String]) -> Thing {
    let moved = random.oneIn(3) ? texts.randomElement(using: &random) : nil
    var thing = Thing(key, moved ?? text("text"))
    if moved != nil { count += 1 }
    thing.hasDigest = random.oneIn(2)
    thing.hasSize = random.oneIn(2)
    if !thing.hasDigest { thing.version = "\(count)" }
    guard random.oneIn(2) else { return thing }
    thing.preview = Thing.Preview(
      url: "p/\(count)", text: text("preview"), version: random.oneIn(2) ? "\(count)" : nil,
      mediaType: random.oneIn(2) ? "image/png" : "image/webp")
    return thing
  }
}
