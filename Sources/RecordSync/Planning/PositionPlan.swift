/// The positions that put rows into an order, with as few changes as that takes.
///
/// What is asked for is the order alone: rows that stand in it keep their positions, wherever those
/// begin and whatever gaps they have. New rows get positions between those of their neighbours
/// where there is room; otherwise all are counted anew from 0. Where only one row may have each
/// position, those that rows hold which are marked as gone are left out.
package enum PositionPlan {
  /// The positions where no row that is there may move: new ones go behind.
  ///
  /// - Parameter others: The positions of further rows.
  package static func keeping(_ present: [Int64?], besides others: [Int64]) -> [Int64] {
    var last = (present.compactMap { $0 } + others).max() ?? -1
    return present.map { position in
      if let position { return position }
      if last < .max { last += 1 }
      return last
    }
  }

  /// The positions for rows in the order that they are to have.
  ///
  /// - Parameters:
  ///   - present: The position of each row now; `nil` for a new one, and for one without.
  ///   - taken: Positions that other rows hold, and that no row may have besides.
  package static func positions(
    for present: [Int64?], besides taken: Set<Int64> = []
  ) -> [Int64] {
    var positions: [Int64] = []
    var place = 0
    let most = Int64.max - Int64(present.count + taken.count)
    while place < present.count {
      let start = positions.last.map { $0 &+ 1 } ?? 0
      guard let end = present[place...].firstIndex(where: { $0 != nil }), let next = present[end]
      else {
        // The rest is new.
        guard start < most else { return free(present.count, besides: taken) }
        return positions + free(present.count - place, from: start, besides: taken)
      }
      let isFirst = positions.isEmpty
      let new =
        isFirst
        ? free(end - place, below: next, besides: taken)
        : start < most ? free(end - place, from: start, besides: taken) : nil
      guard let new, (isFirst && new.isEmpty) || (new.last ?? start - 1) < next else {
        return free(present.count, besides: taken)
      }
      positions += new + [next]
      place = end + 1
    }
    return positions
  }

  /// Whether all rows of an order keep these positions.
  package static func keeps(_ positions: some Collection<Int64>) -> Bool {
    (positions.first.map { $0 >= 0 } ?? true)
      && zip(positions, positions.dropFirst()).allSatisfy { $0 < $1 }
  }

  /// The lowest positions that are free.
  private static func free(
    _ count: Int, from start: Int64 = 0, besides taken: Set<Int64>
  ) -> [Int64] {
    var (free, position) = ([Int64](), start)
    while free.count < count {
      if !taken.contains(position) { free.append(position) }
      position += 1
    }
    return free
  }

  /// The highest positions below another one that are free; `nil` if there aren't so many, or that
  /// one is negative.
  private static func free(
    _ count: Int, below next: Int64, besides taken: Set<Int64>
  ) -> [Int64]? {
    var (free, position) = ([Int64](), next)
    while free.count < count, position > 0 {
      position -= 1
      if !taken.contains(position) { free.append(position) }
    }
    return free.count == count && next >= 0 ? free.reversed() : nil
  }
}
