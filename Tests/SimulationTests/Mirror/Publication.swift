import TestSupport

@testable import CatalogMirror
@testable import SyncText

/// What a simulated web site publishes: items that come, change and go, and the catalog of them.
struct Publication: Sendable {
  /// An item as it is published now.
  struct Item: Sendable {
    var key: String
    var bytes: [UInt8]
    var version: Int
    var hasSize = true
    var hasDigest = true
    var hasStrongTag = true
    var preview: Preview?

    var tag: String? { hasStrongTag ? "\"\(version)\"" : nil }
  }

  /// An item's preview.
  struct Preview: Sendable {
    var path: String
    var bytes: [UInt8]
    var version: Int?
  }

  /// Keys of which some stand in each other's way, and enough others for the removal limit.
  static let keys =
    ["a", "a/x", "b", "c/d", "c/e/f", "c", "g h", "\u{E9}"] + (10...21).map { "m/\($0)" }

  private(set) var items: [String: Item] = [:]
  /// The digests of all bytes that each key ever had, each with its place among all versions.
  private(set) var served: [String: [SHA256Digest: Int]] = [:]
  /// The same of their previews.
  private(set) var servedPreviews: [String: [SHA256Digest: Int]] = [:]
  private(set) var revision = 100
  private var count = 0

  /// What is published changes in another way than by its items.
  mutating func revise() { revision += 1 }

  var list: [Item] { items.values.sorted { $0.key < $1.key } }

  /// Bytes that never were before.
  mutating func bytes(_ word: String, _ random: inout SeededGenerator) -> [UInt8] {
    count += 1
    var length = Int.random(in: 0...60, using: &random)
    // From 1 MiB on, a body that was cut is kept for the next run.
    if random.oneIn(100) { length = Int.random(in: 1_100_000...1_300_000, using: &random) }
    return Array("\(word) \(count) ".utf8) + Array(repeating: UInt8(ascii: "x"), count: length)
  }

  /// Adds, changes and drops items; now and then many at once, never all.
  mutating func change(_ random: inout SeededGenerator) {
    let isDrastic = random.oneIn(8)
    let before = list.map(\.bytes)
    for key in Self.keys {
      if random.oneIn(isDrastic ? 2 : 9) {
        items[key] = nil
      } else if random.oneIn(items.isEmpty ? 2 : 5) {
        // Often it has the bytes of another one, which was moved there or stays where it is.
        let moved = random.oneIn(3) ? before.randomElement(using: &random) : nil
        items[key] = item(key, moved, &random)
      }
    }
    for (one, other) in [("a", "a/x"), ("c", "c/d"), ("c", "c/e/f")]
    where items[one] != nil && items[other] != nil {
      items[random.oneIn(2) ? one : other] = nil
    }
    if items.isEmpty { items["b"] = item("b", nil, &random) }
    revision += 1
  }

  /// - Parameter moved: Bytes that it has and another item had before.
  private mutating func item(
    _ key: String, _ moved: [UInt8]?, _ random: inout SeededGenerator
  ) -> Item {
    count += 1
    let bytes = moved ?? bytes("text", &random)
    served[key, default: [:]][SHA256Digest(of: bytes)] = count
    var item = Item(key: key, bytes: bytes, version: count)
    item.hasSize = !random.oneIn(3)
    item.hasDigest = !random.oneIn(3)
    item.hasStrongTag = !random.oneIn(3)
    if random.oneIn(3) {
      let preview = self.bytes("preview", &random)
      servedPreviews[key, default: [:]][SHA256Digest(of: preview)] = count
      item.preview = Preview(
        path: "p/\(count)", bytes: preview, version: random.oneIn(2) ? count : nil)
    }
    return item
  }
}

extension Publication.Item {
  /// The entry's line in the catalog.
  var line: String { entry(in: nil) }

  /// The same with where its bytes lie in packs.
  func entry(in packs: PublicationPacks?) -> String {
    var fields = ["\"key\":\"\(key)\"", "\"version\":\"\(version)\""]
    if hasSize { fields.append("\"size\":\(bytes.count)") }
    if hasDigest { fields.append("\"sha256\":\"\(SHA256Digest(of: bytes))\"") }
    if let preview {
      var more = preview.version.map { ",\"version\":\"\($0)\"" } ?? ""
      if let offset = packs?.previews[key] {
        let digest = SHA256Digest(of: preview.bytes)
        more += ",\"size\":\(preview.bytes.count),\"sha256\":\"\(digest)\",\"pack\":[0,\(offset)]"
      }
      fields.append("\"preview\":{\"url\":\"\(preview.path)\"\(more)}")
    }
    if let offset = packs?.contents[key] { fields.append("\"pack\":[1,\(offset)]") }
    return "{\(fields.joined(separator: ","))}\n"
  }
}
