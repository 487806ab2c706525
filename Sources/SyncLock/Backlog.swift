import Synchronization

/// What waits for one reader of a ``StreamHub``, and what becomes of it when the reader is slow. A
/// value that only keeps and gives.
package protocol Backlog<Element>: Sendable {
  /// What the stream consists of.
  associatedtype Element: Sendable

  /// Takes in what is new.
  mutating func append(_ element: Element)
  /// Gives out what is to be read next; `nil` when nothing waits.
  mutating func popFirst() -> Element?
  /// Whether the next of the elements that may be left out is: it needn't be made, then, and has
  /// been counted.
  mutating func leavesOutNext() -> Bool
  /// Whether nothing more is taken in: the stream ends once what waits has been read.
  var isClosed: Bool { get }
}

extension Backlog {
  /// Takes in all.
  package mutating func leavesOutNext() -> Bool { false }
}

/// Keeps the newest elements, at most so many: older ones that weren't read in time are let go of.
package struct NewestElements<Element: Sendable>: Backlog {
  private let limit: Int
  private let losses: LossCount?
  private var waiting: ArraySlice<Element>

  /// - Parameters:
  ///   - limit: How many wait at most.
  ///   - first: What is read first.
  ///   - losses: What counts those that are let go of.
  package init(atMost limit: Int = .max, first: [Element] = [], losses: LossCount? = nil) {
    self.limit = limit
    self.losses = losses
    waiting = ArraySlice(first)
  }

  package var isClosed: Bool { false }

  package mutating func append(_ element: Element) {
    waiting.append(element)
    guard waiting.count > limit else { return }
    waiting.removeFirst()
    losses?.add()
  }

  package mutating func popFirst() -> Element? { waiting.popFirst() }
}

/// Whether something is new that its reader looks up where it lies.
package struct NewsMark: Backlog {
  private var isSet = true

  /// There is, for a reader that has seen nothing yet.
  package init() {}

  package var isClosed: Bool { false }

  package mutating func append(_ element: Void) { isSet = true }

  package mutating func popFirst() -> Void? {
    defer { isSet = false }
    return isSet ? () : nil
  }
}

/// Counts elements that no reader will see.
package final class LossCount: Sendable {
  private let losses = Atomic(0)

  /// None yet.
  package init() {}

  package var count: Int { losses.load(ordering: .relaxed) }

  func add() { losses.add(1, ordering: .relaxed) }
}
