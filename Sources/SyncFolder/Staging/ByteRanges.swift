/// Which bytes of a file are meant: any number of ranges, in order, none of which touches another.
package struct ByteRanges: Equatable, Sendable {
  package private(set) var ranges: [Range<Int64>] = []

  package init() {}

  package init(_ range: Range<Int64>) {
    insert(range)
  }

  package var isEmpty: Bool { ranges.isEmpty }

  /// How many bytes they are together.
  package var count: Int64 { ranges.reduce(0) { $0 + Int64($1.count) } }

  /// The end of the last one; 0 where there is none.
  package var end: Int64 { ranges.last?.upperBound ?? 0 }

  /// How many bytes from the first one of the file on are meant without a gap.
  package var prefix: Int64 {
    ranges.first.flatMap { $0.lowerBound == 0 ? $0.upperBound : nil } ?? 0
  }

  /// The first bytes below `size` that aren't meant; `nil` where all are.
  package func gap(below size: Int64) -> Range<Int64>? {
    let start = prefix
    guard start < size else { return nil }
    let next = ranges.first { $0.lowerBound > start }?.lowerBound ?? size
    return start..<min(next, size)
  }

  package mutating func insert(_ range: Range<Int64>) {
    guard !range.isEmpty else { return }
    let first = ranges.firstIndex { $0.upperBound >= range.lowerBound } ?? ranges.endIndex
    let end = ranges[first...].firstIndex { $0.lowerBound > range.upperBound } ?? ranges.endIndex
    let joined = ranges[first..<end]
    let start = min(range.lowerBound, joined.first?.lowerBound ?? range.lowerBound)
    let last = max(range.upperBound, joined.last?.upperBound ?? range.upperBound)
    ranges.replaceSubrange(first..<end, with: CollectionOfOne(start..<last))
  }

  /// Those of them that lie in a range.
  package func clamped(to bounds: Range<Int64>) -> ByteRanges {
    var result = ByteRanges()
    result.ranges = ranges.map { $0.clamped(to: bounds) }.filter { !$0.isEmpty }
    return result
  }
}

/// As the numbers of where each begins and ends, one after the other.
extension ByteRanges: Codable {
  package init(from decoder: any Decoder) throws {
    let bounds = try decoder.singleValueContainer().decode([Int64].self)
    // Each behind the one before it: neither empty, nor touching, nor below 0.
    guard bounds.count % 2 == 0, bounds.first ?? 0 >= 0,
      zip(bounds, bounds.dropFirst()).allSatisfy(<)
    else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "no ranges"))
    }
    ranges = stride(from: 0, to: bounds.count, by: 2).map { bounds[$0]..<bounds[$0 + 1] }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(ranges.flatMap { [$0.lowerBound, $0.upperBound] })
  }
}
