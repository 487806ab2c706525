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
}
