/// A file that is here, and of whose bytes another one is made instead of being fetched.
public struct CopySource: Sendable, Equatable {
  /// The key of the item whose file it is, or was; escaped.
  public var key: String
  /// What of that item it is.
  public var place: Place

  /// Where such a file lies.
  public enum Place: String, Sendable, CaseIterable {
    /// It is the item's content, in the tree, or on its way there.
    case content
    /// It is the item's preview.
    case preview
    /// It was the item's content, and lies in quarantine.
    case quarantine
  }
}

extension CopySource: CustomStringConvertible {
  /// The file in a few words.
  public var description: String {
    switch place {
    case .content: key
    case .preview: "the preview of \(key)"
    case .quarantine: "\(key) in quarantine"
    }
  }
}
