import CatalogMirror
@testable import SyncFiles

extension DiskState {
  /// What stands under a name; `.` is the directory itself.
  func lookUp(_ name: [UInt8], in directory: Inode) throws(Errno) -> Inode? {
    guard name.count <= 255 else { throw .nameTooLong }
    if name == Array(".".utf8) { return directory }
    if name == Array("..".utf8) { return directory.parent ?? directory }
    return directory.names[name]?.inode
  }

  /// The thing that a call on a name is about.
  func find(_ name: [UInt8], in directory: Inode) throws(Errno) -> Inode {
    guard !name.isEmpty, let inode = try lookUp(name, in: directory) else { throw .absent }
    return inode
  }

  /// A new thing under a name.
  mutating func add(
    _ kind: FileStatus.Kind, _ name: [UInt8], in directory: Inode, mode: UInt32, now: Int64,
    target: [UInt8] = []
  ) throws(Errno) -> Inode {
    guard try lookUp(name, in: directory) == nil else { throw .exists }
    guard directory.isNamed else { throw .absent }
    let inode = try make(kind, mode: mode, now: now, target: target)
    set([(directory, name, inode)], now)
    return inode
  }

  mutating func unlink(_ name: [UInt8], in directory: Inode, now: Int64) throws(Errno) {
    let inode = try find(name, in: directory)
    guard inode.kind != .directory else { throw .isADirectory }
    set([(directory, name, nil)], now)
    lostName(inode)
  }

  mutating func removeDirectory(_ name: [UInt8], in directory: Inode, now: Int64) throws(Errno) {
    let inode = try find(name, in: directory)
    guard inode !== directory else { throw .invalid }
    guard inode.kind == .directory else { throw .notADirectory }
    guard inode.names.isEmpty else { throw .notEmpty }
    set([(directory, name, nil)], now, removed: inode)
    lostName(inode)
  }

  mutating func rename(
    _ name: [UInt8], in from: Inode, to newName: [UInt8], in to: Inode, _ rule: RenameRule,
    now: Int64
  ) throws(Errno) {
    let inode = try find(name, in: from)
    let other = try lookUp(newName, in: to)
    if rule == .intoEmptyPlace, other != nil { throw .exists }
    if rule == .exchanging, other == nil { throw .absent }
    guard to.isNamed else { throw .absent }
    if way(to: to).contains(where: { $0 === inode }) { throw .invalid }
    if let other, way(to: from).contains(where: { $0 === other }) {
      throw rule == .exchanging ? .invalid : .notEmpty
    }
    if other === inode { return }
    if rule == .exchanging, let other {
      set([(from, name, other), (to, newName, inode)], now, moved: [(inode, to), (other, from)])
      return
    }
    try mayReplace(other, inode)
    set(
      [(from, name, nil), (to, newName, inode)], now,
      removed: other?.kind == .directory ? other : nil, moved: [(inode, to)])
    if let other { lostName(other) }
  }

  private func mayReplace(_ other: Inode?, _ inode: Inode) throws(Errno) {
    guard let other else { return }
    switch (inode.kind == .directory, other.kind == .directory) {
    case (true, false): throw .notADirectory
    case (false, true): throw .isADirectory
    case (true, true): if !other.names.isEmpty { throw .notEmpty }
    case (false, false): break
    }
  }

  /// A directory and those above it.
  private func way(to directory: Inode) -> [Inode] {
    var way = [directory]
    while let parent = way.last?.parent { way.append(parent) }
    return way
  }

  // One step: sees to the names, the dates and what is still to be made durable.
  private mutating func set(
    _ slots: [(directory: Inode, name: [UInt8], inode: Inode?)], _ now: Int64,
    removed: Inode? = nil, moved: [(inode: Inode, to: Inode)] = []
  ) {
    var changed: [NameChange.Slot] = []
    for (directory, name, inode) in slots {
      var new: Inode.Entry?
      if let inode { new = entry(inode) }
      directory.names[name] = new
      directory.modified = now
      changed.append(NameChange.Slot(directory: directory, name: name, entry: new))
      guard let inode else { continue }
      inode.isNamed = true
      if inode.kind == .directory { inode.parent = directory }
    }
    changes.append(
      NameChange(
        slots: changed, removed: removed, moved: moved.map { ($0.inode, way(to: $0.to)) }))
  }

  private mutating func lostName(_ inode: Inode) {
    inode.isNamed = false
    inode.parent = nil
    letGo(of: inode)
  }
}
