/// The targets of this package from bottom to top: each may import those that stand before it, but
/// for those that it shuns.
struct House {
  struct Room {
    var name: String
    /// What stands below and is none of its business.
    var shuns: Set<String> = []
  }

  let rooms: [Room]

  /// What only apps and tests need: programs don't, and so load no Foundation.
  private static let apps: Set<String> = ["OneWaySynchronizer", "SynchronizerTesting"]
  private static let engine = apps.union(["SyncEngine"])
  private static let processors: Set<String> = ["CatalogMirror", "RecordSync", "DocumentSync"]
  private static let allButTexts = engine.union(processors).union([
    "SyncDatabase", "SyncFiles", "SyncTransport", "SyncFolder", "SyncFetching",
  ])

  /// What stands between the engine's floor and the processors, for at least two of them.
  static let between = [
    "SyncText", "SyncDatabase", "SyncFiles", "SyncPrograms", "SyncTransport",
    "SyncFolder", "SyncFetching",
  ]

  /// Of these, what one target alone stands on as yet, and why it has a room of its own.
  static let ofOneTenant: [String: String] = [:]

  static let ours = House(rooms: [
    // The system's libraries, as all others import them.
    Room(name: "SyncSystem"),
    Room(name: "SyncEssentials"),
    Room(name: "SyncLock", shuns: ["SyncEssentials"]),
    Room(name: "SyncEngine", shuns: ["SyncEssentials"]),
    Room(name: "OneWaySynchronizer", shuns: ["SyncEssentials"]),
    Room(name: "SynchronizerTesting"),
    // What knows nothing of syncing.
    Room(name: "SyncText", shuns: engine),
    Room(name: "SyncDatabase", shuns: engine),
    Room(name: "SyncFiles", shuns: engine.union(["SyncDatabase"])),
    Room(
      name: "SyncPrograms",
      shuns: engine.union(["SyncEssentials", "SyncLock", "SyncText", "SyncDatabase"])),
    Room(name: "SyncTransport", shuns: engine.union(["SyncDatabase"])),
    // What processors share.
    Room(name: "SyncFolder", shuns: apps),
    Room(name: "SyncFetching", shuns: apps),
    // Processors; none is built on another.
    Room(name: "CatalogMirror", shuns: apps),
    Room(name: "CatalogPublishing", shuns: engine),
    Room(name: "RecordSync", shuns: apps.union(processors)),
    Room(name: "DocumentSync", shuns: apps.union(processors)),
    // The servers of one of them, for those that need no other.
    Room(name: "DocumentEndpoints", shuns: engine.union(["CatalogMirror", "RecordSync"])),
    Room(
      name: "DocumentTesting",
      shuns: engine.union(["CatalogMirror", "RecordSync", "DocumentEndpoints"])),
    // What programs share: nothing of what they are for.
    Room(name: "Console", shuns: allButTexts.subtracting(["SyncFiles"])),
    Room(name: "Access", shuns: allButTexts.subtracting(["SyncFetching", "SyncTransport"])),
  ])

  /// What is wrong with what a file of `target` imports.
  func complaints(
    about path: String, of target: String, importing modules: Set<String>
  ) -> [String] {
    guard let floor = rooms.firstIndex(where: { $0.name == target }) else {
      return ["\(target) has no room in the house: say in the table where it stands"]
    }
    return modules.sorted().compactMap { module in
      guard let other = rooms.firstIndex(where: { $0.name == module }) else { return nil }
      if other > floor { return "\(target)/\(path) imports \(module), which stands above it" }
      return rooms[floor].shuns.contains(module)
        ? "\(target)/\(path) imports \(module), which is none of its business" : nil
    }
  }
}
