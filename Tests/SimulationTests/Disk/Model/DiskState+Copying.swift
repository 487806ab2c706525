extension DiskState {
  /// The same state with nothing open, as a process that begins now would find it.
  func copied() -> DiskState {
    var copies = InodeCopies()
    var copy = self
    copy.root = copies.copy(of: root)
    copy.changes = changes.map { change in
      NameChange(
        slots: change.slots.map { slot in
          NameChange.Slot(
            directory: copies.copy(of: slot.directory), name: slot.name,
            entry: slot.entry.map { copies.copy(of: $0) })
        },
        removed: change.removed.map { copies.copy(of: $0) },
        moved: change.moved.map { moved in
          (copies.copy(of: moved.inode), moved.way.map { copies.copy(of: $0) })
        })
    }
    copy.forgetOpen()
    return copy
  }
}

/// Each thing of a disk is copied once, by whichever way it is come upon.
private struct InodeCopies {
  private var made: [ObjectIdentifier: Inode] = [:]

  mutating func copy(of inode: Inode) -> Inode {
    if let made = made[ObjectIdentifier(inode)] { return made }
    let copy = Inode(
      number: inode.number, kind: inode.kind, mode: inode.mode, modified: inode.modified,
      target: inode.target)
    made[ObjectIdentifier(inode)] = copy
    copy.flushedModified = inode.flushedModified
    copy.bytes = inode.bytes
    copy.isNamed = inode.isNamed
    copy.names = inode.names.mapValues { self.copy(of: $0) }
    copy.flushedNames = inode.flushedNames.mapValues { self.copy(of: $0) }
    copy.parent = inode.parent.map { self.copy(of: $0) }
    return copy
  }

  mutating func copy(of entry: Inode.Entry) -> Inode.Entry {
    Inode.Entry(inode: copy(of: entry.inode), order: entry.order)
  }
}
