private import SyncText

/// Why a table can't be synced, or an override not be taken.
public enum SchemaProblem: Error, Sendable, Equatable {
  /// A table has no key: neither a primary key of one column nor a column `id` or `remote_id`.
  case withoutKey(table: String)
  /// An override names a table that isn't there.
  case noTable(String)
  /// An override names a column that isn't there.
  case noColumn(String, table: String)
  /// The column that was to tell since when a row is gone can't.
  case noMark(String, table: String)
  /// The column that was to keep an order holds no whole numbers.
  case noPositions(String, table: String)
  /// Two columns, or a column and a relation, claim one name in JSON.
  case sameName(String, table: String, first: String, second: String)
  /// A column's or a relation's declared name in JSON is empty, or a part of it between dots is.
  case emptyName(of: String, table: String)
  /// The overrides speak twice of one table, column or relation, in two spellings.
  case declaredTwice(String, String)
  /// The rows of `other` hang on those of `table` in several ways, told by foreign keys
  /// (`messages.sender_id`), and one name could mean each of them.
  case ambiguousRelation(table: String, other: String, columns: [String])
  /// An override describes a relation that can't be: what is wrong.
  case noRelation(String, table: String, RelationFault)
  /// The schema file isn't one: what is wrong, and where in it (`tables.users.key`).
  case file(FileFault, at: String)

  /// What is wrong with a relation's description.
  public enum RelationFault: Sendable, Equatable {
    /// The column refers to no table, and `table` names none.
    case leadsNowhere(column: String)
    /// The table of links has no foreign key to this side, or to the other.
    case withoutLink(through: String, to: String)
    /// A relation to a table of its own needs `through` and `column`.
    case toItself
    /// Neither table refers to the other, and no table links them.
    case unrelated(table: String)
    /// There is no relation of this name, and no `table`, `column` or `through` describes one.
    case unknown
    /// `position` and `perParent` are for relations to many: `perParent` for children alone.
    case notForThis(String)
  }

  /// What is wrong with a schema file.
  public enum FileFault: Sendable, Equatable {
    /// It isn't JSON: why, and at which byte.
    case notJSON(String, offset: Int)
    /// A member that isn't known.
    case unknownMember(String)
    /// Another type was expected.
    case expected(String)
    /// A word that isn't one of these.
    case unknownWord(String, known: [String])
  }
}

/// What was understood of a database, and may not be what was meant.
package enum SchemaWarning: Sendable, Equatable {
  case withoutKey(table: String)
  case columnHidesRelation(table: String, name: String)
  case columnHidesColumn(table: String, base: String, name: String)
  case toOneHidesToMany(table: String, name: String)
  case unnamedToMany(table: String, other: String, columns: [String])
  case repeatableTarget(table: String, column: String, to: String)
  case danglingForeignKey(table: String, column: String, to: String)
  case compositeForeignKey(table: String, columns: [String])
}

extension SchemaProblem: CustomStringConvertible {
  /// What is wrong, with what, and what to do.
  public var description: String {
    switch self {
    case .withoutKey(let table):
      "The table \(table.quoted) has no key: neither a primary key nor a column id or remote_id. "
        + "Declare the columns that identify its rows as its key."
    case .noTable(let table):
      "There is no table \(table.quoted) in the database. Correct its name in the overrides."
    case .noColumn(let column, let table):
      "There is no column \(column.quoted) in the table \(table.quoted). "
        + "Correct its name in the overrides."
    case .noMark(let column, let table):
      "The column \(column.quoted) of the table \(table.quoted) can't tell since when a row is "
        + "gone: it has to hold a date, a text or a number, to take NULL, to have no DEFAULT, and "
        + "to be nothing else. Name another one."
    case .noPositions(let column, let table):
      "The column \(column.quoted) of the table \(table.quoted) holds no whole numbers, so that it "
        + "can keep no order. Declare it INTEGER, or name another one."
    case .sameName(let name, let table, let first, let second):
      "In the table \(table.quoted), \(first.quoted) and \(second.quoted) both claim the name "
        + "\(name.quoted) in JSON. Declare another name for one of them."
    case .emptyName(let owner, let table):
      "The name in JSON of \(owner.quoted) in the table \(table.quoted) is empty, or a part of it "
        + "between dots is, or it has more than \(JSONPath.longest) parts. Give it a name, or none "
        + "for its own."
    case .declaredTwice(let first, let second):
      "The overrides speak of one thing twice, as \(first.quoted) and as \(second.quoted). "
        + "Keep one of them."
    case .ambiguousRelation(let table, let other, let columns):
      "The name \(other.quoted) could mean several relations of the table \(table.quoted): by "
        + "\(columns.listed). Declare a name for each one that JSON has."
    case .noRelation(let name, let table, let fault):
      "The relation \(name.quoted) of the table \(table.quoted) can't be: \(fault.sentence)"
    case .file(let fault, let place):
      "The schema file can't be taken"
        + (place.isEmpty ? ": " : ", at \(place.shown): ") + fault.sentence
    }
  }
}

