import SyncText

/// What is remembered of packs from one publishing to the next.
struct PackMemory: Equatable, Sendable {
  /// The least id that no pack ever had, at most 2^32; `nil` where nothing is remembered.
  var next: Int64?
  /// Since when packs that are there aren't named by the catalog, in seconds since 1970.
  var unnamed: [SHA256Digest: Int64] = [:]

  /// Its lines, the same for the same memory. None looks like that of a file, whose first word is a
  /// digest.
  var lines: String {
    let lines = unnamed.map { "unnamed-pack \($0) \($1)\n" }.sorted()
    return (next.map { "next-pack \($0)\n" } ?? "") + lines.joined()
  }

  /// Takes what a line says, if it is one of these.
  mutating func read(_ line: ArraySlice<UInt8>) {
    let words = line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
    switch words.first {
    case "next-pack" where words.count == 2:
      next = Int64(words[1]).flatMap { (0...Packer.endOfIDs).contains($0) ? $0 : nil }
    case "unnamed-pack" where words.count == 3:
      guard let digest = SHA256Digest(hexadecimal: words[1]), let since = Int64(words[2]) else {
        return
      }
      unnamed[digest] = since
    default: return
    }
  }
}
