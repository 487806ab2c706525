import CatalogMirror
@testable import SyncFiles

extension DiskState {
  /// Makes one thing durable: a file's bytes, or what became of the names in a directory and
  /// whatever that builds on. A file's own name is another matter.
  mutating func flush(_ inode: Inode) {
    inode.flushBytes()
    guard inode.kind == .directory, !changes.isEmpty else { return }
    settle(changes.map { $0.touches(inode) })
  }

  /// Makes all durable.
  mutating func flushEverything() {
    for change in changes { change.makeDurable() }
    changes = []
    namesAreDurable()
    forEachInode { $0.flushBytes() }
  }

  /// A flush has failed: the bytes of a file that it was to write, or of all, are given up.
  mutating func drop(_ inode: Inode?) {
    guard let inode else { return forEachInode { $0.bytes.drop() } }
    inode.bytes.drop()
  }

  private mutating func settle(_ wanted: [Bool]) {
    let chosen = NameChange.closure(of: wanted, in: changes)
    for (change, isChosen) in zip(changes, chosen) where isChosen { change.makeDurable() }
    changes = zip(changes, chosen).filter { !$0.1 }.map(\.0)
    if changes.isEmpty { namesAreDurable() }
  }

  // All that has a name or is open; what has neither nobody will see again.
  private func forEachInode(_ body: (Inode) -> Void) {
    var waiting = [root]
    while let inode = waiting.popLast() {
      body(inode)
      waiting += inode.names.values.map(\.inode)
    }
    forEachOpen { inode in if !inode.isNamed { body(inode) } }
  }
}
