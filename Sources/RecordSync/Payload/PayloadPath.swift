import SyncText

/// A path through a body: `data.users`. Behind a name, `[]` leads through each element of an array:
/// `data.edges[].node`. In place of a name, or behind one, `{}` leads through each value of an
/// object whose names are keys: `entities{}`; in front of more, with a dot or without:
/// `a{}.b[]`, `releases{}[]`.
///
/// The name of such a value becomes a member of the objects to which it leads, `key`, or the one
/// that stands in the braces: `users{login}`. A name with dots, brackets or braces stands in
/// quotes: `a."b.c"`; a backslash takes the next sign as it is.
public struct PayloadPath: Sendable, Hashable {
  /// The names of the members, at least one, each with at least one byte, but where any is meant.
  let names: [[UInt8]]
  /// Behind how many names each element of an array is gone through.
  private let arrays: Set<Int>
  /// Where any name is meant: the member that keeps it, by the place among the names.
  private let keepers: [Int: [UInt8]]

  /// The member that keeps a name where the braces don't say another.
  static let keeper = Array("key".utf8)

  /// The path of names with dots between them; `nil` where a name is empty, where a quote, a
  /// bracket or a backslash has no end, and where two members for names are called the same.
  public init?(_ text: String) {
    var reader = PathReader()
    for byte in text.utf8 {
      guard reader.take(byte) else { return nil }
    }
    guard reader.isAtEnd else { return nil }
    (names, arrays, keepers) = (reader.names, reader.arrays, reader.keepers)
  }

  /// A path of names as they are, at least one.
  init(plain names: [String]) {
    self.names = names.map { Array($0.utf8) }
    (arrays, keepers) = ([], [:])
  }

  /// Whether it leads through objects alone, to one place.
  public var isPlain: Bool { arrays.isEmpty && keepers.isEmpty }

  /// Whether an array stands behind so many names, of which each element is gone through.
  func leadsThroughArray(behind count: Int) -> Bool { arrays.contains(count) }

  /// Whether any name is meant at that place.
  func takesAny(at place: Int) -> Bool { keepers[place] != nil }

  /// The members that keep names, in their order on the way.
  var keptNames: [(place: Int, member: [UInt8])] {
    keepers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The members by which the objects at its end are told apart: those that keep the names on the
  /// way, where nothing else leads to several; none elsewhere.
  var keyMembers: [String] {
    guard arrays.isEmpty, keepers[names.count - 1] != nil else { return [] }
    return keptNames.map { String(decoding: $0.member, as: UTF8.self) }
  }

  /// The path up to the name of that place, that included.
  func text(through place: Int) -> String {
    var text = ""
    for (place, name) in names[...place].enumerated() {
      if let keeper = keepers[place] {
        text += "{\(keeper == Self.keeper ? "" : Self.written(keeper))}"
      } else {
        text += (text.isEmpty ? "" : ".") + Self.written(name)
      }
      if leadsThroughArray(behind: place + 1) { text += "[]" }
    }
    return text
  }

  private static func written(_ name: [UInt8]) -> String {
    let shown = ByteString.escape(name)
    return name.contains { ".[]{}".utf8.contains($0) } ? "\"\(shown)\"" : shown
  }

  /// What the path would be if its dots, from this name on, were part of a name.
  func dotted(from place: Int) -> [UInt8] {
    Array(names[place...].joined(separator: [UInt8(ascii: ".")]))
  }

  var text: String { text(through: names.count - 1) }
}

extension PayloadPath: CustomStringConvertible {
  /// Its text, from which it can be made again.
  public var description: String { text }
}

/// Takes the text of a path apart.
private struct PathReader {
  private enum Place {
    case name, quoted
    /// Behind a quote, a bracket or a brace, that ends a name; in brackets, in braces.
    case behind, bracket, brace
  }

  private(set) var names: [[UInt8]] = [[]]
  private(set) var arrays: Set<Int> = []
  private(set) var keepers: [Int: [UInt8]] = [:]
  private var place = Place.name
  private var isEscaped = false

  var isAtEnd: Bool {
    let isWhole = names.indices.allSatisfy { !names[$0].isEmpty || keepers[$0] != nil }
    return [.name, .behind].contains(place) && !isEscaped && isWhole
      && Set(keepers.values).count == keepers.count
  }

  mutating func take(_ byte: UInt8) -> Bool {
    if isEscaped {
      names[names.count - 1].append(byte)
      isEscaped = false
      return true
    }
    switch (place, byte) {
    case (.name, UInt8(ascii: "\\")), (.quoted, UInt8(ascii: "\\")): isEscaped = true
    case (.name, UInt8(ascii: "\"")) where names[names.count - 1].isEmpty: place = .quoted
    case (.quoted, UInt8(ascii: "\"")): place = .behind
    case (.name, UInt8(ascii: "[")), (.behind, UInt8(ascii: "[")): return openBracket()
    case (.bracket, UInt8(ascii: "]")): place = .behind
    case (.name, UInt8(ascii: "{")), (.behind, UInt8(ascii: "{")): openBrace()
    case (.brace, UInt8(ascii: "}")): closeBrace()
    case (.brace, _): return takeKeeper(byte)
    case (.name, UInt8(ascii: "]")), (.name, UInt8(ascii: "}")): return false
    case (.name, UInt8(ascii: ".")), (.behind, UInt8(ascii: ".")):
      names.append([])
      place = .name
    case (.name, _), (.quoted, _): names[names.count - 1].append(byte)
    case (.behind, _), (.bracket, _): return false
    }
    return true
  }

  private mutating func openBracket() -> Bool {
    place = .bracket
    let isThere = !names[names.count - 1].isEmpty || keepers[names.count - 1] != nil
    return isThere && arrays.insert(names.count).inserted
  }

  /// Braces stand for a name of their own, behind the one before them.
  private mutating func openBrace() {
    if !names[names.count - 1].isEmpty || keepers[names.count - 1] != nil { names.append([]) }
    keepers[names.count - 1] = []
    place = .brace
  }

  private mutating func closeBrace() {
    if keepers[names.count - 1] == [] { keepers[names.count - 1] = PayloadPath.keeper }
    place = .behind
  }

  private mutating func takeKeeper(_ byte: UInt8) -> Bool {
    keepers[names.count - 1]?.append(byte)
    return !"\"\\.[]{".utf8.contains(byte)
  }
}
