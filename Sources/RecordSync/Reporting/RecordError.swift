/// What went wrong with a database, or with what was to be done to it. Nothing of a payload was
/// written; of several migrations, those before the one that failed stay.
public enum RecordError: Error, Sendable, Equatable {
  /// The table can't be synced.
  case table(String, TableFault)
  /// The schema isn't clear enough, or an override doesn't fit it.
  case schema(SchemaProblem)
  /// More rows would have been deleted than the limit allows.
  ///
  /// The counts are of the table, or the relation below it, of which most would go. `allowing` is
  /// what would have to be allowed if that is more, since a greater number was within a share of
  /// another. `cascaded` rows more would have gone only with those on which they hang.
  case removalRefused(
    table: String, count: Int, of: Int, allowing: Int? = nil, cascaded: Int = 0)
  /// The parent to which the payload belongs isn't there.
  case noParent(table: String, key: RecordKey)
  /// The condition isn't one: SQLite's words.
  case condition(String)
  /// A statement that was to read can't be taken: SQLite's words, or why not.
  case statement(String)
  /// Rows were to come in the order of a column that the table doesn't have.
  case order(table: String, column: String)
  /// One row was to be written, and other than one object was given: so many.
  case notOneObject(table: String, count: Int)
  /// A row was to get a key that another row has.
  case keyTaken(table: String, key: RecordKey)
  /// With strictness, the first thing that would else only have been reported.
  case strict(table: String, StrictFault)
  /// The database can't be opened, or not be copied where that is needed.
  case opening(OpeningFault)
  /// A sync can't be taken back, or can't be recorded so that it could be.
  case undo(UndoFault)

  /// What is wrong with a table.
  public enum TableFault: Sendable, Equatable {
    /// It isn't there.
    case missing
    /// It isn't there, and the payload has no objects to make it from.
    case nothingToMakeItFrom
    /// The payload's objects have more names than a table can have columns.
    case tooManyNames
    /// It lacks the column by which its rows were to be marked as gone.
    case noMark(column: String)
    /// Its versions can't be kept: the name of its history, or of a column that a history has
    /// besides, is taken.
    case noHistory(taken: String)
    /// Its name, or a column's, can't stand in a statement.
    case unusableName
    /// It has no foreign key to the parent's table, or this column is none.
    case noForeignKey(to: String)
    /// Several foreign keys lead to the parent's table.
    case severalForeignKeys(to: String, columns: [String])
  }

  /// What strictness doesn't let pass.
  public enum StrictFault: Sendable, Equatable {
    /// A row or a link that the database refused.
    case refused(RefusedRow)
    /// Objects without a usable key.
    case skipped(Int)
    /// A value that a column can't hold.
    case mismatched(Mismatch)
    /// A reference to a row that isn't there.
    case unresolved(UnresolvedReference)
    /// A member that nothing takes.
    case unknown(String)
    /// Objects that differ and would be one row.
    case merged(PayloadRemark)
    /// A payload that says itself that it isn't all there is.
    case partial(PayloadRemark.Reason)
  }
}

extension RecordError: CustomStringConvertible {
  /// What happened, to what, and what to do. Nothing was written.
  public var description: String {
    switch self {
    case .table(let table, let fault): fault.sentence(of: table)
    case .schema(let problem): "\(problem)"
    case .removalRefused(let table, let count, let local, let most, let cascaded):
      "\(count) of \(local) rows of \(table.quoted) would have been deleted, which is more than "
        + "was allowed, and nothing was written. \(Self.going(cascaded))Check the payload; if it "
        + "is right, allow \(most ?? count)."
    case .noParent(let table, let key):
      "There is no row \(key.shown) in \(table.quoted) on which the payload could hang, and "
        + "nothing was written. Correct its key, or insert it first."
    case .condition(let reason):
      "The condition can't be taken: \(reason.shown). Write it in SQL over the table's columns, "
        + "with a ? for each value."
    case .statement(let reason):
      "The statement can't be taken: \(reason.shown). Write one that only reads, with a ? for each "
        + "value."
    case .order(let table, let column):
      "The rows of \(table.quoted) can't come in the order of \(column.quoted), which is none of "
        + "its columns. Correct its name."
    case .notOneObject(let table, let count):
      "One object was expected for a row of \(table.quoted), and \(count) were given; nothing was "
        + "written. Give one, or sync them all."
    case .keyTaken(let table, let key):
      "The row can't get the key \(key.shown), which another row of \(table.quoted) has; nothing "
        + "was written. Give another key, or delete that row first."
    case .strict(let table, let fault):
      "\(fault.sentence(in: table)); nothing was written, since everything has to be right. Mend "
        + "it, or be less strict."
    case .opening(let fault): fault.sentence
    case .undo(let fault): fault.sentence
    }
  }
}

