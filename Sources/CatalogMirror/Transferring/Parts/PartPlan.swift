import SyncFolder

/// Which parts of a file are asked for, and in which order: those at its beginning first, so that
/// it can be hashed as it comes.
///
/// The first part is a small one, whose answer tells whether the server does parts at all. Then
/// what is left is divided so that each stream gets two parts of it: one that is faster than others
/// takes more of them, and all end at about the same time. A single stream takes the rest as one.
///
/// No part is asked for that lies far beyond one that is slow: what comes early has to be read once
/// more, to be hashed, which should find it in the system's memory.
struct PartPlan: Sendable {
  let size: Int64
  private let sizes: PartSizes
  /// What is there, or asked for.
  private(set) var taken: ByteRanges
  private var hasFirst: Bool

  /// - Parameter held: What of the file is there already.
  init(size: Int64, held: ByteRanges = ByteRanges(), sizes: PartSizes = PartSizes()) {
    (self.size, self.sizes) = (size, sizes)
    taken = held.clamped(to: 0..<size)
    hasFirst = !taken.isEmpty
  }

  /// Whether nothing is left to be asked for.
  var isOver: Bool { taken.prefix >= size }

  /// The next part to ask for, where there are so many streams with this one; `nil` when nothing is
  /// left to be asked for, or not yet.
  ///
  /// - Parameter settled: Up to where the file has come without a gap, if that is to bound it.
  mutating func next(of streams: Int, from settled: Int64? = nil) -> Range<Int64>? {
    guard let gap = taken.gap(below: size),
      gap.lowerBound < settled.map({ $0 + reach(of: streams) }) ?? size
    else { return nil }
    var length = hasFirst ? share(of: streams) : sizes.least
    // No request for a crumb.
    if Int64(gap.count) - length < sizes.least / 2 { length = Int64(gap.count) }
    let part = gap.lowerBound..<min(gap.upperBound, gap.lowerBound + length)
    hasFirst = true
    taken.insert(part)
    return part
  }

  /// How far beyond that a part may begin.
  func reach(of streams: Int) -> Int64 { 2 * Int64(streams) * sizes.most }

  private func share(of streams: Int) -> Int64 {
    let rest = size - taken.count
    guard streams > 1 else { return min(rest, sizes.most) }
    let share = rest / (2 * Int64(streams))
    let rounded = (share + sizes.least - 1) / sizes.least * sizes.least
    return min(max(rounded, sizes.least), sizes.most)
  }
}
