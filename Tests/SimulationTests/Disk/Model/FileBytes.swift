/// The bytes of one file in two layers: what processes see, and what the disk is sure to hold.
///
/// What was not flushed comes to the disk in any order, block by block (pages are written back so),
/// and the length by itself: after a loss of power each block is the old one or the new one, or,
/// if the power went in the middle of it, some sectors of each; and the length is the old or the
/// new one. Only a cut is one step: either it has happened, and what was behind it is gone for
/// good, or it has not.
struct FileBytes {
  static let block = 4_096
  static let sector = 512

  /// What processes see.
  private(set) var visible: [UInt8] = []
  /// What the disk holds of the blocks that were changed since they were flushed.
  private var changed: [Int: ArraySlice<UInt8>] = [:]
  /// What the disk holds of the blocks whose flush has failed: they count as flushed, and no later
  /// flush writes them (Linux, fsync(2): pages that couldn't be written are marked clean).
  private var dropped: [Int: ArraySlice<UInt8>] = [:]
  private var flushedCount = 0
  /// The least length that it was cut to since it was flushed.
  private var cut: Int?

  var count: Int { visible.count }

  /// How many blocks the visible bytes take.
  var blocks: Int { Self.blocks(count) }

  static func blocks(_ count: Int) -> Int { (count + block - 1) / block }

  mutating func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    guard !bytes.isEmpty else { return }
    if offset > count { visible += [UInt8](repeating: 0, count: offset - count) }
    touch(offset..<offset + bytes.count)
    let within = min(bytes.count, count - offset)
    if within > 0 {
      visible.withUnsafeMutableBytes { target in
        target[offset..<offset + within].copyBytes(from: bytes[..<within])
      }
    }
    visible += bytes[within...]
  }

  mutating func resize(to length: Int) {
    if length > count {
      visible += [UInt8](repeating: 0, count: length - count)
    } else {
      touch(length..<count)
      cut = min(cut ?? count, length)
      visible.removeLast(count - length)
    }
  }

  mutating func flush() {
    if let cut { dropped = Self.cutting(dropped, to: cut) }
    cut = nil
    changed = [:]
    flushedCount = count
  }

  /// A flush that failed.
  mutating func drop() {
    dropped.merge(changed) { _, new in new }
    changed = [:]
  }

  /// The power fails: what the disk holds is all there is now.
  mutating func crash(_ dice: inout some CrashDice) {
    guard !changed.isEmpty || !dropped.isEmpty || flushedCount != count else { return }
    let undone = dice.keeps() ? nil : cut
    if undone == nil, let cut {
      changed = Self.cutting(changed, to: cut)
      dropped = Self.cutting(dropped, to: cut)
      flushedCount = min(flushedCount, cut)
    }
    let length = undone == nil && dice.keeps() ? count : flushedCount
    var found = Array(visible.prefix(length))
    found += [UInt8](repeating: 0, count: length - found.count)
    for (number, old) in changed.sorted(by: { $0.key < $1.key }) {
      let sectors = dice.sectorsKept()
      let isBehind = undone.map { (number + 1) * Self.block > $0 } ?? false
      Self.put(old, at: number, from: isBehind ? 0 : sectors, into: &found)
    }
    for (number, old) in dropped { Self.put(old, at: number, from: 0, into: &found) }
    self = FileBytes(flushed: found)
  }

  private init(flushed bytes: [UInt8]) {
    visible = bytes
    flushedCount = bytes.count
  }

  init() {}

  private static func cutting(
    _ blocks: [Int: ArraySlice<UInt8>], to length: Int
  ) -> [Int: ArraySlice<UInt8>] {
    blocks.reduce(into: [:]) { kept, entry in
      kept[entry.key] = entry.value.prefix(max(0, length - entry.key * block))
    }
  }

  // The old bytes of a block, from a sector on; what it didn't have is zero.
  private static func put(
    _ old: ArraySlice<UInt8>, at number: Int, from sector: Int, into bytes: inout [UInt8]
  ) {
    let start = number * block
    let end = min(start + block, bytes.count)
    let place = start + sector * Self.sector
    guard place < end else { return }
    let kept = old.dropFirst(place - start).prefix(end - place)
    bytes.replaceSubrange(place..<place + kept.count, with: kept)
    for rest in place + kept.count..<end { bytes[rest] = 0 }
  }

  private mutating func touch(_ range: Range<Int>) {
    for number in range.lowerBound / Self.block..<Self.blocks(range.upperBound)
    where changed[number] == nil {
      let start = min(number * Self.block, count)
      changed[number] =
        dropped.removeValue(forKey: number)
        ?? ArraySlice(Array(visible[start..<min(start + Self.block, count)]))
    }
  }
}
