import SyncText

/// A list of digests by MD5, SHA-1, SHA-256 or SHA-512, as GNU's and BSD's programs write it (see
/// ``ChecksumLine``), mixed at will, with comments (`#`, `;`) and blank lines, signed in clear or
/// not (see ``SignedText``). A name that stands there with several digests, or twice with the same
/// one, is one entry.
///
/// A bare list of unknown origin, and it can be cut between two lines unnoticed: never whole by
/// itself, only by a person's word. A line of any other form makes it unreadable.
struct ChecksumsFormat: CatalogFormat {
  let name: CatalogFormatName
  let noun: String
  /// The only algorithm that is read; `nil` for all.
  private let only: ContentDigest.Algorithm?

  init() {
    name = .checksums
    noun = "a list of digests"
    only = nil
  }

  /// Lists of digests by one algorithm only, which have to be named: `sha256sums`.
  init(only algorithm: ContentDigest.Algorithm) {
    name = CatalogFormatName("\(algorithm.rawValue)sums")
    noun = "a list of \(algorithm.title) digests"
    only = algorithm
  }

  func recognises(_ body: CatalogBody) -> Bool {
    guard only == nil else { return false }
    var lines = body.opening.split(separator: UInt8(ascii: "\n"))[...]
    if lines.first.map(SignedText.beginsArmour) ?? false {
      lines = lines.dropFirst().drop { $0.starts(with: "Hash: ".utf8) }
    }
    let line = lines.first { !ChecksumLine.isNothing($0) }
    return line.flatMap { ChecksumLine($0) } != nil
  }

  func page(_ body: CatalogBody, within limits: CatalogLimits) throws(CatalogError) -> CatalogPage {
    guard let text = SignedText(body.bytes[body.start...]) else {
      throw body.unreadable(expected: .format(name), found: .cutPage)
    }
    var page = CatalogPage(format: name, claim: .unvouchable)
    var merging = ChecksumMerging(body: body)
    for (index, line) in text.lines.enumerated() where !ChecksumLine.isNothing(line) {
      guard let line = ChecksumLine(line), only ?? line.digest.algorithm == line.digest.algorithm
      else {
        let isCut = index == text.lines.count - 1 && !text.endsWithNewline
        throw body.unreadable(expected: .format(name), found: isCut ? .cutLine : .line(index + 1))
      }
      merging.take(line)
      try body.checkCount(merging.count, limits)
    }
    guard merging.count > 0 else { throw body.unreadable(expected: .format(name)) }
    page.entries = merging.entries
    return page
  }
}

/// Makes entries of lines: those with digests of one name by several algorithms are one.
private struct ChecksumMerging {
  private let body: CatalogBody
  private var digests: [(name: [UInt8], digests: [ContentDigest])] = []
  private var places: [[UInt8]: Int] = [:]

  init(body: CatalogBody) {
    self.body = body
  }

  var count: Int { digests.count }

  /// What stands there twice counts once. A name with two digests by one algorithm is two entries,
  /// and so an error of the listing.
  mutating func take(_ line: ChecksumLine) {
    if let place = places[line.name] {
      let known = digests[place].digests
      guard !known.contains(line.digest) else { return }
      guard known.contains(where: { $0.algorithm == line.digest.algorithm }) else {
        return digests[place].digests.append(line.digest)
      }
    }
    places[line.name] = digests.count
    digests.append((line.name, [line.digest]))
  }

  var entries: [ListedEntry] {
    let resolver = LocatorResolver(body)
    return digests.enumerated().compactMap { index, one in
      guard !Task.isCancelled else { return nil }
      let key = CatalogKey(bytes: one.name)
      return ListedEntry(key, at: index + 1) { () throws(EntryProblem) in
        var entry = CatalogEntry(key: key, locators: [try resolver.address(ofPath: one.name)])
        entry.take(one.digests)
        return (entry, true)
      }
    }
  }
}

extension CatalogEntry {
  /// Takes what is said of the bytes' digests, and goes by the strongest of them for its version.
  mutating func take(_ digests: [ContentDigest]) {
    sha256 = digests.lazy.compactMap(\.sha256).first
    checks = digests.filter { $0.algorithm != .sha256 }
    let order: [ContentDigest.Algorithm] = [.sha512, .sha1, .md5]
    let best = order.lazy.compactMap { algorithm in
      digests.first { $0.algorithm == algorithm }
    }.first
    if let sha256 {
      version = .digest(sha256)
    } else if let best {
      version = .revision(best.description)
    }
  }
}

