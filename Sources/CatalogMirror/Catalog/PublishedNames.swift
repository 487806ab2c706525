/// Names of what is written beside a catalog by who publishes a folder.
enum PublishedNames {
  /// What the name of a catalog's memory ends with; it begins with a dot.
  static let stateEnding = ".mirror-state"

  /// Whether a file's name is that of what some catalog remembers beside itself. That is its
  /// writer's alone, wherever it lies: servers may list it, and aren't allowed to read it. A
  /// directory of such a name is somebody's.
  static func isState(_ name: [UInt8]) -> Bool {
    name.first == UInt8(ascii: ".") && name.count > stateEnding.utf8.count
      && name.suffix(stateEnding.utf8.count).elementsEqual(stateEnding.utf8)
  }
}
