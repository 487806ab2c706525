extension ColumnType {
  /// What its values are, for people: "an integer".
  package var inWords: String {
    switch kind {
    case .text: "a text"
    case .integer: "an integer of 64 bits"
    case .real: "a number"
    case .decimal: "a decimal number"
    case .boolean: "true or false"
    case .date: "a date"
    case .uuid: "a UUID"
    case .url: "a URL"
    case .json: "JSON"
    case .blob: "bytes in base64"
    case .any: "a text, a number or a truth value"
    }
  }
}
