/// A path through objects as it is declared: names with dots between them. One that has dots itself
/// stands in quotes, `labels."app.kubernetes.io/name"`, within which a backslash takes the next
/// sign as it is.
enum JSONPath {
  /// No payload is read that nests deeper.
  static let longest = 100

  /// The names; `nil` where one is empty without quotes, where a quote has no end or something
  /// behind it, and where there are more than ``longest``.
  static func parts(of text: String) -> [String]? {
    var parts: [String] = []
    var rest = text.unicodeScalars[...]
    while true {
      guard let part = rest.first == "\"" ? quoted(&rest) : plain(&rest) else { return nil }
      parts.append(part)
      guard let next = rest.popFirst() else { break }
      guard next == "." else { return nil }
    }
    return parts.count > longest ? nil : parts
  }

  /// The text that gives these names.
  static func text(of parts: [String]) -> String {
    parts.map { part in
      let scalars = part.unicodeScalars
      guard scalars.isEmpty || scalars.contains(".") || scalars.first == "\"" else { return part }
      var text = "\"".unicodeScalars
      for scalar in scalars {
        if scalar == "\"" || scalar == "\\" { text.append("\\") }
        text.append(scalar)
      }
      text.append("\"")
      return String(text)
    }.joined(separator: ".")
  }

  private static func plain(_ rest: inout Substring.UnicodeScalarView) -> String? {
    let part = rest.prefix { $0 != "." }
    rest = rest.dropFirst(part.count)
    return part.isEmpty ? nil : String(part)
  }

  private static func quoted(_ rest: inout Substring.UnicodeScalarView) -> String? {
    rest.removeFirst()
    var part = String.UnicodeScalarView()
    while let next = rest.popFirst() {
      if next == "\"" { return String(part) }
      guard next == "\\" else {
        part.append(next)
        continue
      }
      guard let escaped = rest.popFirst() else { return nil }
      part.append(escaped)
    }
    return nil
  }
}
