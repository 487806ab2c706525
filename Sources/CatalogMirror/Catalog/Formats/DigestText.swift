import SyncText

/// A digest as publishers write it, with or without the name of its algorithm.
enum DigestText: Equatable {
  /// A SHA-256.
  case sha256(SHA256Digest)
  /// Of another algorithm, which nothing is checked with.
  case other
  /// It names SHA-256 and isn't one, or names nothing and can't be one.
  case unreadable

  /// Reads 64 hexadecimal digits, the same after `sha256:` or `sha-256:`, after `1220` as a
  /// multihash has it, or the digits of another algorithm after its name.
  init(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let algorithm = parts.count == 2 ? parts[0].lowercased() : ""
    guard ["", "sha256", "sha-256"].contains(algorithm) else {
      self = .other
      return
    }
    var digits = parts.last.map(String.init) ?? ""
    if algorithm.isEmpty, digits.utf8.count == 68, digits.hasPrefix("1220") {
      digits.removeFirst(4)
    }
    self = SHA256Digest(hexadecimal: digits).map(Self.sha256) ?? .unreadable
  }
}
