@_exported public import enum SyncEngine.RemovalLimit

/// What a sync may do, and to which rows.
public struct RecordOptions: Sendable {
  /// What may be done. Default: everything.
  public var operations = Operations.all
  /// How many rows may be deleted, of the table and of each relation below it. Default: of a
  /// payload from an address at most half, where these are more than ten; else any number.
  public var removalLimit: RemovalLimit?
  /// Whether the sync ends, and nothing is written, where something would only be reported that
  /// isn't as the payload says: that it is a part, or that rows or values are refused, skipped,
  /// unknown, unresolved or of the wrong type; where tables grow with the payload, also that
  /// objects of one key differ. Elsewhere the last of these counts. Default `false`.
  public var isStrict = false
  /// Whether it is only found out what would be done. Default `false`.
  public var isPlan = false
  /// Whether tables are made and grow, where the payload has what they have no place for: see
  /// ``RecordStore/sync(_:into:options:)``. Default `false`. (A ``RecordProcessor`` makes none.)
  public var creates = false
  /// Whether a column that is made or widened keeps numbers of more digits than a double has as
  /// text, to the digit; else it holds the nearest doubles, which can be compared and put into an
  /// order, and a number from which none is near is told and left out. Default `false`.
  public var keepsDigits = false
  /// In how many objects, one in another, the members may stand that become columns of a table that
  /// is made: of `{"size": {"box": {"w": 1}}}` with 2 `size_box_w`, with 1 a column of JSON,
  /// `size_box`; with 0 every object without a key is one. Default: 2.
  public var flattens = 2
  /// Whether ``RecordReport/undo`` is made, which takes the sync back. A table that the sync may
  /// reach and whose rows can't be followed is then an error. Default `false`.
  public var recordsUndo = false
  /// Which rows the payload speaks of: the others are neither compared nor deleted. Default: all;
  /// of a table that refers to itself, those without a parent.
  public var scope: RecordScope?
  /// Asked before each row is inserted, of every table, on the thread that does the work: it may
  /// change or refuse it. A plan asks, too. What it throws ends the sync, and nothing is written.
  /// An update that comes later follows the payload: what is to be changed always is a
  /// ``Transformer``'s business. Default: nobody.
  public var beforeInsert: (@Sendable (inout RecordInsertion) throws -> Void)?
  /// Told how far it is, on the thread that does the work. Default: nobody.
  public var onProgress: (@Sendable (RecordProgress) -> Void)?

  /// The defaults.
  public init() {}
}

/// How far a sync is. Told as each stage begins, and then at the latest after 1,000 rows.
public struct RecordProgress: Sendable, Equatable {
  /// What is being done.
  public var stage: Stage
  /// Pages of a payload from an address that are there.
  public var pages = 0
  /// Their bytes.
  public var bytes = 0
  /// Rows that were compared, written or deleted so far, nested ones too.
  public var rows = 0
  /// What is waited for, where the source is to be asked once more.
  public var retry: RecordRetry?

  /// What a sync does, in this order.
  public enum Stage: Sendable, Hashable {
    /// The payload is fetched from its address. Nothing is held locked meanwhile.
    case fetching
    /// Rows are compared and written as they come.
    case rows
    /// What the payload doesn't name is deleted, and what had to wait is written.
    case ending
  }
}
