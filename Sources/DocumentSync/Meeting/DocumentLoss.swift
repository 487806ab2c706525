/// A change that gave way to another one, so that it is nowhere any more but here.
public struct DocumentLoss: Sendable, Hashable {
  /// Why a change gave way.
  public enum Reason: Sendable, Hashable {
    /// A policy took the other side's.
    case policy(ConflictPolicy.Name)
    /// The other side deleted the document.
    case deletion
    /// The server forgot the document.
    case forgotten
    /// It was given up, so that the server's last value is here again.
    case resigned
    /// Something that had been lost before took its place.
    case restored
  }

  /// Which member it was a change of.
  public let path: MemberPath
  /// What the member was changed to; `nil` if it was removed.
  public let value: DocumentValue?
  /// Whose change it was.
  public let side: MergeSide
  /// Why it gave way.
  public let reason: Reason

  /// A change that gave way.
  public init(path: MemberPath, value: DocumentValue?, side: MergeSide, reason: Reason) {
    self.path = path
    self.value = value
    self.side = side
    self.reason = reason
  }

  /// A whole document, without the times of its members.
  static func whole(
    _ document: DocumentValue, _ side: MergeSide, _ reason: Reason
  ) -> DocumentLoss {
    DocumentLoss(path: .whole, value: document.withoutTimes, side: side, reason: reason)
  }
}
