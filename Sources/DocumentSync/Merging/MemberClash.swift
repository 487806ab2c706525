/// A member that both sides changed to something else, so that one of them has to give way.
public struct MemberClash: Sendable, Hashable {
  /// Where the member stands.
  public let path: MemberPath
  /// What both started from; `nil` where there was no such member.
  public let base: DocumentValue?
  /// What it was changed to here; `nil` where it was removed.
  public let here: DocumentValue?
  /// What it was changed to at the server; `nil` where it was removed.
  public let there: DocumentValue?

  /// The value of a side.
  public func value(_ side: MergeSide) -> DocumentValue? {
    switch side {
    case .here: here
    case .there: there
    }
  }
}
