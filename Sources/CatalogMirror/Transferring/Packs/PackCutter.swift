/// Cuts the bytes of a part of a pack into pieces as they come.
struct PackCutter: Equatable, Sendable {
  /// Bytes of a piece.
  struct Cut: Equatable {
    /// The place of the piece in the plan.
    let piece: Int
    /// Which of the bytes that were given.
    let bytes: Range<Int>
    let isFirst: Bool
    let isLast: Bool
  }

  private let pieces: [(place: Int, bytes: Range<Int64>)]
  /// Which piece comes next, or is coming.
  private var next = 0
  /// Where in the pack the bytes that come next lie.
  private(set) var position: Int64

  /// A cutter for the bytes from a position on.
  /// - Parameter pieces: What is wanted of them: in their order, without overlap, none of which
  ///   begins before the position.
  init(_ pieces: [(place: Int, bytes: Range<Int64>)], from position: Int64) {
    (self.pieces, self.position) = (pieces, position)
  }

  /// Whether no piece is still to come.
  var isDone: Bool { next == pieces.count }

  /// Takes so many bytes, and gives the next part of a piece among them; `nil` when there is none
  /// any more. To be asked until then, with how many of the bytes were cut already.
  mutating func cut(_ count: Int, from start: Int) -> Cut? {
    guard !isDone else {
      position += Int64(count - start)
      return nil
    }
    let (place, bytes) = pieces[next]
    let gap = Int(max(0, bytes.lowerBound - position))
    guard count - start > gap else {
      position += Int64(count - start)
      return nil
    }
    let from = start + gap
    position += Int64(gap)
    let isFirst = position == bytes.lowerBound
    let length = Int(min(Int64(count - from), bytes.upperBound - position))
    position += Int64(length)
    let isLast = position == bytes.upperBound
    if isLast { next += 1 }
    return Cut(piece: place, bytes: from..<from + length, isFirst: isFirst, isLast: isLast)
  }

  static func == (one: PackCutter, other: PackCutter) -> Bool {
    one.next == other.next && one.position == other.position
      && one.pieces.elementsEqual(other.pieces) { $0 == $1 }
  }
}
