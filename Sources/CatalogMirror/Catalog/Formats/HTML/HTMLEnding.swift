import SyncText

struct HTMLEnding {
  /// Whether it comes to its closing tag, outside of any comment; only blanks and whole comments
  /// follow, of 1 KiB together.
  let isWhole: Bool
  /// Whether no list and no table goes on after its closing tag up to another one, as one does
  /// within which that tag stands, too.
  let closesListsOnce: Bool

  init(of bytes: [UInt8]) {
    let (closesListsOnce, endsInComment) = bytes.withUnsafeBytes { buffer in
      var tags = HTMLTags(buffer)
      var lists = HTMLLists()
      var closesListsOnce = true
      while let tag = tags.next() {
        if closesListsOnce { closesListsOnce = lists.take(tag) }
      }
      return (closesListsOnce, tags.endsInComment)
    }
    self.closesListsOnce = closesListsOnce
    isWhole = !endsInComment && Self.isClosing(bytes.suffix(1_024))
  }

  private static func isClosing(_ end: ArraySlice<UInt8>) -> Bool {
    let text = String(decoding: end, as: UTF8.self).lowercased()
    let parts = text.split(separator: "</html>", omittingEmptySubsequences: false)
    guard parts.count > 1, let tail = parts.last else { return false }
    var rest = String(tail).withoutOuterWhitespace
    while rest.hasPrefix("<!--") {
      let comment = rest.split(separator: "-->", maxSplits: 1, omittingEmptySubsequences: false)
      guard comment.count == 2 else { return false }
      rest = String(comment[1]).withoutOuterWhitespace
    }
    return rest.isEmpty
  }
}

/// The tags of a page in HTML, one after the other, but for what stands in comments, scripts and
/// style sheets.
private struct HTMLTags {
  struct Tag {
    /// In small letters; of a long one, its beginning.
    var name: String
    var closes: Bool
  }

  private let bytes: UnsafeRawBufferPointer
  private var place = 0
  private(set) var endsInComment = false

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  mutating func next() -> Tag? {
    while let start = bytes.place(of: UInt8(ascii: "<"), from: place) {
      place = start + 1
      if bytes[place...].starts(with: "!--".utf8) {
        passComment()
        continue
      }
      let closes = bytes[place...].first == UInt8(ascii: "/")
      if closes { place += 1 }
      let letters = bytes[place...].prefix(9).prefix { (0x61...0x7A).contains($0 | 0x20) }
      guard !letters.isEmpty else { continue }
      let name = String(decoding: letters.map { $0 | 0x20 }, as: UTF8.self)
      let tag = Tag(name: name, closes: closes)
      if !closes, ["script", "style"].contains(tag.name) { passScript(tag.name) }
      return tag
    }
    return nil
  }

  private mutating func passComment() {
    while let end = bytes.place(of: UInt8(ascii: ">"), from: place) {
      place = end + 1
      if bytes[..<end].suffix(2).elementsEqual("--".utf8) { return }
    }
    (place, endsInComment) = (bytes.count, true)
  }

  /// Passes over what such an element holds, up to its closing tag.
  private mutating func passScript(_ name: String) {
    guard let end = bytes.place(of: UInt8(ascii: ">"), from: place) else { return }
    place = end + 1
    guard bytes[end - 1] != UInt8(ascii: "/") else { return }
    let closing = "</" + name
    while let start = bytes.place(of: UInt8(ascii: "<"), from: place) {
      let found = bytes[start...].prefix(closing.utf8.count).lazy
      place = start
      if found.map({ (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }).elementsEqual(closing.utf8) {
        return
      }
      place += 1
    }
    place = bytes.count
  }
}

/// Which lists of a page are open, and whether rows stand after one that was closed.
private struct HTMLLists {
  private struct List {
    var open = 0
    var wasClosed = false
    var goesOn = false
  }

  private var lists = ["pre": List(), "table": List(), "ul": List(), "ol": List()]

  /// Takes the next tag; false where it closes a list that was closed, and went on.
  mutating func take(_ tag: HTMLTags.Tag) -> Bool {
    guard var list = lists[tag.name] else {
      if !tag.closes { takeRow(tag.name) }
      return true
    }
    if !tag.closes {
      list.open += 1
      // A text that came before the list isn't the list.
      if tag.name != "pre" { lists["pre"]?.wasClosed = false }
    } else if list.open > 0 {
      list.open -= 1
      list.wasClosed = true
    } else if list.goesOn {
      return false
    }
    lists[tag.name] = list
    return true
  }

  private mutating func takeRow(_ name: String) {
    switch name {
    case "tr", "td": goOn("table", outside: ["table"])
    case "li": goOn("ul", outside: ["ul", "ol"])
    case "a": goOn("pre", outside: ["pre", "table", "ul", "ol"])
    default: break
    }
  }

  private mutating func goOn(_ name: String, outside others: [String]) {
    guard let list = lists[name], list.wasClosed, !list.goesOn,
      others.allSatisfy({ lists[$0]?.open == 0 })
    else { return }
    lists[name]?.goesOn = true
  }
}
