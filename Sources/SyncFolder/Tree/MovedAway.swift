package import SyncFiles
package import SyncText

/// A file that was moved out of the tree.
package struct MovedAway: Hashable, Sendable {
  /// The bytes of the path where it was.
  package let key: ByteString
  /// Which of the two it went to.
  package let area: AwayArea
  /// The bytes of its path below the area's directory; begins with the batch.
  package let name: [UInt8]
}

/// Whose a file is that stands in the way.
package enum Ownership: Hashable, Sendable {
  case foreign
  /// Ours, if it is still in this state; edited, it is somebody's.
  case ours(FileStamp)
}
