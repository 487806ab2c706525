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

  /// Nothing of a stage.
  public init(stage: Stage) {
    self.stage = stage
  }

  /// What a sync does, in this order.
  public enum Stage: String, Sendable, Hashable, CaseIterable {
    /// The payload is fetched from its address. Nothing is held locked meanwhile.
    case fetching
    /// Rows are compared and written as they come.
    case rows
    /// What the payload doesn't name is deleted, and what had to wait is written.
    case ending
  }
}
