/// One of the two that meet: the copy that is edited here, or the server's.
public enum MergeSide: Sendable, Hashable, CaseIterable {
  /// What was edited here.
  case here
  /// What the server has.
  case there

  /// The one that it isn't.
  public var other: MergeSide {
    switch self {
    case .here: .there
    case .there: .here
    }
  }
}
