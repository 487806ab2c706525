private import SyncSystem

/// Looks at a document of XML or HTML before libxml2 does: to that, each attribute of a tag costs
/// as much as the tag has others, and it reads a whole tag before it asks whether to go on.
///
/// Where readers find the end of something in two places, the nearer one counts here; and what a
/// wrong guess hides is a tag's length or a piece at most.
struct MarkupGate {
  enum Language {
    case xml, html
    /// The first tag tells.
    case unknown
  }

  private enum Place {
    case text
    case open
    case marked
    case hyphen
    case mark
    case tag, comment, characters, instruction, declaration
    /// Within a script or a style sheet of HTML, where nothing but its closing tag is one.
    case script
  }

  private let limits: PieceLimits
  private var language: Language
  private var place = Place.text
  /// Bytes of the text, or of what isn't read.
  private var length = 0
  private var tag = MarkupTag()
  /// How many bytes of what tells the place, or ends it, came one after the other.
  private var seen = 0
  /// What has to come for the script to end.
  private var closing: [UInt8] = []

  init(_ limits: PieceLimits, _ language: Language) {
    self.limits = limits
    self.language = language
  }

  mutating func take(_ bytes: UnsafeRawBufferPointer) throws(CatalogError) {
    var index = 0
    while index < bytes.count {
      let start = index
      switch place {
      case .text:
        let end = bytes.place(of: UInt8(ascii: "<"), from: index)
        index = end ?? bytes.count
        try add(index - start)
        if end != nil { (place, index) = (.open, index + 1) }
      case .open: open(bytes[index], &index)
      case .marked, .hyphen, .mark: mark(bytes[index], &index)
      case .tag:
        if try tag.take(bytes, &index, limits) { endTag() }
      default:
        let isOver = pass(bytes, &index)
        try add(index - start)
        if isOver { leave() }
      }
    }
  }

  private mutating func add(_ count: Int) throws(CatalogError) {
    length += count
    try limits.check(length)
  }

  private mutating func enter(_ place: Place, seen: Int = 0) {
    (self.place, self.seen, length) = (place, seen, 0)
  }

  private mutating func leave() {
    let endsAtTag = place == .script
    enter(endsAtTag ? .tag : .text)
    if endsAtTag { tag = MarkupTag() }
  }

  /// Takes the byte after `<`; one that begins no tag belongs to the text.
  private mutating func open(_ byte: UInt8, _ index: inout Int) {
    switch byte {
    case UInt8(ascii: "!"):
      index += 1
      enter(.marked)
    case UInt8(ascii: "?"):
      index += 1
      enter(language == .html ? .declaration : .instruction)
    case UInt8(ascii: "/"), UInt8(ascii: "_"), UInt8(ascii: ":"), 0x80..., 0x41...0x5A, 0x61...0x7A:
      tag = MarkupTag()
      enter(.tag)
    default:
      place = .text
      length += 1
    }
  }

  private static let charactersMark = Array("[CDATA[".utf8)

  /// Takes a byte after `<!`; one that fits no mark is looked at again in what it stands in then.
  private mutating func mark(_ byte: UInt8, _ index: inout Int) {
    index += 1
    switch place {
    case .marked where byte == UInt8(ascii: "-"): enter(.hyphen)
    case .marked where byte == UInt8(ascii: "[") && language != .html: enter(.mark, seen: 1)
    // HTML ends a comment at once by `<!-->`.
    case .hyphen where byte == UInt8(ascii: "-"): enter(.comment, seen: 2)
    case .mark where byte == Self.charactersMark[seen]:
      seen += 1
      if seen == Self.charactersMark.count { enter(.characters) }
    default:
      index -= 1
      enter(.declaration)
    }
  }

