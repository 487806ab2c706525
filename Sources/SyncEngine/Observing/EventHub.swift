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
  private let subscriptions = Locked<[EventSubscription<ID>]>([])
  let observers = ObserverCount()
  let status: StatusBoard

  /// - Parameter wording: How the status says an error.
  init(wording: @escaping StatusBoard.Wording = { "\($0)" }) {
    status = StatusBoard(observers, wording: wording)
  }

  var isObserved: Bool { observers.isAny }

  /// Tells all subscribers; the event is made only if there are any.
  func publish(_ event: @autoclosure () -> SyncEvent<ID>) {
    guard isObserved else { return }
    tell(event())
  }

  /// As ``publish(_:)`` for what the status has to know also when nobody is there to see it.
  func announce(_ event: SyncEvent<ID>) {
    tell(event)
  }

  private func tell(_ event: SyncEvent<ID>) {
    for subscription in subscriptions.withLock({ $0 }) { subscription.publish(event) }
    // Last: who subscribes once the status says that a run has ended doesn't hear of it again.
    status.apply(event)
  }

  /// A stream of all events from now on, until the hub is let go of or the stream is.
  func subscribe() -> AsyncStream<SyncEvent<ID>> {
    let subscription = EventSubscription<ID>()
    subscriptions.withLock { $0.append(subscription) }
    observers.add(1)
    let ticket = Ticket(subscription: subscription, hub: self)
    return AsyncStream(unfolding: { await ticket.subscription.next() })
  }

  private func remove(_ subscription: EventSubscription<ID>) {
    subscriptions.withLock { $0.removeAll { $0 === subscription } }
    observers.add(-1)
  }

  deinit {
    for subscription in subscriptions.withLock({ $0 }) { subscription.close() }
  }

  /// Held by the stream alone: when the stream goes, so does the subscription.
  private final class Ticket: Sendable {
    let subscription: EventSubscription<ID>
    private let leave: @Sendable () -> Void

    init(subscription: EventSubscription<ID>, hub: EventHub) {
      self.subscription = subscription
      leave = { [weak hub] in hub?.remove(subscription) }
    }

    deinit { leave() }
  }
}
