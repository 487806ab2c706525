import Synchronization

/// A way past the lock of a download stage: a counter from which workers take one item after the
/// other, for as long as the window would give them in that order and nobody is told of it.
///
/// Whoever takes an item here has ended the one before well. Under the lock the lane is closed, so
/// that the window there is exact: each worker in the lane has one item in flight, and all other
/// items before the lane's end are done.
final class DownloadLane: Sendable {
  /// No place is as high, and there is room above it for all who find the lane closed.
  private static let closed = Int.max / 2

  private let count: Int
  private let next = Atomic(closed)

  /// A lane past so many items, closed.
  init(count: Int) {
    self.count = count
  }

  /// The place of the item to start now, in place of one that succeeded; `nil` when the lane is
  /// closed or at its end.
  func take() -> Int? {
    let place = next.add(1, ordering: .relaxed).oldValue
    return place < count ? place : nil
  }

  /// Opens the lane, whose first item is that at `place`.
  func open(at place: Int) { next.store(place, ordering: .relaxed) }

  /// Closes the lane; answers the place of the first item that wasn't taken.
  func close() -> Int { min(next.exchange(Self.closed, ordering: .relaxed), count) }
}
