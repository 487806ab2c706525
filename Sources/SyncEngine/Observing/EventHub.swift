import SyncLock
import Synchronization

/// How many subscribers there are, for who knows nothing of their type.
final class ObserverCount: Sendable {
  private let count = Atomic(0)

  var isAny: Bool { count.load(ordering: .relaxed) > 0 }

  /// So many more have come, or, if negative, gone.
  func add(_ number: Int) { count.add(number, ordering: .relaxed) }
}

/// Hands events to any number of subscribers, and keeps the status. Without an observer, an item
/// costs a look at a counter; where only the status is read, no event of it is made.
final class EventHub<ID: Hashable & Sendable>: Sendable {
  private let events = StreamHub<EventBuffer<ID>>()
  /// Those of the events and those of the status.
  let observers = ObserverCount()
  private let subscribers = ObserverCount()
  let status: StatusBoard

  /// - Parameters:
  ///   - wording: How the status says an error.
  ///   - timeline: What the status measures with.
  init(
    wording: @escaping StatusBoard.Wording = { "\($0)" },
    timeline: Timeline = Timeline(ContinuousClock())
  ) {
    status = StatusBoard(observers, wording: wording, timeline: timeline)
  }

  var isObserved: Bool { observers.isAny }

  /// Tells all subscribers of an item that no download stage has in hand. Under no lock.
  func publish(_ event: @autoclosure () -> SyncEvent<ID>) {
    if subscribers.isAny { events.offer(event).tell() }
  }

  /// Tells all observers of what isn't about a single item. Under no lock.
  func announce(_ event: SyncEvent<ID>) {
    var wakeups = events.put(event)
    // Last: who subscribes once the status says that a run has ended doesn't hear of it again.
    wakeups.add(status.put(event))
    wakeups.tell()
  }

  /// Lays an event of an item before all subscribers that have room for it, and says to readers of
  /// the status that there is news; tell those that it returns when no lock is held.
  func put(_ event: () -> SyncEvent<ID>) -> Wakeups {
    guard subscribers.isAny else { return status.itemsChanged() }
    var wakeups = events.offer(event)
    wakeups.add(status.itemsChanged())
    return wakeups
  }

  /// A stream of all events from now on, until the hub is let go of or the stream is.
  func subscribe() -> AsyncStream<SyncEvent<ID>> {
    observers.add(1)
    subscribers.add(1)
    return events.stream(EventBuffer()) { [observers, subscribers] in
      observers.add(-1)
      subscribers.add(-1)
    }
  }
}
