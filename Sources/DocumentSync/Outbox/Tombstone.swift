/// What is known of an earlier deletion of a document that is made anew under its old id.
///
/// Servers show a deletion again and again, so that the one before the new document must not be
/// taken for one of the new document. Where that can't be told, it counts as the earlier one: at
/// the worst a document comes back, and none is lost.
enum Tombstone: Sendable, Equatable {
  case none
  /// It was deleted, and the server calls that so; `nil` if it didn't say.
  case at(DocumentVersion?)

  /// What the server calls the deletion.
  var version: DocumentVersion? {
    switch self {
    case .none: nil
    case .at(let version): version
    }
  }

  /// The same, or the first one, after a deletion was shown.
  func shownAgain(as shown: DocumentVersion?) -> Tombstone {
    switch self {
    case .none: .at(shown)
    case .at(let version): .at(shown ?? version)
    }
  }

  /// Whether a deletion that is shown is the earlier one.
  func isSame(as shown: DocumentVersion?) -> Bool {
    switch self {
    case .none: false
    case .at(let version): version == nil || shown == nil || version == shown
    }
  }
}
