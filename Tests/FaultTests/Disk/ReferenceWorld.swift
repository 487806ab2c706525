import Foundation
import SyncLock
import TestSupport

/// A catalog in two states: from nothing to the first and from the first to the second, a mirror
/// does everything that it can do to a folder.
struct ReferenceWorld {
  enum State { case first, second }

  /// The items' bytes, in each state. One named `large` comes from a ``LargeItemServer``.
  let items: [State: [String: Data]]
  /// The previews' bytes, by item.
  let previews: [State: [String: Data]]
  /// The items of which the catalog gives no size and no digest.
  let bare: Set<String>

  /// The bytes that each key ever has.
  var versions: [String: Set<Data>] {
    items.values.joined().reduce(into: [:]) { versions, item in
      versions[item.key, default: []].insert(item.value)
    }
  }

  /// Makes two folders, which are emptied first, hold a state: the items with their catalog, and
  /// the previews.
  func publish(_ state: State, in source: URL, previews place: URL) throws {
    for folder in [source, place] {
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        try FileManager.default.removeItem(at: folder.appending(path: name))
      }
    }
    for (path, bytes) in items[state] ?? [:] { try write(bytes, source.appending(path: path)) }
    for (key, bytes) in previews[state] ?? [:] { try write(bytes, place.appending(path: key)) }
    let catalog = source.appending(path: "catalog.ndjson")
    try write(Data(self.catalog(state).utf8), catalog)
    // Long ago, so that a catalog of the same date is the same one; and each at its own time.
    let date = MirrorTestCase.longAgo.addingTimeInterval(state == .first ? 0 : 86_400)
    try setDate(date, of: catalog)
  }

  private func write(_ bytes: Data, _ file: URL) throws {
    try makeFolder(at: file.deletingLastPathComponent())
    try bytes.write(to: file)
  }

  private func catalog(_ state: State) -> String {
    let items = items[state] ?? [:]
    let header = #"{"catalog":1,"complete":true,"count":\#(items.count)}"#
    let entries = items.keys.sorted().map { key in entry(key, items[key] ?? Data(), state) }
    return ([header] + entries).joined(separator: "\n") + "\n"
  }

  private func entry(_ key: String, _ bytes: Data, _ state: State) -> String {
    var fields = [#""key":"\#(key)""#]
    if bare.contains(key) {
      fields.append(#""version":"\#(digest(bytes))""#)
    } else if key == "large" {
      fields.append(#""version":"1","size":\#(bytes.count)"#)
    } else {
      fields.append(#""size":\#(bytes.count),"sha256":"\#(digest(bytes))""#)
    }
    if let preview = previews[state]?[key] {
      fields.append(#""preview":{"url":"previews/\#(key)","sha256":"\#(digest(preview))"}"#)
    }
    return "{" + fields.joined(separator: ",") + "}"
  }
}

extension ReferenceWorld {
  /// New, changed, moved and removed items, a directory that goes with its last file, a file that
  /// becomes a directory and the reverse, previews, and a large item that comes only in part at
  /// first.
  static let small = ReferenceWorld(
    items: [
      .first: texts([
        "a": "one", "b/c": "two", "b/d": "three", "deep/er/file": "four", "kind": "a file",
        "turn/x": "in a directory", "turn/y": "beside it", "gone": "for good",
        "left/alone": "the last one", "same": "always", "plain": "without a digest",
      ]).merging(["large": large]) { $1 },
      .second: texts([
        "a": "one, changed", "b/c": "two", "b/d": "three, longer", "deep/er/file": "four",
        "kind/inside": "a file in a directory", "turn": "a file now", "same": "always",
        "plain": "without a digest, changed", "new/thing": "never seen before",
        "moved/here": "for good",
      ]).merging(["large": large]) { $1 },
    ],
    previews: [
      .first: ["a": Data("small one".utf8), "same": Data("small always".utf8)],
      .second: ["a": Data("small one, changed".utf8), "same": Data("small always".utf8)],
    ],
    bare: ["plain"])

  /// So many files that they are flushed in several batches, and one that has a flush of its own;
  /// in the second state all have changed, and some have come and gone.
  static let many = ReferenceWorld(
    items: [.first: files(0..<1_032, edition: 1), .second: files(6..<1_038, edition: 2)],
    previews: [:], bare: Set((0..<1_038).filter { $0 % 5 == 0 }.map(name)))

  static let large = Data((0..<320_000).flatMap { Data("\($0 % 997) ".utf8) }.prefix(1_200_000))
  /// How much of the large item comes when the source breaks off: enough to be gone on with.
  static let part = (1 << 20) + 40_000

  // Of several pages of a disk each.
  private static func texts(_ words: [String: String]) -> [String: Data] {
    words.mapValues { word in
      Data((0..<300).map { "\($0) \(word)" }.joined(separator: "\n").utf8)
    }
  }

  private static func files(_ numbers: Range<Int>, edition: Int) -> [String: Data] {
    let files = numbers.map { number in
      let size = number == 151 ? 9 << 20 : 100 + number * 10
      let line = Data("\(number) in edition \(edition); ".utf8)
      let lines = Data(repeatElement(line, count: size / line.count + 1).joined())
      return (name(number), lines.prefix(size))
    }
    return Dictionary(uniqueKeysWithValues: files)
  }

  private static func name(_ number: Int) -> String { "d\(number % 12)/\(number)" }
}

/// Serves the large item, whole or, for as long as it is told to, only a part of it.
final class LargeItemServer: Sendable {
  private let server: RawServer
  private let breaksOff: Locked<Bool>

  init() throws {
    let breaksOff = Locked(false)
    self.breaksOff = breaksOff
    server = try RawServer { connection, request in
      let bytes = ReferenceWorld.large
      let start =
        request["Range"].flatMap { range in
          Int(range.dropFirst("bytes=".count).prefix { $0 != "-" })
        } ?? 0
      let status =
        start > 0
        ? "206 Partial Content\r\nContent-Range: bytes \(start)-\(bytes.count - 1)/\(bytes.count)"
        : "200 OK"
      let end = breaksOff.withLock { $0 } ? max(start, ReferenceWorld.part) : bytes.count
      connection.send(
        "HTTP/1.1 \(status)\r\nETag: \"large\"\r\nContent-Length: \(bytes.count - start)\r\n\r\n")
      connection.send(Array(bytes[start..<end]))
      return end == bytes.count
    }
  }

  func breakOff(_ breaks: Bool) { breaksOff.withLock { $0 = breaks } }

  func stop() { server.stop() }

  /// The lines by which nginx has the item from here.
  var location: String {
    "location = /large { proxy_pass \(server.url("/large")); proxy_buffering off; "
      + "proxy_http_version 1.1; }"
  }
}
