import CatalogMirror
@testable import SyncFiles

/// What a ``ModelDisk`` holds, and what its calls do to it; only under the disk's lock.
struct DiskState: @unchecked Sendable {  // what it refers to is used under its disk's lock only
  var root: Inode
  /// Counts the processes that the disk has seen: what an earlier one has open is of no use.
  private(set) var generation = 0
  /// The changes of names that are not yet on the disk, in their order.
  var changes: [NameChange] = []
  /// The bytes of the whole disk, and those in use.
  var capacity: Int64
  private(set) var usedBlocks = 1
  private var open: [Int32: OpenFile] = [:]
  private var nextDescriptor: Int32 = 3
  private var nextNumber: UInt64 = 3
  /// Numbers that can be given again, the next one last; and those that may still be somebody's
  /// on the disk.
  private var freeNumbers: [UInt64] = []
  private var lostNumbers: [UInt64] = []
  private var nextOrder = 0
  /// What the next call will be told of as its number.
  var calls = 0

  /// A descriptor's file and place.
  final class OpenFile {
    let inode: Inode
    let path: String
    let isWritable: Bool
    var place = 0

    init(_ inode: Inode, path: String, isWritable: Bool) {
      self.inode = inode
      self.path = path
      self.isWritable = isWritable
    }
  }

  init(capacity: Int64, now: Int64) {
    self.capacity = capacity
    root = Inode(number: 2, kind: .directory, mode: 0o755, modified: now)
    root.isNamed = true
  }

  var openCount: Int { open.count }

  /// In a copy: what is open belongs to the original.
  mutating func forgetOpen() {
    let nameless = open.values.map(\.inode).filter { !$0.isNamed }
    let once = Dictionary(nameless.map { (ObjectIdentifier($0), $0.blocks) }, uniquingKeysWith: max)
    usedBlocks -= once.values.reduce(0, +)
    open = [:]
  }

  func forEachOpen(_ body: (Inode) -> Void) {
    for file in open.values { body(file.inode) }
  }

  func file(_ descriptor: Int32) throws(Errno) -> OpenFile {
    guard let file = open[descriptor] else { throw .badDescriptor }
    return file
  }

  func path(_ descriptor: Int32) -> String { open[descriptor]?.path ?? "" }

  func inode(_ descriptor: Int32) throws(Errno) -> Inode { try file(descriptor).inode }

  func directory(_ descriptor: Int32) throws(Errno) -> Inode {
    let inode = try inode(descriptor)
    guard inode.kind == .directory else { throw .notADirectory }
    return inode
  }

  mutating func opened(_ inode: Inode, path: String, isWritable: Bool) -> Int32 {
    defer { nextDescriptor += 1 }
    inode.opened += 1
    open[nextDescriptor] = OpenFile(inode, path: path, isWritable: isWritable)
    return nextDescriptor
  }

  /// Nothing is left to be made durable but bytes.
  mutating func namesAreDurable() {
    freeNumbers += lostNumbers
    lostNumbers = []
  }

  mutating func close(_ descriptor: Int32) {
    guard let inode = open.removeValue(forKey: descriptor)?.inode else { return }
    inode.opened -= 1
    inode.locks[descriptor] = nil
    inode.database.forget(descriptor)
    letGo(of: inode)
  }

  /// Gives the room of a thing back that has neither a name nor a descriptor any more.
  mutating func letGo(of inode: Inode) {
    guard !inode.isNamed, inode.opened == 0 else { return }
    usedBlocks -= inode.blocks
    lostNumbers.append(inode.number)
  }

  /// Makes a thing without a name, if there is room for it.
  mutating func make(
    _ kind: FileStatus.Kind, mode: UInt32, now: Int64, target: [UInt8] = []
  ) throws(Errno) -> Inode {
    if kind != .file { try take(blocks: 1) }
    let number = freeNumbers.popLast() ?? nextNumber
    if number == nextNumber { nextNumber += 1 }
    return Inode(number: number, kind: kind, mode: mode, modified: now, target: target)
  }

  /// Takes blocks, or throws when the disk is full.
  mutating func take(blocks: Int) throws(Errno) {
    guard blocks <= 0 || Int64(blocks) <= freeBlocks else { throw .noSpace }
    usedBlocks += blocks
  }

  var freeBlocks: Int64 { max(0, capacity / Int64(FileBytes.block) - Int64(usedBlocks)) }

  mutating func entry(_ inode: Inode) -> Inode.Entry {
    defer { nextOrder += 1 }
    return Inode.Entry(inode: inode, order: nextOrder)
  }

  /// The process has ended: what it had open is closed, what it did stays.
  mutating func endProcess() {
    generation += 1
    for descriptor in open.keys { close(descriptor) }
  }

  /// The power has failed.
  mutating func crash(_ dice: inout some CrashDice) {
    endProcess()
    let count = changes.count
    let first = dice.changesKept(of: count)
    let wanted = (0..<count).map { $0 < first && dice.keeps() }
    let kept = NameChange.closure(of: wanted, in: changes)
    for (change, isKept) in zip(changes, kept) where isKept { change.makeDurable() }
    changes = []
    usedBlocks = 0
    lostNumbers = []
    var numbers: Set<UInt64> = []
    find(root, &numbers, &dice)
    freeNumbers = (3..<nextNumber).filter { !numbers.contains($0) }.reversed()
  }

  // What the disk holds is what there is now.
  private mutating func find(
    _ inode: Inode, _ numbers: inout Set<UInt64>, _ dice: inout some CrashDice
  ) {
    numbers.insert(inode.number)
    inode.isNamed = true
    if dice.keeps() { inode.flushedModified = inode.modified }
    inode.modified = inode.flushedModified
    inode.bytes.crash(&dice)
    usedBlocks += inode.blocks
    inode.names = inode.flushedNames
    for entry in inode.names.values.sorted(by: { $0.order < $1.order }) {
      if entry.inode.kind == .directory { entry.inode.parent = inode }
      find(entry.inode, &numbers, &dice)
    }
  }
}

extension Errno {
  static let badDescriptor = Errno(code: 9)
}
