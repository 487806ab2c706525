import SyncFolder
import SyncText

/// How the items of a feed are named: a text such as `{date} {title}{extension}`.
///
/// - `{date}` is the day on which the item was published, in UTC, as `2026-03-02`; without one, it
///   is left out together with the blanks behind it. In Atom without `published`, it is that of
///   the last change.
/// - `{title}` is the item's title; without one, its name.
/// - `{name}` is the name that it has without a template.
/// - `{extension}`, with its dot, ends the text; it is put there where it isn't. Further files of
///   one item and extension have a number before it.
///
/// A slash in the text makes a directory. In values, slashes, backslashes, control characters and
/// `~` become `-`, dots in front go, and names that are too long are cut. A dot before a known
/// extension or a number at the end of a name becomes `_`, as another item's file may end so.
public struct KeyTemplate: Hashable, Sendable {
  /// The text that it was read from.
  public let text: String
  private let parts: [Part]

  private enum Part: Hashable, Sendable {
    case text(String)
    case date, title, name
  }

  /// Reads a template.
  public init(_ text: String) throws(KeyTemplateProblem) {
    self.text = text
    var parts: [Part] = []
    var rest = text[...]
    if rest.hasSuffix("{extension}") { rest.removeLast("{extension}".count) }
    while let open = rest.firstIndex(where: { "{}".contains($0) }) {
      guard rest[open] == "{", let close = rest[open...].firstIndex(of: "}") else {
        throw .openBrace
      }
      if open != rest.startIndex { parts.append(.text(String(rest[..<open]))) }
      let name = String(rest[rest.index(after: open)..<close])
      switch name {
      case "date": parts.append(.date)
      case "title": parts.append(.title)
      case "name": parts.append(.name)
      case "extension": throw .extensionInside
      default: throw .unknownPlaceholder(name)
      }
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    guard parts.contains(.title) || parts.contains(.name) else { throw .sameForAll }
    self.parts = parts
    let example = parts.map { if case .text(let text) = $0 { text } else { "x" } }.joined()
    guard !example.hasSuffix("/") else { throw .key(.emptyComponent) }
    do throws(KeyProblem) {
      _ = try RelativePath(ByteString(example))
    } catch {
      throw .key(error)
    }
  }

  /// The name of an item, before the extensions of its files.
  func name(of item: NamedItem) -> String {
    var name = ""
    var skipsBlanks = false
    for part in parts {
      switch part {
      case .text(let text):
        name += skipsBlanks ? text.drop { $0 == " " } : text[...]
      case .date: name += Self.day(item.date) ?? ""
      case .title:
        let title = Self.plain(item.title ?? "")
        name += title.isEmpty ? Self.plain(item.name) : title
      case .name: name += Self.plain(item.name)
      }
      skipsBlanks = part == .date && Self.day(item.date) == nil
    }
    var components = name.split(separator: "/").map { Self.cut(String($0)) }
    let last = components.popLast().map(Self.withoutFileEnd) ?? ""
    components.removeAll { ["", ".", ".."].contains($0) }
    return (components + [last.isEmpty ? item.name : last]).joined(separator: "/")
  }

  private static func day(_ seconds: Double?) -> String? {
    guard let seconds, abs(seconds) < 250_000_000_000 else { return nil }
    let text = CivilTime.rfc3339(secondsSince1970: Int(seconds.rounded(.down)))
    return text.firstIndex(of: "T").map { String(text[..<$0]) }
  }

  /// A value as a part of a name. A `~` stands only before the digest that tells an item from
  /// another one of its name.
  private static func plain(_ value: String) -> String {
    var text = ""
    for scalar in value.unicodeScalars {
      if scalar.properties.isWhitespace {
        text.unicodeScalars.append(" ")
      } else {
        let isPlain =
          scalar.properties.generalCategory != .control && !"/\\~".unicodeScalars.contains(scalar)
        text.unicodeScalars.append(isPlain ? scalar : "-")
      }
    }
    let words = text.split(separator: " ").joined(separator: " ")
    return String(words.drop { ". ".contains($0) })
  }

  /// What leaves room for a digest, a number and an extension in a name of 255 bytes.
  private static let longest = RelativePath.maximumComponentLength - 25

  private static func cut(_ component: String) -> String {
    var short = Substring(component)
    while short.utf8.count > longest { short.removeLast() }
    while short.last == " " { short.removeLast() }
    return String(short.drop { $0 == " " })
  }

  private static func withoutFileEnd(_ name: String) -> String {
    guard let dot = name.lastIndex(of: ".") else { return name }
    let end = name[name.index(after: dot)...]
    let isFileEnd =
      end.utf8.allSatisfy { (0x30...0x39).contains($0) }
      || MediaExtension.all.contains(end.lowercased())
    return isFileEnd ? name[..<dot] + "_" + end : name
  }
}

/// Why a text is no ``KeyTemplate``.
public enum KeyTemplateProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// A brace without its other one.
  case openBrace
  /// No value has that name.
  case unknownPlaceholder(String)
  /// The extension isn't at the end.
  case extensionInside
  /// Nothing in it tells one item from another.
  case sameForAll
  /// It makes keys that are no paths.
  case key(KeyProblem)