extension SchemaProblem.RelationFault {
  fileprivate var sentence: String {
    switch self {
    case .leadsNowhere(let column):
      "its column \(column.quoted) is no foreign key. Declare the table that it refers to, too."
    case .withoutLink(let through, let other):
      "\(through.quoted) has no foreign key to \(other.isEmpty ? "another table" : other.quoted). "
        + "Declare the table and the column by which it links."
    case .toItself:
      "it links rows of one table. Declare which column of the linking table refers to the row "
        + "that has the relation."
    case .unrelated(let table):
      "nothing tells how \(table.quoted) is related to it. Declare the column that refers from one "
        + "to the other."
    case .unknown:
      "no foreign key tells of one that has this name. Declare its table and column, or correct "
        + "the name."
    case .notForThis(let member):
      "\(member) is only for rows of which many hang on one. Leave it out."
    }
  }
}

extension SchemaProblem.FileFault {
  fileprivate var sentence: String {
    switch self {
    case .notJSON(let reason, let offset):
      "it is no JSON: \(reason), at byte \(offset). Correct it there."
    case .unknownMember(let name):
      "the member \(name.quoted) means nothing there. Correct its name, or take it out."
    case .expected(let what): "\(what) was expected there. Write that, or take the member out."
    case .unknownWord(let word, let known):
      "\(word.quoted) is no word for it. Use \(known.map(\.quoted).listed(by: "or"))."
    }
  }
}

extension SchemaWarning: CustomStringConvertible {
  package var description: String {
    switch self {
    case .withoutKey(let table):
      "The table \(table.quoted) can't be synced: it has neither a primary key nor a column id or "
        + "remote_id. Declare its key."
    case .columnHidesRelation(let table, let name):
      "In the table \(table.quoted), \(name.quoted) means the column, and not the relation that "
        + "would have this name, too. Declare a name for the relation if JSON has it."
    case .columnHidesColumn(let table, let base, let name):
      "In objects of the table \(table.quoted), \(name.quoted) means its own column, and not that "
        + "of \(base.quoted), which it extends. Declare another name for one of them."
    case .toOneHidesToMany(let table, let name):
      "In the table \(table.quoted), \(name.quoted) means the one row that its foreign key refers "
        + "to, and not the rows that refer to it. Declare a name for these if JSON has them."
    case .unnamedToMany(let table, let other, let columns):
      "Rows of \(other.quoted) hang on those of \(table.quoted) in more than one way, "
        + "of which these have no name: by \(columns.listed). Declare one for each that JSON has."
    case .danglingForeignKey(let table, let column, let target):
      "The foreign key \(column.quoted) of the table \(table.quoted) refers to \(target.quoted), "
        + "which isn't there: SQLite refuses to write such rows. Mend the table."
    case .repeatableTarget(let table, let column, let target):
      "The foreign key \(column.quoted) of the table \(table.quoted) refers to \(target.quoted), "
        + "which several rows may share: SQLite refuses to write such rows. Make it unique."
    case .compositeForeignKey(let table, let columns):
      "The foreign key of \(columns.map(\.quoted).listed) in the table \(table.quoted) is no "
        + "relation, since it has several columns. They are synced as columns."
    }
  }
}

extension [String] {
  fileprivate var listed: String { listed(by: "and") }

  fileprivate func listed(by word: String) -> String {
    guard let last, count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " \(word) " + last
  }
}

extension String {
  /// A name for people's eyes, which can't steer a terminal.
  var shown: String { ByteString(self).description }

  /// The same in a sentence.
  var quoted: String { "“" + shown + "”" }
}
