package import SyncFiles

/// A checked file in the staging area and where it has to go.
package struct Placement<Payload: Sendable>: Sendable {
  package let staged: Staged
  package let destination: Destination
  /// What we believe to be there now.
  package let expectation: Expectation
  /// The caller's own, handed back with the result.
  package let payload: Payload

  /// A placement of these.
  package init(
    staged: Staged, destination: Destination, expectation: Expectation, payload: Payload
  ) {
    self.staged = staged
    self.destination = destination
    self.expectation = expectation
    self.payload = payload
  }
}

/// Where a staged file goes.
package enum Destination: Hashable, Sendable {
  /// Into the mirrored tree.
  case item(RelativePath)
  /// Into `.mirror/previews/`, under a name of letters, digits, `-`, `_` and `.`; what is there is
  /// replaced.
  case preview(name: String)

  /// For messages; a preview's name is checked only where it is used.
  var description: String {
    switch self {
    case .item(let path): BeneathPath(path).description
    case .preview(let name): BeneathPath.previews.appending(name).description
    }
  }
}

/// What we believe to stand where a file goes. What stands there and isn't this is somebody's: it
/// is adopted when its bytes are those of the staged file, and displaced otherwise.
package enum Expectation: Hashable, Sendable {
  case nothing
  /// The file that we put there, in the state that we left it in: it is replaced.
  case ours(FileStamp)
}

/// A file that is in its place, durably.
package struct Placed<Payload: Sendable>: Sendable {
  /// The caller's own.
  package let payload: Payload
  package let destination: Destination
  /// The state of the file that is there: the staged one, or the adopted one.
  package let stamp: FileStamp
  /// Whether a file that was there already is kept, since its bytes are the same.
  package let adopted: Bool
  /// What had to be moved out of its way.
  package let movedAway: [MovedAway]
}

/// A file that didn't get into its place.
package struct PlacementFailure<Payload: Sendable>: Error, Sendable {
  /// The caller's own.
  package let payload: Payload
  /// A ``FolderError``, or what the caller's closures threw.
  package let error: any Error
}
