/// What becomes of the objects under a name.
enum RelationOutcome: Sendable, Equatable {
  /// Rows of another table, which a column names.
  case reference(table: String, column: String)
  /// Rows of another table, whose column names the row under which they stand.
  case children(table: String, column: String)
  /// Rows of another table, which a table of links names.
  case links(table: String, through: String)
  /// Rows of a table of their own, told by the row under which they stand and by these columns.
  case owned(table: String, key: [String])
  /// Columns of the row in which they stand.
  case flat
  /// JSON in one column.
  case whole
}

/// Why it became of them: what shows that they are rows, or why they are none that stand in several
/// places, or none at all.
enum Evidence: Error, Hashable {
  /// So many objects, of which those of one key are the same wherever they stand.
  case agreeing(Int)
  /// The same, of which some stand under several rows.
  case several(Int)
  /// A column beside them has their keys, or one of theirs that of the row under which they stand,
  /// in all of so many rows.
  case equal(Int, column: String, names: String)
  /// So many objects, of which none has a key.
  case keyless(Int)
  /// So many objects, of which not each has a key, or not all the same one.
  case severalKeys(Int)
  /// Two objects of one key differ: in which member.
  case differing(Contradiction)
  /// A key stands twice in one array.
  case twins
  /// Others of their keys stand elsewhere, and have no other name in common with them.
  case nothingInCommon
  /// Values of other kinds stand beside them.
  case mixed
  /// Plain values beside them are no keys of such objects.
  case unknownKeys
  /// They stand in so many objects.
  case deep(Int)
  /// They have so many names, or one has so many that the table would have too many columns.
  case wide(Int)
  /// They have more names than are told apart.
  case tooWide
  /// They have no names.
  case empty
  /// They hold the key of the row, or a part of it.
  case holder
  /// The row in which they stand has no key that another row could name.
  case belowKeyless
  /// Another name beside it is another spelling of it.
  case spelledAlike
  /// The table of that name has another key, or none, or can't be made.
  case otherTable(String)
  /// The rows of the table of that name go with others.
  case boundTable(String)
  /// There are too many places to look at.
  case cut
}

/// What was decided of a name under which objects stand.
public struct DecidedRelation: Sendable, Equatable {
  /// The table whose objects have the name.
  var table: String
  /// The way to it in JSON.
  var path: [String]
  var outcome: RelationOutcome
  var evidence: Evidence
  /// What tables of ours are to say of it.
  var named: [MadeRelation] = []
  /// The rows that it takes from the relation that the name was before.
  var taken: TakenRows?
}
