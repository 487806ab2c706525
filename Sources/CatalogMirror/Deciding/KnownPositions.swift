/// The known lines of a listing by the places of their items.
struct KnownPositions {
  /// The position in the listing for each place; 0 where the item isn't known.
  private var positions: [UInt32] = []
  private var twins: Set<Int> = []
  /// How many haven't been taken.
  private(set) var left = 0

  init(_ known: [KnownLine]) {
    positions = Array(repeating: 0, count: known.lazy.map { Int($0.place) + 1 }.max() ?? 0)
    for line in known {
      if positions[Int(line.place)] == 0 { left += 1 } else { twins.insert(Int(line.place)) }
      positions[Int(line.place)] = line.position
    }
  }

  func isTwin(_ place: Int) -> Bool { twins.contains(place) }

  /// The position of the item at a place, asked for once; `nil` when it isn't known.
  mutating func take(_ place: Int) -> UInt32? {
    guard positions.indices.contains(place), positions[place] != 0 else { return nil }
    left -= 1
    return positions[place]
  }
}