  /// A sentence without its full stop.
  public var description: String {
    switch self {
    case .openBrace: "a brace of the template lacks its other one; write {title}"
    case .unknownPlaceholder(let name):
      """
      the template names '{\(ByteString.escape(name))}', which isn't known; write {date}, {title}, \
      {name} or {extension}
      """
    case .extensionInside: "the template's {extension} has to be at its end, and only once"
    case .sameForAll:
      "the template gives all items one name; write {title} or {name} in it"
    case .key(let problem): "the template makes a key that \(problem)"
    }
  }
}

extension CatalogPage {
  /// Gives each item of a feed the name that a template makes of it, and each of its entries what
  /// tells it from another item's of that name. Which files a deleted item had, its identifier
  /// doesn't tell then.
  mutating func nameItems(by template: KeyTemplate) {
    removed = []
    let counts = nameCounts
    for (place, item) in items.enumerated() {
      let name = template.name(of: item)
      let identity = ItemIdentity(item, isAlone: counts[item.name] == 1)
      for entry in item.entries {
        rename(entry, of: item, to: name)
        if case .entry(var named, let isSettled) = entries[entry] {
          named.extra = identity.text
          entries[entry] = .entry(named, settled: isSettled)
        }
      }
      (items[place].name, items[place].nameByQuery) = (name, nil)
      items[place].identity = identity
    }
  }
}

extension CatalogPage {
  /// Names the items (``nameItems(held:identities:)``).
  ///
  /// - Parameters:
  ///   - held: What the index has for ``decidingKeys``.
  ///   - named: Which items a template gave these keys on earlier pages; takes those of this one.
  mutating func nameItems(
    held: [CatalogKey: CatalogEntry], named: inout [CatalogKey: String]
  ) {
    var addresses = held.compactMapValues { $0.locators.first }
    var identities = held.compactMapValues(\.extra)
    for key in decidingKeys {
      guard let identity = named[key] else { continue }
      (addresses[key], identities[key]) = ("", identity)
    }
    nameItems(held: addresses, identities: identities)
    guard items.contains(where: { $0.identity != nil }) else { return }
    for case .entry(let entry, _) in entries { named[entry.key] = entry.extra }
  }
}

/// Tells an item from others for which a template makes the same name.
package struct ItemIdentity: Hashable, Sendable {
  /// What the index keeps with its entries.
  let text: String
  /// How that begins for whatever has its identifier, where it alone has it: then it is the same
  /// item, wherever its file is.
  private let opening: String?
  /// What it has in common with itself elsewhere.
  var lasting: String { opening ?? text }

  fileprivate init(_ item: NamedItem, isAlone: Bool) {
    let identifier = item.isNamedByAddress ? nil : JSONText(item.identifier ?? "")
    text = String(
      decoding: JSONWriter.object { members in
        if let identifier { members.add(JSONText("identifier"), identifier) }
        members.add(JSONText("address"), JSONText(item.address))
      }, as: UTF8.self)
    opening = identifier.flatMap { identifier in
      guard isAlone else { return nil }
      let whole = JSONWriter.object { $0.add(JSONText("identifier"), identifier) }
      return String(decoding: whole.dropLast(), as: UTF8.self) + ","
    }
  }

  func isSame(_ other: String) -> Bool {
    other.utf8.elementsEqual(text.utf8) || opening.map { other.utf8.starts(with: $0.utf8) } ?? false
  }
}
