/// Counts calls that are under way, so that the beginning and the end of activity are told once
/// each, however many there are.
struct ActivityCount: Sendable, Equatable {
  private(set) var underWay = 0

  /// A call began: answers whether activity did.
  mutating func began() -> Bool {
    underWay += 1
    return underWay == 1
  }

  /// A call ended: answers whether activity did.
  mutating func ended() -> Bool {
    guard underWay > 0 else { return false }
    underWay -= 1
    return underWay == 0
  }
}
