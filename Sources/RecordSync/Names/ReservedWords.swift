extension Spelling {
  /// The words that many languages keep for themselves, so that columns have their table's name
  /// before them: `user_type`.
  package static let reservedWords = ["type", "description", "signed"]

  /// The columns that a reserved word may mean in a table, the likeliest first, in snake_case:
  /// `type` in `users` may be `user_type`. None for any other word.
  package func columns(for word: String, in table: String) -> [String] {
    guard Self.reservedWords.contains(word) else { return [] }
    return singulars(of: table).map { snake($0) + "_" + word }
  }

  /// The reserved word that a column stands for in its table: `type` for `user_type`, or
  /// `userType`, in `users`.
  package func reservedWord(of column: String, in table: String) -> String? {
    let name = snake(column)
    return Self.reservedWords.first { columns(for: $0, in: table).contains(name) }
  }
}
