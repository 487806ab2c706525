/// Texts in columns of a terminal.
public enum Wrapping {
  /// The lines of a text, none wider than `width` unless a single word is.
  public static func lines(of text: String, width: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(whereSeparator: \.isWhitespace) {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  /// Paragraphs, which blank lines part; what is indented keeps its lines.
  public static func paragraphs(_ text: String, width: Int) -> String {
    text.split(separator: "\n\n").map { paragraph in
      paragraph.hasPrefix(" ")
        ? String(paragraph) : lines(of: String(paragraph), width: width).joined(separator: "\n")
    }.joined(separator: "\n\n")
  }

  /// Names with what they mean beside them. A name that is wider than its column has a line alone.
  public static func table(_ rows: [(name: String, text: String)], width: Int) -> String {
    let widest = rows.map(\.name.count).max() ?? 0
    let column = min(widest, max(width * 2 / 5, 12)) + 4
    return rows.map { row in
      let lines = lines(of: row.text, width: max(width - column, 20))
      let name = "  " + row.name
      let indent = String(repeating: " ", count: column)
      let rest = lines.map { indent + $0 }
      guard name.count + 2 <= column, let first = lines.first else {
        return ([name] + rest).joined(separator: "\n")
      }
      let padding = String(repeating: " ", count: column - name.count)
      return ([name + padding + first] + rest.dropFirst()).joined(separator: "\n")
    }.joined(separator: "\n")
  }
}
