import Foundation
import TestSupport

@testable import CatalogMirror
@testable import SyncText

/// A source that changes at random between runs: additions, changes, removals, files that become
/// directories and the reverse, previews, and one file that is worth resuming.
///
/// Every version of every file has an address of its own, so that the server's log tells exactly
/// what was fetched.
struct ShiftingSource {
  /// One version of a file.
  struct Version: Equatable {
    let address: String
    let bytes: Data
    let digest: SHA256Digest
    /// Whether the catalog tells the digest.
    let isVouchedFor: Bool
  }

  /// What the catalog has of one key.
  struct Item: Equatable {
    var content: Version
    var preview: Version?
  }

  /// The catalog's name at the source.
  static let catalog = "catalog.ndjson"
  /// The key of the file that is worth resuming.
  static let large = "large"

  var random: SeededGenerator
  private(set) var items: [String: Item] = [:]
  /// Every version of each key that a copy may hold.
  private(set) var versions: [String: Set<Data>] = [:]
  private let folder: URL
  private var written: [Version] = []
  private var count = 0

  /// A source in a folder, and its first state.
  init(in folder: URL, seed: UInt64) throws {
    self.folder = folder
    random = SeededGenerator(seed: seed)
    try makeFolder(at: folder.appending(path: "blobs"))
    try change()
  }

  /// The number of the state.
  private(set) var revision = 0

  /// Whether the large file will take a while: it has another version than the last state.
  private(set) var hasNewLargeFile = false

  /// What the source had before the copy came to equal it is of no interest any more.
  mutating func forgetOldVersions() throws {
    versions = items.mapValues { [$0.content.bytes] }
    let kept = items.values.flatMap {
      [$0.content.address] + [$0.preview?.address].compactMap(\.self)
    }
    for version in written where !kept.contains(version.address) {
      try FileManager.default.removeItem(at: folder.appending(path: version.address))
    }
    written = written.filter { kept.contains($0.address) }
  }

  /// The next state.
  mutating func change() throws {
    revision += 1
    hasNewLargeFile = items[Self.large] == nil || random.oneIn(4)
    if hasNewLargeFile { try renew(Self.large) }
    for number in 0..<40 { try change("d\(number % 5)/f\(number)") }
    for number in 0..<4 { try changeKind("k/\(number)") }
    try publish()
  }

  private mutating func change(_ key: String) throws {
    if items[key] == nil {
      if random.oneIn(2) { try renew(key) }
    } else if random.oneIn(6) {
      try renew(key)
    } else if random.oneIn(12) {
      items[key] = nil
    }
  }

  /// A file, a directory with two files, or nothing.
  private mutating func changeKind(_ key: String) throws {
    guard random.oneIn(3) else { return }
    let wasFile = items.removeValue(forKey: key) != nil
    for below in ["x", "y"] { items["\(key)/\(below)"] = nil }
    if random.oneIn(6) { return }
    if wasFile {
      for below in ["x", "y"] { try renew("\(key)/\(below)") }
    } else {
      try renew(key)
    }
  }

  private mutating func renew(_ key: String) throws {
    let size = key == Self.large ? 2_050_000 + count * 97 % 100_000 : 40 + count * 31 % 9_000
    let content = try newVersion(of: key, size: size)
    var preview = random.oneIn(2) ? items[key]?.preview : nil
    if preview == nil, random.oneIn(3) { preview = try newVersion(of: key, size: 60) }
    items[key] = Item(content: content, preview: preview)
    versions[key, default: []].insert(content.bytes)
  }

  private mutating func newVersion(of key: String, size: Int) throws -> Version {
    count += 1
    let line = Data("\(key), version \(count)\n".utf8)
    var bytes = Data(capacity: size + line.count)
    while bytes.count < size { bytes.append(line) }
    let version = Version(
      address: "blobs/\(count)", bytes: bytes, digest: SHA256Digest(ofAll: bytes),
      isVouchedFor: !random.oneIn(5))
    let file = folder.appending(path: version.address)
    try bytes.write(to: file)
    // A date of this very second would vouch for nothing, and nothing would be gone on with.
    try setDate(MirrorTestCase.longAgo, of: file)
    written.append(version)
    return version
  }

  private func publish() throws {
    let header = "{\"catalog\":1,\"complete\":true,\"revision\":\(revision)}\n"
    let lines = items.sorted { $0.key < $1.key }.map { key, item in
      let preview = item.preview.map { ",\"preview\":{\(members($0))}" } ?? ""
      return "{\"key\":\"\(key)\",\(members(item.content))\(preview)}\n"
    }
    let file = folder.appending(path: Self.catalog)
    try Data((header + lines.joined()).utf8).write(to: file)
    // Each state has a date of its own, all of them long ago.
    let date = Date(timeIntervalSince1970: 1_500_000_000 + Double(revision))
    try setDate(date, of: file)
  }

  private func members(_ version: Version) -> String {
    let proof =
      version.isVouchedFor
      ? "\"sha256\":\"\(version.digest)\"" : "\"version\":\"\(version.address)\""
    return "\"url\":\"\(version.address)\",\"size\":\(version.bytes.count),\(proof)"
  }
}

extension SHA256Digest {
  /// The digest of bytes that lie together: fast also in a debug build.
  init(ofAll bytes: Data) {
    var hasher = SHA256Hasher()
    bytes.withUnsafeBytes { hasher.update($0) }
    self = hasher.finish()
  }
}
