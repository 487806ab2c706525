private import SyncText

extension RecordError: CustomStringConvertible {
  /// What happened, to what, and what to do. Nothing was written.
  public var description: String {
    switch self {
    case .table(let table, let fault): fault.sentence(of: table)
    case .schema(let problem): "\(problem)"
    case .removalRefused(let table, let count, let local):
      "\(count) of \(local) rows of \(table.quoted) would have been deleted, which is more than "
        + "was allowed, and nothing was written. Check the payload; if it is right, allow \(count)."
    case .noParent(let table, let key):
      "There is no row \(key.shown) in \(table.quoted) on which the payload could hang, and "
        + "nothing was written. Correct its key, or insert it first."
    case .condition(let reason):
      "The condition can't be taken: \(reason.shown). Write it in SQL over the table's columns, "
        + "with a ? for each value."
    case .strict(let table, let fault):
      "\(fault.sentence(in: table)); nothing was written, since everything has to be right. Mend "
        + "it, or be less strict."
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
      "The objects for \(table.quoted) have more than \(ObjectShape.mostNames) different names, "
        + "which is more than a table should have columns. Keep what is unknown in one column."
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
