import CatalogMirror
@testable import SyncFiles

/// One change of names that the disk makes as a whole or not at all: a name made, removed, moved,
/// or two that changed places.
struct NameChange {
  /// What each name that it touches stands for afterwards.
  let slots: [Slot]
  /// The directory that it removed: nothing that happened in it may come after.
  var removed: Inode?
  /// The thing that it moved, and the directories that lead to its new place: what was safe on the
  /// disk must not end in a directory that isn't there.
  var moved: [(inode: Inode, way: [Inode])] = []

  struct Slot {
    let directory: Inode
    let name: [UInt8]
    let entry: Inode.Entry?
  }

  private struct Place: Hashable {
    let directory: ObjectIdentifier
    let name: [UInt8]

    init(_ slot: Slot) {
      directory = ObjectIdentifier(slot.directory)
      name = slot.name
    }
  }

  func touches(_ directory: Inode) -> Bool {
    slots.contains { $0.directory === directory }
  }

  /// Brings the names on the disk to what they are after this change.
  func makeDurable() {
    for slot in slots { slot.directory.flushedNames[slot.name] = slot.entry }
  }

  // Of the moved things, those that a name on the disk leads to.
  private var waysOfSafe: [Inode] {
    moved.filter { thing in
      slots.contains { $0.directory.flushedNames[$0.name]?.inode === thing.inode }
    }.flatMap(\.way)
  }

  private var movesDirectory: Bool { moved.contains { $0.inode.kind == .directory } }

  /// Which of `changes` come with the wanted ones: all that those build on.
  static func closure(of wanted: [Bool], in changes: [NameChange]) -> [Bool] {
    var chosen = wanted
    var places: Set<Place> = []
    var inside: [ObjectIdentifier: Inode] = [:]
    var led: Set<ObjectIdentifier> = []
    var all = false
    for (index, change) in changes.enumerated().reversed() {
      let isNeeded =
        all
        || change.slots.contains { slot in
          places.contains(Place(slot)) || inside[ObjectIdentifier(slot.directory)] != nil
            || slot.entry.map { led.contains(ObjectIdentifier($0.inode)) } ?? false
        }
      chosen[index] = chosen[index] || isNeeded
      guard chosen[index] else { continue }
      places.formUnion(change.slots.map(Place.init))
      if let removed = change.removed { inside[ObjectIdentifier(removed)] = removed }
      led.formUnion(change.waysOfSafe.map(ObjectIdentifier.init))
      // A moved directory could end below itself if a move before it were missing.
      all = all || change.movesDirectory
    }
    return chosen
  }
}
