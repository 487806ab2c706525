import SyncFolder

/// Which parts of a file are asked for, and in which order: those at its beginning first, so that
/// it can be hashed as it comes.
///
/// The first part is a small one, whose answer tells whether the server does parts at all. Then
/// what is left is divided so that each stream gets two parts of it: one that is faster than others
/// takes more of them, and all end at about the same time. A single stream takes the rest as one.
struct PartPlan: Equatable, Sendable {
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

  /// The next part to ask for, where there are so many streams with this one; `nil` when nothing is
  /// left to be asked for.
  mutating func next(of streams: Int) -> Range<Int64>? {
    guard let gap = taken.gap(below: size) else { return nil }
    var length = hasFirst ? share(of: streams) : sizes.least
    // No request for a crumb.
    if Int64(gap.count) - length < sizes.least / 2 { length = Int64(gap.count) }
    let part = gap.lowerBound..<min(gap.upperBound, gap.lowerBound + length)
    hasFirst = true
    taken.insert(part)
    return part
  }

  private func share(of streams: Int) -> Int64 {
    let rest = size - taken.count
    guard streams > 1 else { return min(rest, sizes.most) }
    let share = rest / (2 * Int64(streams))
    let rounded = (share + sizes.least - 1) / sizes.least * sizes.least
    return min(max(rounded, sizes.least), sizes.most)
  }
}
