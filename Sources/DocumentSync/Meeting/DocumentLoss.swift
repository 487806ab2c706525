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
    /// The server answered that it took the change, and stored something else in its place.
    case answered
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

  /// What of a document that was sent the server has stored otherwise, or hasn't: by member.
  ///
  /// Members of its own that the server adds are none of it; neither is the type that it leaves
  /// out, since the collection says that.
  static func answered(
    _ copy: DocumentValue, to sent: DocumentValue, typeMember: String
  ) -> [DocumentLoss] {
    sent.withoutTimes.objectMembers.compactMap { member in
      let path = MemberPath(names: [member.text])
      let stored = copy[path]
      if stored == member.value || stored == nil && member.text == typeMember {
        return nil
      }
      return DocumentLoss(path: path, value: member.value, side: .here, reason: .answered)
    }
  }

  /// A whole document, without the times of its members.
  static func whole(
    _ document: DocumentValue, _ side: MergeSide, _ reason: Reason
  ) -> DocumentLoss {
    DocumentLoss(path: .whole, value: document.withoutTimes, side: side, reason: reason)
  }
}
