extension DocumentPath {
  /// Reads a path as people write it: names with dots between them, places of elements in brackets,
  /// and a name that isn't plain as a string of JSON: `a.b[0]."c.d"`.
  /// - Throws: ``DocumentQueryProblem``, if it's no path, or more than one.
  public init(parsing text: String) throws(DocumentQueryProblem) {
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
  mutating func read() throws(DocumentQueryProblem) -> DocumentPath {
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

  private mutating func element() throws(DocumentQueryProblem) -> DocumentPath.Step {
    let inside = rest.dropFirst().prefix { $0 != "]" }
    let isNumber = !inside.isEmpty && inside.allSatisfy { ("0"..."9").contains($0) }
    guard isNumber, let place = Int(inside), rest.endIndex != inside.endIndex else {
      throw .notAPath(String(text))
    }
    rest = rest[inside.endIndex...].dropFirst()
    return .element(place)
  }

  private mutating func member() throws(DocumentQueryProblem) -> DocumentPath.Step {
    if rest.first == "\"" { return try quotedMember() }
    let name = rest.prefix { !Self.ends($0) }
    guard !name.isEmpty else { throw .notAPath(String(text)) }
    rest = rest[name.endIndex...]
    return .member(String(name))
  }

  private mutating func quotedMember() throws(DocumentQueryProblem) -> DocumentPath.Step {
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
