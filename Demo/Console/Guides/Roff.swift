/// Texts in the language of `man`.
enum Roff {
  /// A text that says what it says: nothing in it is a request, and a dash is the one that is
  /// typed.
  static func text(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case "\u{2026}": result += "..."
      default: result.append(character)
      }
    }
    return result.hasPrefix(".") ? "\\&" + result : result
  }

  static func bold(_ text: String) -> String { "\\fB\(self.text(text))\\fP" }

  static func italic(_ text: String) -> String { "\\fI\(self.text(text))\\fP" }

  static func argument(_ text: String) -> String {
    "\"" + self.text(text).replacing("\"", with: "\\(dq") + "\""
  }
}