  private mutating func pass(_ bytes: UnsafeRawBufferPointer, _ index: inout Int) -> Bool {
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if ends(at: byte) { return true }
    }
    return false
  }

  private mutating func ends(at byte: UInt8) -> Bool {
    let isClosing = byte == UInt8(ascii: ">")
    switch place {
    case .comment:
      if isClosing { return seen >= 2 }
      // `--!>` ends one in HTML.
      let isMarked = byte == UInt8(ascii: "!") && seen == 2
      seen = byte == UInt8(ascii: "-") ? min(seen + 1, 2) : isMarked ? 3 : 0
    case .characters:
      if isClosing { return seen >= 2 }
      seen = byte == UInt8(ascii: "]") ? seen + 1 : 0
    case .instruction:
      if isClosing { return seen > 0 }
      seen = byte == UInt8(ascii: "?") ? 1 : 0
    case .script:
      let letter = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
      seen = letter == closing[seen] ? seen + 1 : letter == UInt8(ascii: "<") ? 1 : 0
      return seen == closing.count
    default: return isClosing
    }
    return false
  }

  private mutating func endTag() {
    if language == .unknown, !tag.isEnd { language = tag.isOfHTML ? .html : .xml }
    guard language == .html, let name = tag.scriptName else { return enter(.text) }
    closing = Array("</\(name)".utf8)
    enter(.script)
  }
}

extension UnsafeRawBufferPointer {
  /// The place of the first such byte from there on.
  func place(of byte: UInt8, from start: Int) -> Int? {
    guard let base = baseAddress, start < count,
      let found = memchr(base + start, Int32(byte), count - start)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }
}

/// A tag of XML or HTML, as far as it has come.
struct MarkupTag {
  private enum Part {
    case name
    case between
    case attribute
    case equals
    case value
    case quoted
  }

  private var part = Part.name
  private var quote: UInt8 = 0
  private var length = 0
  private var attributes = 0
  /// The first eight bytes of its name, in small letters, the last one lowest.
  private var name: UInt64 = 0
  private var isEmpty = false
  private(set) var isEnd = false

  /// Takes bytes up to the tag's end, or to that of the bytes; whether it has ended.
  mutating func take(
    _ bytes: UnsafeRawBufferPointer, _ index: inout Int, _ limits: PieceLimits
  ) throws(CatalogError) -> Bool {
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      length += 1
      guard length <= limits.all.tagBytes else { throw limits.excess(.tagBytes) }
      if part == .quoted {
        if byte == quote { part = .between }
      } else if byte == UInt8(ascii: ">") {
        return true
      } else {
        take(byte)
        guard attributes <= limits.all.attributes else { throw limits.excess(.attributes) }
      }
    }
    return false
  }

  private mutating func take(_ byte: UInt8) {
    let isBlank = byte == 0x20 || (0x09...0x0D).contains(byte)
    let isSlash = byte == UInt8(ascii: "/")
    if !isBlank { isEmpty = isSlash && part != .value }
    switch part {
    case .name where isSlash && length == 1: isEnd = true
    case .name where isBlank || isSlash: part = .between
    case .name: if name >> 56 == 0 { name = name << 8 | UInt64(byte | 0x20) }
    case .between, .attribute:
      if byte == UInt8(ascii: "=") {
        part = .equals
      } else if isBlank || isSlash {
        part = .between
      } else if part == .between {
        part = .attribute
        attributes += 1
      }
    case .equals where isBlank: break
    case .equals where byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"):
      (part, quote) = (.quoted, byte)
    case .equals: part = .value
    case .value: if isBlank { part = .between }
    case .quoted: break
    }
  }

  private func isCalled(_ word: StaticString) -> Bool {
    word.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt64($1 | 0x20) } } == name
  }

  /// The name of an element of HTML that holds no others, where this begins one.
  var scriptName: String? {
    guard !isEnd, !isEmpty else { return nil }
    return isCalled("script") ? "script" : isCalled("style") ? "style" : nil
  }

  var isOfHTML: Bool {
    let first: [StaticString] = [
      "html", "head", "title", "meta", "link", "style", "script", "body", "h1", "pre", "a",
    ]
    return first.contains { isCalled($0) }
  }
}
