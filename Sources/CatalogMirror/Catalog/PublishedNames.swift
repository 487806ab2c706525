package import SyncFiles

/// Names of what is written beside a catalog by who publishes a folder.
package enum PublishedNames {
  /// What the name of a catalog's memory ends with; it begins with a dot.
  package static let stateEnding = ".mirror-state"
  /// What the name of the file ends with that one publisher of a catalog holds at a time; it begins
  /// with a dot, too.
  package static let lockEnding = ".mirror-lock"

  /// Whether a file's name is that of what some catalog keeps beside itself: its memory, or its
  /// lock. That is its writer's alone, wherever it lies: servers may list it, and aren't allowed to
  /// read it. A directory of such a name is somebody's.
  package static func isState(_ name: [UInt8]) -> Bool {
    name.first == UInt8(ascii: ".")
      && [stateEnding, lockEnding].contains { ending in
        name.count > ending.utf8.count
          && name.suffix(ending.utf8.count).elementsEqual(ending.utf8)
      }
  }

  /// What the name of the directory of a catalog's packs ends with.
  package static let packsEnding = ".packs"
  /// What the names of directories end with that a catalog has beside itself; each begins with the
  /// catalog's whole name.
  package static let companionEndings = [packsEnding, ".chunks", ".changes"]
  /// The name of the file that shows such a directory to be a catalog's own.
  package static let mark = ".made-by-publish"

  /// Whether a directory has the name of one that a catalog keeps beside itself. It is one only if
  /// it is marked as such.
  package static func isCompanion(_ name: [UInt8]) -> Bool {
    companionEndings.contains { ending in
      name.count > ending.utf8.count && name.suffix(ending.utf8.count).elementsEqual(ending.utf8)
    }
  }

  /// Whether a directory is marked as a catalog's own.
  package static func isMarked(_ directory: Descriptor) throws(Errno) -> Bool {
    try directory.status(of: Array(mark.utf8))?.kind == .file
  }
}
