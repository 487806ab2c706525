/// The positions that put rows into an order, with as few changes as that takes.
///
/// What is asked for is the order alone: rows that stand in it keep their positions, wherever those
/// begin and whatever gaps they have. New rows get positions between those of their neighbours
/// where there is room; otherwise all are counted anew from 0.
package enum PositionPlan {
  /// The positions for rows in the order that they are to have.
  ///
  /// - Parameter present: The position of each row now; `nil` for a new one, and for one without.
  package static func positions(for present: [Int64?]) -> [Int64] {
    var positions: [Int64] = []
    var place = 0
    while place < present.count {
      guard let end = present[place...].firstIndex(where: { $0 != nil }), let next = present[end]
      else {
        // The rest is new.
        let start = positions.last.map { $0 &+ 1 } ?? 0
        guard start < Int64.max - Int64(present.count) else { return dense(present.count) }
        positions += (place..<present.count).map { start + Int64($0 - place) }
        break
      }
      let count = Int64(end - place)
      let first = positions.last.map { $0 &+ 1 } ?? (next >= count ? next - count : Int64.min)
      guard first != Int64.min, positions.last.map({ $0 < next }) ?? true, next - count >= first
      else { return dense(present.count) }
      positions += (0..<count).map { first + $0 }
      positions.append(next)
      place = end + 1
    }
    return positions
  }

  /// Whether all rows of an order keep these positions.
  package static func keeps(_ positions: some Collection<Int64>) -> Bool {
    (positions.first.map { $0 >= 0 } ?? true)
      && zip(positions, positions.dropFirst()).allSatisfy { $0 < $1 }
  }

  private static func dense(_ count: Int) -> [Int64] { (0..<count).map(Int64.init) }
}
