import CatalogMirror
import SyncFolder
import SyncText

/// Key to path: the input is a key, or two of them with a line break between.
enum KeyTarget {
  static func check(_ input: [UInt8]) throws {
    let (first, second) = input.firstLineAndRest
    let left = CatalogKey(bytes: first)
    try checkAlone(left)
    guard let second else { return }
    let right = CatalogKey(bytes: second)
    try checkAlone(right)
    try checkPair(left, right)
  }

  private static func checkAlone(_ key: CatalogKey) throws {
    let shown = key.description
    try requirePrintable(shown, "a key's description")
    try require(CatalogKey(escaped: shown) == key, "a key's description reads as another key")
    let path: RelativePath
    do {
      path = try RelativePath(key)
    } catch {
      try require(!isFit(key.bytes), "a good key is refused: it \(error)")
      return
    }
    try require(isFit(path.bytes), "a key is accepted that is no path")
    try require(path.bytes == key.bytes && path.key == key, "a path has other bytes than its key")
    try require(
      Array(path.components.joined(separator: [0x2F])) == key.bytes, "components lose bytes")
    try checkLocator(of: path)
    // One of them is enough for one input: folding costs more than all the rest.
    try checkFolding(foldings[Int(key.bytes.fingerprint % 3)], of: path)
  }

  /// What makes a key a path, said once more and in another way.
  private static func isFit(_ bytes: [UInt8]) -> Bool {
    guard (1...3_840).contains(bytes.count), let text = String(validating: bytes, as: UTF8.self)
    else { return false }
    let scalars = text.unicodeScalars
    let isPlain = scalars.allSatisfy { scalar in
      scalar != "\\"
        && ((" "..."~").contains(scalar) || scalar.properties.generalCategory != .control)
    }
    guard isPlain else { return false }
    let names = bytes.split(separator: 0x2F, omittingEmptySubsequences: false)
    return !names[0].elementsEqual(".mirror".utf8)
      && names.allSatisfy { name in
        (1...255).contains(name.count) && !name.elementsEqual(".".utf8)
          && !name.elementsEqual("..".utf8)
      }
  }

  /// A key without a URL of its own is fetched from below the catalog, under its own name.
  private static func checkLocator(of path: RelativePath) throws {
    let encoded = PercentEncoding.encode(path: path.bytes)
    try require(PercentEncoding.decode(encoded) == path.bytes, "a key's URL names another key")
    guard let base = URLReference("https://host.test/a/list"),
      let own = URLReference("./" + encoded)
    else { throw Violation("a key's own URL can't be read") }
    let url = own.resolved(against: base).text
    try require(url == "https://host.test/a/" + encoded, "a key's own URL leads to \(url)")
  }

  private static let foldings = [
    NameFolding(caseFolding: true), NameFolding(unicodeNormalizing: true),
    NameFolding(caseFolding: true, unicodeNormalizing: true),
  ]

  private static func checkFolding(_ folding: NameFolding, of path: RelativePath) throws {
    let folded = folding.fold(path.bytes)
    try require(folding.fold(folded) == folded, "a folded name folds into a third one")
    // Normalizing moves marks over a subscript iota, which upper case makes a letter: no twins
    // then.
    guard folding.caseFolding, !folding.unicodeNormalizing else { return }
    for twin in [path.string.uppercased(), path.string.lowercased()] {
      try require(
        folding.fold(Array(twin.utf8)) == folded, "\(path) isn't the twin of its other case")
    }
  }

  private static func checkPair(_ left: CatalogKey, _ right: CatalogKey) throws {
    let isSame = left.bytes == right.bytes
    try require((left == right) == isSame, "keys aren't compared as bytes")
    let looksSame = left.description.utf8.elementsEqual(right.description.utf8)
    try require(looksSame == isSame, "two keys look the same")
    let duplicates = CollisionCheck.duplicates(of: 2) { [left, right][$0].bytes[...] }
    try require(!duplicates.isEmpty == isSame, "a duplicate isn't told from two keys")
    guard let one = try? RelativePath(left), let two = try? RelativePath(right), !isSame else {
      return
    }
    try require(one.bytes != two.bytes, "two keys have one path")
    for folding in [foldings[Int(left.bytes.fingerprint % 3)], .none] {
      let found = CollisionCheck(folding: folding).problems(of: [one, two])
      try require(
        found.keys.sorted() == collisions(folding, one, two),
        "the collisions of \(one) and \(two) are wrong under \(folding)")
    }
  }

  /// Which of two paths can't stand: by looking at their folded components.
  private static func collisions(
    _ folding: NameFolding, _ one: RelativePath, _ two: RelativePath
  ) -> [Int] {
    let names = [one, two].map { path in
      folding.fold(path.bytes).split(separator: 0x2F).map { Array($0) }
    }
    if names[0].starts(with: names[1]) || names[1].starts(with: names[0]) { return [0, 1] }
    let own = folding.fold(Array(".mirror".utf8))
    return names.indices.filter { folding != .none && names[$0].first == own }
  }
}
