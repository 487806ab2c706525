public import DocumentSync
import SyncLock

/// A server for documents, in memory: whatever a server can do, and whatever can go wrong with one.
///
/// ```swift
/// let server = ReferenceServer()
/// let mine = server.endpoint(named: "mine", faults: .script([nil, .answerLost]))
/// let theirs = server.endpoint(named: "theirs")
/// ```
///
/// It is deterministic: the same calls in the same order get the same answers, and its time goes on
/// by a millisecond with each call and by what ``advance(by:)`` says, and not otherwise.
public final class ReferenceServer: Sendable {
  private let network: Locked<ServerNetwork>
  /// Grows with each change of its documents.
  private let news = Watched(0)

  /// A server that has nothing.
  ///
  /// - Parameters:
  ///   - manners: how it does what servers do differently.
  ///   - skew: by how much its clock is ahead.
  ///   - start: the true time, in milliseconds since 1970.
  public init(
    manners: ServerManners = ServerManners(), skew: Duration = .zero,
    start: Int64 = 1_700_000_000_000
  ) {
    network = Locked(
      ServerNetwork(
        ServerState(manners: manners, clock: ServerClock(skew: skew.milliseconds)), now: start))
  }

  /// The server as somebody of that name sees it.
  ///
  /// - Parameters:
  ///   - name: what the endpoint is called; those of one name share its faults.
  ///   - faults: which calls of all endpoints of that name go wrong from now on; `nil` leaves that
  ///     as it was.
  public func endpoint(named name: String, faults: FaultPlan? = nil) -> ReferenceEndpoint {
    if let faults { setFaults(faults, of: name) }
    return ReferenceEndpoint(server: self, name: name)
  }

  /// Which calls of an endpoint go wrong from now on.
  public func setFaults(_ faults: FaultPlan, of name: String) {
    network.withLock { $0.setFaults(faults, of: name) }
  }

  /// Something befalls the server.
  public func suffer(_ accident: ServerAccident) {
    network.withLock { $0.suffer(accident) }
  }

  /// A document can't be read from now on; or can be again.
  package func setReadable(_ isReadable: Bool, _ id: DocumentID, in collection: String) {
    network.withLock {
      if isReadable {
        $0.state.mend(id, in: collection)
      } else {
        $0.state.scramble(id, in: collection)
      }
    }
  }

  /// Whatever is still on its way arrives now.
  package func deliverLate() {
    network.withLock { $0.deliverLate() }
  }

  /// Time goes by.
  public func advance(by length: Duration) {
    network.withLock { $0.now += length.milliseconds }
  }

  /// Whether each call takes a millisecond, as it does at first; else all happens at one time.
  package func setTicking(_ isTicking: Bool) {
    network.withLock { $0.isTicking = isTicking }
  }

  /// How it does what servers do differently, from now on.
  public var manners: ServerManners {
    get { network.withLock { $0.state.manners } }
    set { network.withLock { $0.state.manners = newValue } }
  }

  /// The documents of a collection that are there.
  public func documents(in collection: String) -> [DocumentID: ServerCopy] {
    network.withLock { network in
      (network.state.collections[collection] ?? [:])
        .compactMapValues { $0.state(tellingRevivals: false)?.copy }
    }
  }

  /// All that ever happened to its documents.
  package var events: [ServerEvent] { network.withLock { $0.state.events } }

  /// All calls that were made, those that never arrived as well.
  package var calls: [ServerCall] { network.withLock { $0.calls } }

  package var state: ServerState { network.withLock { $0.state } }

  func call(_ request: ServerRequest, from name: String) -> ServerExchange {
    let (exchange, count) = network.withLock { network in
      (network.call(request, from: name), network.state.events.count)
    }
    if news.state != count { news.change { $0 = count } }
    return exchange
  }

  /// Returns once something has changed since; `CancellationError` when the task is cancelled.
  func waitForNews(since checkpoints: [String: String?]) async throws {
    while true {
      let seen = news.state
      let isNew = network.withLock { network in
        checkpoints.contains { collection, checkpoint in
          checkpoint.map {
            network.state.changes(in: collection, from: .since($0)) != .unchanged
          } ?? true
        }
      }
      if isNew { return }
      try await news.wait { $0 != seen ? () : nil }
    }
  }
}
