import Foundation
import OneWaySynchronizer

/// A processor that keeps each text in a file, its version in the first line.
struct FolderProcessor: SyncProcessor {
  let source: TextSource
  let folder: TextFolder
  /// Broken on purpose: bytes go straight into the place where the item belongs.
  var writesInPlace = false

  func fetchSourceList() async throws -> SourceList<Text> { .complete(try await source.list()) }

  func localKeys() async throws -> Set<String> { Set(try folder.keys()) }

  func removeLocalItems(_ keys: Set<String>) async throws {
    for key in keys { try FileManager.default.removeItem(at: folder.place(of: key)) }
  }

  func shouldUpdate(_ item: Text) async throws -> Bool {
    try folder.version(of: item.id) != "\(item.version)"
  }

  func downloadContent(of item: Text) async throws {
    let place = folder.place(of: item.id)
    let staging = writesInPlace ? place : folder.staging(of: item.id)
    try Data("\(item.version)\n".utf8).write(to: staging)
    let file = try FileHandle(forWritingTo: staging)
    defer { try? file.close() }
    try file.seekToEnd()
    try await source.content(of: item.id) { try file.write(contentsOf: Data($0.utf8)) }
    guard !writesInPlace else { return }
    guard rename(staging.path, place.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
  }
}

/// A folder of texts and the staging folder beside it.
struct TextFolder {
  let root: URL

  init() throws {
    root = FileManager.default.temporaryDirectory.appending(path: "texts-\(UUID().uuidString)")
    for folder in [items, root.appending(path: "staging")] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
  }

  private var items: URL { root.appending(path: "items") }

  func place(of key: String) -> URL { items.appending(path: Self.name(of: key)) }

  func staging(of key: String) -> URL {
    root.appending(path: "staging").appending(path: Self.name(of: key))
  }

  func keys() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: items.path).compactMap(Self.key)
  }

  func version(of key: String) throws -> String? { try parts(of: key).first }

  /// The texts by key; of a file without a version, nothing.
  func texts() throws -> [String: String] {
    try keys().reduce(into: [:]) { $0[$1] = try parts(of: $1).dropFirst().first ?? "" }
  }

  func remove() { try? FileManager.default.removeItem(at: root) }

  private func parts(of key: String) throws -> [String] {
    let text = String(decoding: try Data(contentsOf: place(of: key)), as: UTF8.self)
    return text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).map(
      String.init)
  }

  /// A key as file name: every byte but letters and digits as two hexadecimal digits, so that no
  /// key can leave the folder or meet another.
  private static func name(of key: String) -> String {
    key.utf8.map { byte in
      let isPlain = (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte)
      return isPlain
        ? String(UnicodeScalar(byte)) : "%" + String(Int(byte) + 0x100, radix: 16).suffix(2)
    }.joined()
  }

  private static func key(ofName name: String) -> String? { name.removingPercentEncoding }
}
