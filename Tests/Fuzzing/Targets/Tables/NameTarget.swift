import RecordSync

/// The spellings of a name: the first line is the name, the second a word that keeps its case.
enum NameTarget {
  static func check(_ bytes: [UInt8]) throws {
    let (name, word) = bytes.firstLineAndRest
    let spelling = Spelling(acronyms: word.map { [$0.text] } ?? [])
    let canonical = spelling.canonical(name)
    try require(spelling.canonical(canonical) == canonical, "one form isn't the last")
    guard let text = String(validating: name, as: UTF8.self) else {
      return try require(canonical == name, "what is no text has another spelling")
    }
    try require(Array(spelling.snake(text).utf8) == canonical, "snake_case is another form")
    let camel = spelling.camel(text)
    try require(
      spelling.canonical(Array(camel.utf8)) == canonical, "\(camel) isn't read as \(text)")
    try require(spelling.camel(camel) == camel, "\(camel) is written in another way again")
    try checkNumbers(text, spelling)
  }

  private static func checkNumbers(_ name: String, _ spelling: Spelling) throws {
    let singulars = spelling.singulars(of: name)
    try require(singulars.contains(name), "the name itself isn't among \(singulars)")
    try require(name.isEmpty || !singulars.contains(""), "a row of \(name) has no name")
    try require(name.isEmpty || !spelling.plural(of: name).isEmpty, "a table without a name")
    let column = spelling.snake(name) + "_type"
    if let word = spelling.reservedWord(of: column, in: name) {
      try require(
        spelling.columns(for: word, in: name).contains(spelling.snake(column)),
        "\(word) means another")
    }
  }
}
