import CatalogMirror
import CatalogPublishing
import SyncFolder
import SyncText

/// What `publish` writes is what `sync` reads: the input is a title, and then a key a line.
enum PublishedTarget {
  static func check(_ input: [UInt8]) throws {
    let (title, rest) = input.firstLineAndRest
    guard let url = URLReference("https://catalog.test/a/list") else { return }
    let text = CatalogText(title: title.text, base: nil, entries: entries(of: rest ?? []))
    let bytes = text.bytes(revision: 1)
    let (page, listing) = try read(bytes, at: url)
    try require(listing.completeness == .complete, "what was published isn't complete")
    try require(
      Set(listing.entries.map(\.key) + listing.unusable.compactMap(\.key))
        == Set(text.entries.map(\.file.path.key)), "what was published has other keys")
    try require(listing.header.title?.utf8.elementsEqual(title.text.utf8) ?? false, "another title")
    for (entry, published) in zip(page.entries, text.entries) {
      guard case .entry(let entry, settled: true) = entry else {
        throw Violation("a published entry can't be used, or isn't settled")
      }
      let file = published.file
      try require(
        entry.size == file.size && entry.sha256 == file.digest
          && entry.modified == Double(file.modified), "an entry changed on the way")
    }
    try checkCuts(bytes, at: url)
    try checkSigned(text)
  }

  /// What is signed is believed as it is; not so with a bit of it changed, or cut.
  private static func checkSigned(_ text: CatalogText) throws {
    guard let key = Ed25519PrivateKey(seed: [UInt8](repeating: 7, count: 32)) else { return }
    var text = text
    text.signer = CatalogSigner(keys: [key])
    let bytes = text.bytes(revision: 1, publishedAt: 1_800_000_000)
    try require(try isBelieved(bytes, by: key), "what was signed isn't believed")
    for part in 0..<4 {
      let place = Int((bytes.fingerprint >> (8 * UInt64(part))) % UInt64(bytes.count))
      var changed = bytes
      changed[place] ^= 1 << UInt8(part)
      try require(try !isBelieved(changed, by: key), "byte \(place) may be another one")
      try require(try !isBelieved(Array(bytes[..<place]), by: key), "\(place) bytes will do")
    }
  }

  private static func isBelieved(_ bytes: [UInt8], by key: Ed25519PrivateKey) throws -> Bool {
    var check = CatalogVerification(by: [key.publicKey], at: 1_800_000_000, of: "")
    do {
      try bytes.withUnsafeBytes { try check.take($0) }
      return try check.finish() != nil
    } catch is CatalogError {
      return false
    }
  }

  private static func checkCuts(_ bytes: [UInt8], at url: URLReference) throws {
    for part in 1...3 {
      let cut = Array(bytes.prefix(Int(bytes.fingerprint >> (8 * UInt64(part))) & 0xFFFF))
      guard cut.count + 1 < bytes.count, let (_, listing) = try? read(cut, at: url) else {
        continue
      }
      try require(listing.completeness != .complete, "cut to \(cut.count) bytes it is complete")
    }
  }

  private static func read(
    _ bytes: [UInt8], at url: URLReference
  ) throws -> (page: CatalogPage, listing: Listing) {
    let page = try CatalogFormats.standard.decode(CatalogBody(url: url, bytes: bytes))
    var assembly = ListingAssembly(root: url)
    _ = assembly.begin()
    let digest = SHA256Hasher().finish()
    switch assembly.fetched(url.text, page: page, digest: digest, isFramed: true) {
    case .finish(let listing): return (page, listing)
    case .fail(let error): throw error
    case .fetch: throw Violation("a published catalog has more pages")
    }
  }

  private static func entries(of lines: [UInt8]) -> [PublishedEntry] {
    var seen: Set<CatalogKey> = []
    return lines.split(separator: 0x0A).compactMap { line -> PublishedEntry? in
      let key = CatalogKey(bytes: Array(line))
      guard seen.insert(key).inserted, let path = try? RelativePath(key) else { return nil }
      let size = Int64(truncatingIfNeeded: Array(line).fingerprint >> 20)
      let modified = Int(Array(line).fingerprint % 200_000_000_000) - 10_000_000_000
      return PublishedEntry(
        file: PublishedFile(
          path: path, size: size, modified: modified, digest: SHA256Hasher().finish()))
    }
  }
}
