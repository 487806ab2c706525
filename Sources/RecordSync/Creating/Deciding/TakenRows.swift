/// The rows that a relation led to before, and what takes them in its place, as they hang now.
struct TakenRows: Sendable, Equatable {
  /// The tables as they were.
  var schema: RecordSchema
  /// The table whose relation it was, by its place.
  var owner: Int
  var relation: Relation
  /// The relation as tables of ours are to say it, which stands nowhere any more.
  var hidden: MadeRelation
  /// The table that takes the rows, each once for each row that led to it.
  var table: String
  /// Its column for that row's key; `nil` where the columns are that row's own.
  var link: String?
  /// Its column for their order.
  var position: String?
  var copies: [Copy]
  /// Whether the rows lose where they hung, so that they don't go with that row.
  var isFreed = false
  /// The name that the column has by which they were led to, where the relation had that name.
  var linkPath: [String]?

  /// A column of the rows by its place, and the one that takes its values.
  struct Copy: Sendable, Equatable {
    var from: Int
    var to: String
    var type: MadeType
  }
}
