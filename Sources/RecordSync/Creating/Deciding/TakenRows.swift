/// The rows that a relation led to before, and what takes them in its place, as they hang now.
struct TakenRows: Sendable, Equatable {
  /// The table whose relation it was.
  var owner: String
  /// The table of the rows.
  var rows: String
  /// Their key, which orders those that nothing else does.
  var key: String
  /// How the relation led to them.
  var way: Way
  /// The table that takes them, each once for each row that led to it.
  var table: String
  /// Its column for that row's key; `nil` where the columns are that row's own.
  var link: String?
  /// Its column for their order.
  var position: String?
  var copies: [Copy]
  /// The column by which rows are marked as gone: these aren't taken. `nil` where none are marked,
  /// or where the marks are copied, too.
  var mark: String?
  /// That of the table of links.
  var linkMark: String?
  /// Whether they lose where they hung, so that they don't go with that row.
  var isFreed = false
  /// The name that the column has by which they were led to, where the relation had that name.
  var linkPath: [String]?

  enum Way: Sendable, Equatable {
    /// By a column of theirs.
    case children(link: String, position: String?)
    /// By a table of links.
    case links(through: String, here: String, there: String, target: String, position: String?)
    /// By a column of the other row.
    case reference(column: String, target: String)
  }

  struct Copy: Sendable, Equatable {
    var from: String
    var to: String
    var change = Change.none

    /// What SQLite doesn't do by itself where the types differ.
    enum Change { case none, truthToText, textToJSON }
  }
}

extension TakenRows.Copy.Change {
  init(from: MadeType?, to: MadeType) {
    switch (from, to) {
    case (.boolean?, .text), (.boolean?, .json), (.boolean?, .exactJSON): self = .truthToText
    case (.text?, .json), (.text?, .exactJSON): self = .textToJSON
    default: self = .none
    }
  }
}
