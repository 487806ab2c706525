private import SyncText

/// Where in a document a value stands: names of members and places in arrays, from the top down.
///
/// A merger's path names members only: an array is merged as one value. One with a place in it, as
/// `[["list", 0]: .counter]`, never applies.
public struct DocumentPath: Sendable, Hashable {
  /// One step down.
  public enum Step: Sendable {
    /// To the member of that name, to the byte.
    case member(String)
    /// To the element at that place, counted from 0.
    case element(Int)
  }

  package let steps: [Step]

  package static let whole: DocumentPath = []

  package init(_ steps: [Step]) {
    self.steps = steps
  }

  package init(names: [String]) {
    steps = names.map { .member($0) }
  }

  /// The names of the members on the way; none for the whole document.
  public var names: [String] {
    steps.compactMap { if case .member(let name) = $0 { name } else { nil } }
  }

  /// The path of a member of what stands here.
  package func appending(_ name: String) -> DocumentPath {
    DocumentPath(steps + [.member(name)])
  }

  /// Whether `other` is this path, or leads to something inside of what stands here.
  package func contains(_ other: DocumentPath) -> Bool { other.steps.starts(with: steps) }
}

extension DocumentPath: ExpressibleByArrayLiteral {
  /// The path of these steps: `["meta", "tags", 0]`.
  public init(arrayLiteral steps: Step...) {
    self.steps = steps
  }
}

extension DocumentPath.Step: Hashable {
  /// Equal to the byte: names that Unicode has for the same are two members.
  public static func == (one: Self, other: Self) -> Bool {
    switch (one, other) {
    case (.member(let one), .member(let other)): one.utf8.elementsEqual(other.utf8)
    case (.element(let one), .element(let other)): one == other
    case (.member, _), (.element, _): false
    }
  }

  /// By the bytes of a name.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .member(let name): hasher.combine(ByteString(name))
    case .element(let place): hasher.combine(place)
    }
  }
}

extension DocumentPath.Step: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  /// To the member of that name.
  public init(stringLiteral name: String) {
    self = .member(name)
  }

  /// To the element at that place, counted from 0.
  public init(integerLiteral place: Int) {
    self = .element(place)
  }
}

extension DocumentPath: CustomStringConvertible {
  /// As ``init(parsing:)`` reads it: `a.b[0]."c.d"`.
  public var description: String {
    var text = ""
    for step in steps {
      switch step {
      case .member(let name):
        if !text.isEmpty { text += "." }
        text += Self.written(name)
      case .element(let place): text += "[\(place)]"
      }
    }
    return text
  }

  /// The name, as a string of JSON where it isn't a plain word.
  static func written(_ name: String) -> String {
    let isPlain =
      !name.isEmpty
      && name.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_" || $0 == "-"
      }
    return isPlain ? name : String(decoding: JSONWriter.value(name), as: UTF8.self)
  }
}

extension DocumentPath {
  /// Reads a path as people write it: names with dots between them, places of elements in brackets,
  /// and a name that isn't plain as a string of JSON: `a.b[0]."c.d"`.
  /// - Throws: ``DocumentProblem``, if it's no path, or more than one.
  public init(parsing text: String) throws(DocumentProblem) {
    var reader = PathReader(text[...])
    self = try reader.read()
    guard reader.rest.isEmpty else { throw .notAPath(text) }
  }
}

/// Reads a path where it stands in a text, and leaves what comes behind it.
struct PathReader {
  /// What hasn't been read.
  private(set) var rest: Substring
  private let text: Substring

  init(_ text: Substring) {
    self.text = text
    rest = text
  }

  /// The path that the text begins with.
  mutating func read() throws(DocumentProblem) -> DocumentPath {
    var steps: [DocumentPath.Step] = []
    if rest.first == "[" { steps.append(try element()) } else { steps.append(try member()) }
    while let next = rest.first {
      if next == "[" {
        steps.append(try element())
      } else if next == "." {
        rest.removeFirst()
        steps.append(try member())
      } else {
        break
      }
    }
    return DocumentPath(steps)
  }

  private mutating func element() throws(DocumentProblem) -> DocumentPath.Step {
    let inside = rest.dropFirst().prefix { $0 != "]" }
    let isNumber = !inside.isEmpty && inside.allSatisfy { ("0"..."9").contains($0) }
    guard isNumber, let place = Int(inside), rest.endIndex != inside.endIndex else {
      throw .notAPath(String(text))
    }
    rest = rest[inside.endIndex...].dropFirst()
    return .element(place)
  }

  private mutating func member() throws(DocumentProblem) -> DocumentPath.Step {
    if rest.first == "\"" { return try quotedMember() }
    let name = rest.prefix { !Self.ends($0) }
    guard !name.isEmpty else { throw .notAPath(String(text)) }
    rest = rest[name.endIndex...]
    return .member(String(name))
  }

  private mutating func quotedMember() throws(DocumentProblem) -> DocumentPath.Step {
    var isEscaped = false
    let end = rest.dropFirst().firstIndex { character in
      if isEscaped {
        isEscaped = false
        return false
      }
      isEscaped = character == "\\"
      return character == "\""
    }
    guard let end, let name = try? DocumentValue(parsing: String(rest[...end])).string else {
      throw .notAPath(String(text))
    }
    rest = rest[rest.index(after: end)...]
    return .member(name)
  }

  private static func ends(_ character: Character) -> Bool {
    character.isWhitespace || ".[]\"=!<>".contains(character)
  }
}
