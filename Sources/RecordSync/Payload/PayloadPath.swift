import SyncText

/// A path through a body: `data.users`. Behind a name, `[]` leads through each element of an array:
/// `data.edges[].node`. A name with dots or brackets stands in quotes: `a."b.c"`; a backslash takes
/// the next sign as it is.
public struct PayloadPath: Sendable, Hashable {
  /// The names of the members, at least one, each with at least one byte.
  let names: [[UInt8]]
  /// Behind how many names each element of an array is gone through.
  private let arrays: Set<Int>

  /// The path of names with dots between them; `nil` where a name is empty, and where a quote, a
  /// bracket or a backslash has no end.
  public init?(_ text: String) {
    var reader = Reader()
    for byte in text.utf8 {
      guard reader.take(byte) else { return nil }
    }
    guard reader.isAtEnd else { return nil }
    (names, arrays) = (reader.names, reader.arrays)
  }

  /// A path of names as they are, at least one.
  init(plain names: [String]) {
    self.names = names.map { Array($0.utf8) }
    arrays = []
  }

  /// Whether it leads through objects alone, to one place.
  public var isPlain: Bool { arrays.isEmpty }

  /// Whether an array stands behind so many names, of which each element is gone through.
  func leadsThroughArray(behind count: Int) -> Bool { arrays.contains(count) }

  /// The path up to the name of that place, that included.
  func text(through place: Int) -> String {
    let parts = names[...place].enumerated().map { place, name in
      Self.written(name) + (leadsThroughArray(behind: place + 1) ? "[]" : "")
    }
    return parts.joined(separator: ".")
  }

  private static func written(_ name: [UInt8]) -> String {
    let shown = ByteString.escape(name)
    return name.contains { ".[]".utf8.contains($0) } ? "\"\(shown)\"" : shown
  }

  /// What the path would be if its dots, from this name on, were part of a name.
  func dotted(from place: Int) -> [UInt8] {
    Array(names[place...].joined(separator: [UInt8(ascii: ".")]))
  }

  var text: String { text(through: names.count - 1) }

  /// Takes the text of a path apart.
  private struct Reader {
    private enum Place {
      case name, quoted
      /// Behind a quote, or a bracket, that ends a name; in brackets.
      case behind, bracket
    }

    private(set) var names: [[UInt8]] = [[]]
    private(set) var arrays: Set<Int> = []
    private var place = Place.name
    private var isEscaped = false

    var isAtEnd: Bool {
      [.name, .behind].contains(place) && !isEscaped && names.allSatisfy { !$0.isEmpty }
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
      case (.name, UInt8(ascii: "]")): return false
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
      return !names[names.count - 1].isEmpty && arrays.insert(names.count).inserted
    }
  }
}