extension RecordError {
  private static func going(_ cascaded: Int) -> String {
    switch cascaded {
    case 0: ""
    case 1: "1 row that hangs on them, and isn't counted, would have gone by ON DELETE CASCADE. "
    default:
      "\(cascaded) rows that hang on them, and aren't counted, would have gone by ON DELETE "
        + "CASCADE. "
    }
  }
}

extension RecordError.TableFault {
  fileprivate func sentence(of table: String) -> String {
    switch self {
    case .missing: "There is no table \(table.quoted) in the database. Correct its name."
    case .nothingToMakeItFrom:
      "There is no table \(table.quoted) in the database, and the payload has no objects from "
        + "which one could be made. Sync a payload that has some."
    case .tooManyNames:
      "The objects for \(table.quoted) have more than \(OutlinePlace.mostNames) different names, "
        + "which is more than a table should have columns. Keep what is unknown in one column."
    case .noMark(let column):
      "The table \(table.quoted) has no column \(column.quoted) by which its rows could be marked "
        + "as gone, and nothing was written. Add it, or name another one."
    case .noHistory(let taken):
      "The versions of \(table.quoted) can't be kept, since the name \(taken.quoted) is taken, and "
        + "nothing was written. Rename what has it, or keep no history of this table."
    case .unusableName:
      "The name of the table \(table.quoted), or of one of its columns, can't stand in a "
        + "statement. Rename it."
    case .noForeignKey(let other):
      "The rows of \(table.quoted) don't hang on those of \(other.quoted): no foreign key leads "
        + "there. Name another parent, or none."
    case .severalForeignKeys(let other, let columns):
      "The rows of \(table.quoted) hang on those of \(other.quoted) in several ways: by "
        + "\(columns.map(\.quoted).joined(separator: ", ")). Say which column is meant."
    }
  }
}

extension RecordError.StrictFault {
  fileprivate func sentence(in table: String) -> String {
    switch self {
    case .refused(let row):
      "\(row.key.map { "The row \($0.shown)" } ?? "A row") of \(table.quoted) was refused: "
        + row.reason.shown
    case .skipped(let count):
      count == 1
        ? "An object for \(table.quoted) has no usable key"
        : "\(count) objects for \(table.quoted) have no usable key"
    case .mismatched(let value):
      "The column \(value.column.quoted) of \(table.quoted) can't hold \(value.came.shown)"
        + (value.key.map { " in the row \($0.shown)" } ?? "") + ": it wants \(value.wanted)"
    case .unresolved(let reference):
      "\(reference.name.quoted)\(reference.key.map { " of the row \($0.shown)" } ?? "") in "
        + "\(table.quoted) names the row \(reference.target.shown), which isn't there"
    case .merged(let remark): "\(remark)"
    case .partial(let reason): "For \(table.quoted), \(reason.words)"
    case .unknown(let name): "Nothing in \(table.quoted) takes the member \(name.quoted)"
    }
  }
}

extension RecordKey {
  /// For people's eyes, which it can't lead astray.
  fileprivate var shown: String { description.shown }
}
