/// Objects to be synced, the same on every machine: numbers and texts follow from this value.
struct RecordSet {
  var shape: Shape
  /// How many objects stand at the top of the payload.
  var count: Int
  var edition = Edition.first

  enum Shape: String {
    /// Objects of seven columns.
    case flat
    /// Parents with three children each.
    case family
    /// Parents with ten children each, of which each has two labels. These are there before.
    case graph
    /// Objects with a text of a KiB.
    case long
    /// Users with three orders, four addresses and two tags each, all as objects.
    case users
  }

  /// Which objects aren't as in the first edition.
  enum Edition: String {
    case first, hundredth, all

    func changes(_ number: Int) -> Bool {
      switch self {
      case .first: false
      case .hundredth: number % 100 == 50
      case .all: true
      }
    }
  }

  /// What a column holds.
  enum Cell {
    case integer(Int)
    case real(Double)
    case text(String)
    case truth(Bool)
  }

  /// What its files are called.
  var name: String { "\(shape.rawValue)-\(count)-\(edition.rawValue)" }

  /// The table that is synced.
  var table: String { tables[0].name }

  /// How many children a parent has.
  var width: Int { shape == .graph ? 10 : 3 }

  /// How many labels there are.
  var labels: Int { max(10, count / 10) }

  /// How many tags there are.
  var tagCount: Int { max(10, count / 100) }
}

/// A table as a statement declares it.
struct RecordTable {
  var name: String
  /// The columns with their types.
  var declaration: String
  var columns: [String]
  /// So many of its first columns are the key.
  var keyWidth = 1
  /// What else it needs.
  var index: String?
}

extension RecordSet {
  /// The tables of its rows, the one that is synced first.
  var tables: [RecordTable] {
    switch shape {
    case .flat: [Self.items]
    case .long: [Self.articles]
    case .family: [Self.parents, Self.children]
    case .graph: [Self.parents, Self.children, Self.labels, Self.links]
    case .users: [Self.users, Self.orders, Self.addresses, Self.tags, Self.userTags]
    }
  }

  private static let items = RecordTable(
    name: "items",
    declaration: """
      id INTEGER PRIMARY KEY, name TEXT, email TEXT, age INTEGER, score REAL, city TEXT, \
      updated TEXT
      """,
    columns: ["id", "name", "email", "age", "score", "city", "updated"])

  private static let articles = RecordTable(
    name: "articles", declaration: "id INTEGER PRIMARY KEY, title TEXT, body TEXT",
    columns: ["id", "title", "body"])

  private static let parents = RecordTable(
    name: "parents", declaration: "id INTEGER PRIMARY KEY, name TEXT, city TEXT",
    columns: ["id", "name", "city"])

  private static let children = RecordTable(
    name: "children",
    declaration: """
      id INTEGER PRIMARY KEY, parent_id INTEGER REFERENCES parents (id), name TEXT, age INTEGER
      """,
    columns: ["id", "parent_id", "name", "age"], index: "parent_id")

  private static let labels = RecordTable(
    name: "labels", declaration: "id INTEGER PRIMARY KEY, name TEXT", columns: ["id", "name"])

  private static let links = RecordTable(
    name: "children_labels",
    declaration: """
      child_id INTEGER REFERENCES children (id), label_id INTEGER REFERENCES labels (id), \
      PRIMARY KEY (child_id, label_id)
      """,
    columns: ["child_id", "label_id"], keyWidth: 2, index: "label_id")

  private static let users = RecordTable(
    name: "users",
    declaration: "id INTEGER PRIMARY KEY, name TEXT, email TEXT, score REAL, active BOOLEAN",
    columns: ["id", "name", "email", "score", "active"])

  private static let orders = RecordTable(
    name: "orders",
    declaration: """
      id INTEGER PRIMARY KEY, total INTEGER, state TEXT, \
      user_id INTEGER REFERENCES users (id) ON DELETE CASCADE
      """,
    columns: ["id", "total", "state", "user_id"], index: "user_id")

  private static let addresses = RecordTable(
    name: "addresses",
    declaration: """
      id INTEGER PRIMARY KEY, city TEXT, zip TEXT, \
      user_id INTEGER REFERENCES users (id) ON DELETE CASCADE
      """,
    columns: ["id", "city", "zip", "user_id"], index: "user_id")

  private static let tags = RecordTable(
    name: "tags", declaration: "id INTEGER PRIMARY KEY, label TEXT", columns: ["id", "label"])

  private static let userTags = RecordTable(
    name: "users_tags",
    declaration: """
      user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE, \
      tag_id INTEGER NOT NULL REFERENCES tags (id) ON DELETE CASCADE, PRIMARY KEY (user_id, tag_id)
      """,
    columns: ["user_id", "tag_id"], keyWidth: 2, index: "tag_id")
}
