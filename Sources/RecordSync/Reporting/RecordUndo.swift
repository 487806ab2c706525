import SyncDatabase

/// What takes a sync back. It can be kept, in a file for one, for as long as the tables stay what
/// they are.
public struct RecordUndo: Sendable, Equatable {
  let changes: Changeset

  init(_ changes: Changeset) {
    self.changes = changes
  }

  /// One that was kept: what ``bytes`` gave. Anything else is refused.
  public init(bytes: [UInt8]) throws {
    do {
      changes = try Changeset(kept: bytes)
    } catch is DatabaseError {
      throw RecordError.undo(.unreadable)
    }
  }

  /// The bytes to be kept, of which there are some even if nothing was changed: a file that was
  /// emptied is no undo.
  public var bytes: [UInt8] { changes.kept }

  var isEmpty: Bool { changes.isEmpty }
}
