private import SyncText

/// What was decided of a name under which objects stand.
public struct DecidedRelation: Sendable, Equatable {
  /// The table whose objects have the name, and the way to it in JSON.
  var table: String
  var path: [String]
  var outcome: RelationOutcome
  var evidence: Evidence
  /// What tables of ours are to say of it.
  var named: [MadeRelation] = []
  /// The rows that it takes from the relation that the name was before.
  var taken: TakenRows?

  /// What became of the objects, and why.
  var words: String {
    "relation \(table.shown).\(JSONPath.text(of: path).shown): \(outcome.words): \(evidence.words)"
  }
}

/// What becomes of the objects under a name: rows of another table, rows of a table of their own,
/// columns of the row in which they stand, or JSON.
enum RelationOutcome: Sendable, Equatable {
  case reference(table: String, column: String)
  case children(table: String, column: String)
  case links(table: String, through: String)
  case owned(table: String, key: [String])
  case flat
  case whole

  fileprivate var words: String {
    switch self {
    case .reference(let table, let column): "rows of \(table.shown), named by \(column.shown)"
    case .children(let table, let column):
      "rows of \(table.shown), which name theirs by \(column.shown)"
    case .links(let table, let through):
      "rows of \(table.shown), linked by \(through.shown)"
    case .owned(let table, let key):
      "rows of \(table.shown), told by \(key.map(\.shown).joined(separator: " and "))"
    case .flat: "columns"
    case .whole: "JSON"
    }
  }
}

/// Why it became of them: what shows that they are rows, or why they are none that stand in several
/// places, or none at all. Each case means what its words say; numbers are those of the objects.
enum Evidence: Error, Hashable {
  case agreeing(Int)
  case several(Int)
  /// In all of so many rows, a column beside them has their keys, or one of theirs that of the row.
  case equal(Int, column: String, names: String)
  case keyless(Int)
  case severalKeys(Int)
  case differing(Contradiction)
  case nothingInCommon
  case twins
  case mixed
  case unknownKeys
  /// The number of names on the way to them.
  case deep(Int)
  /// So many names: theirs, or those of which the table would have columns.
  case wide(Int)
  case tooWide
  case empty
  case holder
  case belowKeyless
  case spelledAlike
  case otherTable(String)
  case boundTable(String)
  case cut

  fileprivate var words: String {
    switch self {
    case .agreeing(let count):
      "\(counted(count, "object")), those of one key the same wherever they stand"
    case .several(let count):
      "\(counted(count, "object")), those of one key the same, some under several rows"
    case .equal(let count, let column, let names):
      "\(column.shown) equals \(names.shown) in all of \(counted(count, "row"))"
    case .keyless(1): "1 object, which has no key"
    case .keyless(let count): "\(counted(count, "object")), which have no key"
    case .severalKeys(let count): "\(counted(count, "object")), of which not all have the same key"
    case .differing(let example):
      if let key = example.key, let member = example.member {
        "objects with the key \(key.shown) differ in \(member.quoted)"
      } else {
        "objects with one key differ from place to place"
      }
    case .nothingInCommon: "others of their keys have no name but the key in common with them"
    case .twins: "one key twice in an array"
    case .mixed: "values of several kinds"
    case .unknownKeys: "plain values beside objects whose keys they aren't"
    case .deep(let depth): "objects that stand in \(counted(depth - 1, "object"))"
    case .wide(let count): "objects with \(counted(count, "name"))"
    case .tooWide: "objects with more than \(OutlinePlace.mostNames) names"
    case .empty: "objects without names"
    case .holder: "the key stands in them"
    case .belowKeyless: "the row above has no key of one column"
    case .spelledAlike: "two names are spellings of one"
    case .otherTable(let table): "\(table.shown) can't have them, or has another key"
    case .boundTable(let table): "rows of \(table.shown) go with others"
    case .cut: "there are too many objects in objects"
    }
  }
}
