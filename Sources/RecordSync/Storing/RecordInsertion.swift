/// A row that is about to be inserted, as its object was mapped to columns, to be changed or
/// refused.
public struct RecordInsertion: Sendable, Equatable {
  /// The table; of tables that extend each other, the one for which the object stands.
  public let table: String
  /// The row under which the object stands in the payload; `nil` at the top.
  public let parent: Parent?
  /// What the columns are given, by their names, those of tables that it extends too: values as
  /// they are stored. What is taken out gets its default. A key that the object has can't be
  /// changed; one that it lacks can be given.
  public var values: [String: RecordValue]
  /// Why the row is refused.
  public private(set) var refusal: String?

  /// A row of the payload, and how it names the one that is about to be inserted.
  public struct Parent: Sendable, Equatable {
    /// Its table.
    public let table: String
    /// Its key; `nil` for an object without one.
    public let key: RecordKey?
    /// The name of the relation; empty for the parent to which the whole payload belongs.
    public let relation: String
  }

  init(table: String, parent: Parent?, values: [String: RecordValue]) {
    self.table = table
    self.parent = parent
    self.values = values
  }

  /// Refuses the row: it stands in the report with this reason, and counts as present. What hangs
  /// on it isn't inserted either.
  public mutating func refuse(_ reason: String) { refusal = reason }
}