/// One line of a list of digests: `<digits>  name` or `<digits> *name`, as GNU's programs write it,
/// the algorithm being told by the number of digits; or `SHA256 (name) = <digits>`, as BSD's and
/// OpenSSL's do. With a leading backslash the name's `\\`, `\n` and `\r` are escapes.
struct ChecksumLine {
  let digest: ContentDigest
  let name: [UInt8]

  /// How the algorithms are called in front of a name.
  private static let tags: [(String, ContentDigest.Algorithm)] = [
    ("MD5", .md5), ("SHA1", .sha1), ("SHA256", .sha256), ("SHA2-256", .sha256),
    ("SHA512", .sha512), ("SHA2-512", .sha512),
  ]

  static func isNothing(_ line: ArraySlice<UInt8>) -> Bool {
    guard let first = line.first(where: { !JSONValue.isBlank($0) }) else { return true }
    return first == UInt8(ascii: "#") || first == UInt8(ascii: ";")
  }

  init?(_ line: ArraySlice<UInt8>) {
    var text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    let isEscaped = text.first == UInt8(ascii: "\\")
    if isEscaped { text.removeFirst() }
    guard let (digest, raw) = Self.tagged(text) ?? Self.plain(text), !raw.isEmpty,
      let name = isEscaped ? Self.unescape(raw) : Array(raw)
    else { return nil }
    self.digest = digest
    // The programs are often run on ".", which gives names that begin with "./".
    self.name = name.starts(with: "./".utf8) && name.count > 2 ? Array(name.dropFirst(2)) : name
  }

  /// The line of a file's SHA-256 digest, as GNU's program writes it. A file `-` would be standard
  /// input to it.
  static func text(of digest: SHA256Digest, _ name: [UInt8]) -> String {
    let escapes: [UInt8: String] = [
      UInt8(ascii: "\\"): #"\\"#, 0x0A: #"\n"#, 0x0D: #"\r"#,
    ]
    let isEscaped = name.contains { escapes[$0] != nil }
    let shown = isEscaped ? name.flatMap { escapes[$0].map { Array($0.utf8) } ?? [$0] } : name
    let path = (name == [UInt8(ascii: "-")] ? "./" : "") + String(decoding: shown, as: UTF8.self)
    return (isEscaped ? #"\"# : "") + "\(digest)  \(path)"
  }

  private static func plain(_ text: ArraySlice<UInt8>) -> (ContentDigest, ArraySlice<UInt8>)? {
    let digits = text.prefix { $0 != UInt8(ascii: " ") }
    let rest = text.dropFirst(digits.count)
    guard rest.starts(with: "  ".utf8) || rest.starts(with: " *".utf8),
      let algorithm = ContentDigest.Algorithm.allCases.first(where: {
        2 * $0.byteCount == digits.count
      }), let digest = ContentDigest(algorithm, hexadecimal: digits)
    else { return nil }
    return (digest, rest.dropFirst(2))
  }

  private static func tagged(_ text: ArraySlice<UInt8>) -> (ContentDigest, ArraySlice<UInt8>)? {
    for (tag, algorithm) in tags where text.starts(with: tag.utf8) {
      let digits = text.suffix(2 * algorithm.byteCount)
      let forms = [(" (", ") = "), ("(", ")= ")]
      for (head, middle) in forms {
        let head = tag + head
        guard text.count > head.utf8.count + middle.utf8.count + digits.count,
          text.starts(with: head.utf8),
          text.dropLast(digits.count).suffix(middle.utf8.count).elementsEqual(middle.utf8),
          let digest = ContentDigest(algorithm, hexadecimal: digits)
        else { continue }
        let name = text.dropFirst(head.utf8.count).dropLast(digits.count + middle.utf8.count)
        return (digest, name)
      }
    }
    return nil
  }

  private static func unescape(_ name: ArraySlice<UInt8>) -> [UInt8]? {
    var output: [UInt8] = []
    var rest = name
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        output.append(byte)
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "\\"): output.append(byte)
      case UInt8(ascii: "n"): output.append(0x0A)
      case UInt8(ascii: "r"): output.append(0x0D)
      default: return nil
      }
    }
    return output
  }
}
