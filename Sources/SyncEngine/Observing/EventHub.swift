import SyncLock
import Synchronization

/// How many subscribers there are, for who knows nothing of their type.
final class ObserverCount: Sendable {
  private let count = Atomic(0)

  var isAny: Bool { count.load(ordering: .relaxed) > 0 }

  /// So many more have come, or, if negative, gone.
  func add(_ number: Int) { count.add(number, ordering: .relaxed) }
}

/// Hands events to any number of subscribers. Without one, an event costs a look at a counter.
final class EventHub<ID: Hashable & Sendable>: Sendable {
  private let events = StreamHub<EventBuffer<ID>>()
  let observers = ObserverCount()
  let status: StatusBoard

  /// - Parameter wording: How the status says an error.
  init(wording: @escaping StatusBoard.Wording = { "\($0)" }) {
    status = StatusBoard(observers, wording: wording)
  }

  var isObserved: Bool { observers.isAny }

  /// Tells all subscribers; the event is made only if there are any. Under no lock.
  func publish(_ event: @autoclosure () -> SyncEvent<ID>) {
    guard isObserved else { return }
    put(event()).tell()
  }

  /// As ``publish(_:)`` for what the status has to know also when nobody is there to see it.
  func announce(_ event: SyncEvent<ID>) { put(event).tell() }

  /// Lays an event before all subscribers; tell those that it returns when no lock is held.
  func put(_ event: SyncEvent<ID>) -> Wakeups {
    var wakeups = events.put(event)
    // Last: who subscribes once the status says that a run has ended doesn't hear of it again.
    wakeups.add(status.put(event))
    return wakeups
  }

  /// A stream of all events from now on, until the hub is let go of or the stream is.
  func subscribe() -> AsyncStream<SyncEvent<ID>> {
    observers.add(1)
    return events.stream(EventBuffer()) { [observers] in observers.add(-1) }
  }
}
