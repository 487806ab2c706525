private import SyncText

/// A table that a payload has objects of: while it is being decided what they are, and as it is
/// put together then.
struct DraftTable {
  /// Its name; empty for one that has none yet.
  var name: String
  /// Its place among those that are there.
  var present: Int?
  var policy: SchemaOverrides.UnknownMembers
  /// The names that its key may have, in one form for all spellings; none where the objects of
  /// other places can't be its rows.
  var keyNames: [[UInt8]] = []
  /// Whether it has a key of one column, by which other rows can name its rows.
  var hasKey = false
  /// The name of another table's objects for which it is made.
  var origin: NamePlace?
  /// Whether only the objects under that name can be its rows.
  var isOwned = false
  /// The places in the payload where its objects stand.
  var places: [Int] = []
  var names: [DraftName] = []
  /// The names, by their paths.
  var numbers: [[String]: Int] = [:]
  /// Whether members came that the column for what is unknown is to keep.
  var isExtraWanted = false

  // What is made of it: each column under a name of its own that a database takes.

  /// The key by which other rows can name its rows.
  var key: Key?
  var columns: [MadeColumn] = []
  /// The columns of its key, if it is made.
  var keyColumns: [String] = []
  /// Those of its names that have a column already.
  var taken: Set<NamePlace> = []
  /// The names of its columns, in lower case.
  var used: Set<String> = []

  struct Key {
    var column: String
    var type: MadeType
  }

  /// The names that become columns as they are, in lower case.
  var plainNames: [String] { names.filter { $0.path.count == 1 }.map(\.path[0].asciiLowercased) }
}

/// A name by the number of its table, and by its own among that table's names.
struct NamePlace: Hashable {
  var table: Int
  var name: Int
}

/// A name of a table's objects, over all places of the payload where these stand.
struct DraftName {
  let place: NamePlace
  /// The way to it through objects that are flat.
  let path: [String]
  var member: SeenMember
  /// What its values may be, place by place; one of them in the end.
  var forms: Set<Form> = []
  /// The places of the objects under it.
  var inner: [Int] = []
  /// Its numbers among the members of all places.
  var slots: [Int] = []
  /// Why it isn't what else it might be.
  var reason: Evidence?
  /// Whether it stands in a flat object that has a key, which isn't that of the row.
  var isInKeyed = false
  /// The relation that it was before, which it contradicts.
  var replaced: Relation?
  /// The type of a column of such a relation, whose values it takes.
  var held: MadeType?
  /// What it means already.
  var known: MemberMap.Meaning?

  enum Form: Hashable {
    case plain
    case whole
    case flat
    case owned(table: Int)
    case rows(table: Int, isMany: Bool)
  }

  /// The one form; `nil` where nothing but nulls and empty arrays came, or where it means something
  /// already.
  var form: Form? { forms.count == 1 ? forms.first : nil }

  /// What its columns and tables may be called.
  var joined: String { path.joined(separator: "_") }

  /// The kinds of all values that it has.
  var kinds: ValueFacts.Kinds { member.facts.kinds.union(held?.kinds ?? []) }

  /// The table of whose rows one stands under it.
  var reference: Int? {
    if case .rows(let table, isMany: false)? = form { table } else { nil }
  }
}
