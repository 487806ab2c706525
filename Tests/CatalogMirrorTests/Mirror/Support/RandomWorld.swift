import TestSupport
import SyncTransport
import TransportTesting

/// A catalog that changes at random, with everything that it ever had.
struct RandomWorld {
  var random: SeededGenerator
  private(set) var things: [String: Thing] = [:]
  /// Every text that an item ever had.
  private(set) var served: [String: Set<String>] = [:]
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

  /// Adds, changes and drops some items; never all.
  mutating func change() {
    for key in Self.keys {
      if random.oneIn(4) { things[key] = thing(key) } else if random.oneIn(6) { things[key] = nil }
    }
    if things["a"] != nil, things["a/x"] != nil { things[random.oneIn(2) ? "a" : "a/x"] = nil }
    if things.isEmpty { things["b"] = thing("b") }
  }

  private mutating func thing(_ key: String) -> Thing {
    var thing = Thing(key, text("text"))
    served[key, default: []].insert(thing.text)
    thing.hasDigest = random.oneIn(2)
    thing.hasSize = random.oneIn(2)
    if !thing.hasDigest { thing.version = "\(count)" }
    guard random.oneIn(2) else { return thing }
    thing.preview = Thing.Preview(
      url: "p/\(count)", text: text("preview"), version: random.oneIn(2) ? "\(count)" : nil,
      mediaType: random.oneIn(2) ? "image/png" : "image/webp")
    return thing
  }

  /// What goes wrong with an item when it is asked for.
  mutating func fault(of thing: Thing) -> MemoryTransport.Answer {
    var answer = MemoryTransport.Answer.text(thing.text)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: answer = .status(404)
    case 1: answer = .status(503)
    case 2: answer = .status(304)
    case 3: answer.status = 206
    case 4 where thing.hasDigest: answer = .text("wrong")
    default:
      answer.body = Array(answer.body.prefix(3))
      answer.breakage = .interrupted
    }
    return answer
  }
}
