extension Transformer {
  /// The names under which a schema file finds transformers.
  public static let names = ["html-entities", "trim", "lowercase", "split-comma"]

  /// One of the transformers that a schema file can name; `nil` for any other name.
  ///
  /// - `html-entities`: `&amp;` is stored as `&`, and exported as `&amp;`
  /// - `trim`: blanks and line ends at both ends are left out
  /// - `lowercase`: stored in lower case
  /// - `split-comma`: `a, b` is stored as the array `["a","b"]`, and exported as `a,b`
  ///
  /// All of them change strings only; other values are stored as a column without a type keeps
  /// them, arrays and objects as JSON.
  public static func named(_ name: String) -> Transformer? {
    switch name {
    case "html-entities":
      Transformer(name, text: HTMLEntities.decoded, exporting: HTMLEntities.encoded)
    case "trim": Transformer(name, text: trimmed)
    case "lowercase": Transformer(name, text: { $0.lowercased() })
    case "split-comma": splitComma
    default: nil
    }
  }

  private static func trimmed(_ text: String) -> String {
    let scalars = text.unicodeScalars
    let isBlank = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
    guard let first = scalars.firstIndex(where: { !isBlank($0) }),
      let last = scalars.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(scalars[first...last])
  }

  private static let splitComma = Transformer("split-comma") { value in
    guard let text = value.text else { return value }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    return .array(text.isEmpty ? [] : parts.map { .text(trimmed(String($0))) })
  } exporting: { value in
    guard let elements = RecordValue(jsonText: value)?.elements else { return value }
    // What would come back as something else stays an array.
    let texts = elements.compactMap(\.text)
    let isPlain = texts.allSatisfy { !$0.contains(",") && trimmed($0) == $0 }
    guard texts.count == elements.count, isPlain, texts != [""] else { return .array(elements) }
    return .text(texts.joined(separator: ","))
  }
}
