public import OneWaySynchronizer
import SyncLock

/// A processor without a network and without a store, which does what a test tells it to.
///
/// Out of the box it works: it has a list and local items, and downloads "succeed". A test scripts
/// only what it cares for, in any of these ways:
///
/// ```swift
/// let processor = ScriptedProcessor(["a", "b"], local: ["b", "gone"])
/// processor.fail(.content("a"), with: Refused())           // an error
/// let hold = processor.hold(.content("b"))                 // stops there until released
/// processor.onFetch { .partial(["a"]) }                    // an answer of your own
/// processor.handOver { $0 == .fetch }                      // the test answers, call by call
/// let fetch = try await processor.nextCall()
/// fetch.answer(.unchanged)
/// ```
///
/// What happened stands in ``calls`` and ``log``. Order of precedence for one call: a hold or a
/// call handed over, then a fault, then a closure, then the scripted answer.
///
/// **No timers.** Waiting methods suspend until what they wait for happens or their task is
/// cancelled. Where it is certain that it won't happen any more they throw ``ScriptProblem``, which
/// says why; otherwise a test that waits for what never comes hangs, and the last entry of
/// ``log`` shows where.
public final class ScriptedProcessor<Item: SyncItem & Equatable>: StoreSyncProcessor {
  /// A call of the engine, with what it was given.
  public typealias Call = ProcessorCall<Item.ID>
  /// A place in a pass where a script steps in.
  public typealias Place = CallPlace<Item.ID>

  let script: Watched<Script<Item>>

  /// A processor whose source lists `source`, completely, and which holds `local`.
  public init(source: [Item], local: [Item] = [], memory: ScriptMemory = .remembers) {
    script = Watched(Script(source: source, local: local, memory: memory))
  }
}

extension ScriptedProcessor where Item == TestItem {
  /// A processor of test items whose source lists `source`, completely, and which holds `local`.
  public convenience init(
    _ source: [TestItem], local: [TestItem] = [], memory: ScriptMemory = .remembers
  ) {
    self.init(source: source, local: local, memory: memory)
  }
}

extension ScriptedProcessor {
  /// What `fetchSourceList` answers.
  public var source: SourceList<Item> {
    get { script.change { $0.source } }
    set { script.change { $0.source = newValue } }
  }

  /// The local items by key. `localKeys` answers their keys.
  public var local: [Item.ID: Item] {
    get { script.change { $0.local } }
    set { script.change { $0.local = newValue } }
  }

  /// Keys that `itemsToUpdate` chooses although the item equals the local one. An item that
  /// differs from the local one is chosen anyway. A downloaded key leaves this set.
  public var outdated: Set<Item.ID> {
    get { script.change { $0.outdated } }
    set { script.change { $0.outdated = newValue } }
  }

  /// Whether an item is there for good when its download returns, so that who ensures it is told
  /// before the commit. Default `false`.
  public var commitsEachDownload: Bool {
    get { script.change { $0.commitsEachDownload } }
    set { script.change { $0.commitsEachDownload = newValue } }
  }

  /// Makes calls at a place end with an error, after whatever holds them: the next `times` calls,
  /// or all of them. A call of `syncDidEnd` can't fail and ignores it.
  public func fail(_ place: Place, with error: any Error, times: Int = .max) {
    script.change { $0.addFault(ScriptedFault(place: place, error: error, times: times)) }
  }

  /// Takes back everything that ``fail(_:with:times:)`` said.
  public func failNoMore() {
    script.change { $0.clearFaults() }
  }

  /// Holds the next call that comes to a place; each hold is for one call.
  ///
  /// A held call ends with `CancellationError` as soon as its task is cancelled, unless it ignores
  /// cancellation: then it stays until the test lets it go on, as a stubborn processor's would.
  public func hold(_ place: Place, ignoringCancellation: Bool = false) -> Hold<Item> {
    let (ticket, ended) = script.change { script in
      (script.hold(place, ignoringCancellation: ignoringCancellation), script.reports.count)
    }
    return Hold(script: script, ticket: ticket, place: place, passesBefore: ended)
  }

  /// From now on the calls for which `choose` is true are handed to ``nextCall()`` and wait for
  /// their answers there. By default all calls; `{ _ in false }` ends it.
  public func handOver(where choose: @escaping @Sendable (Call) -> Bool = { _ in true }) {
    script.change { $0.handsOver = choose }
  }

  /// The next call that was handed over, in the order in which they began.
  ///
  /// The call that ends a pass is `.end`: after it, another comes only with another pass.
  /// - Throws: `CancellationError`, when the task is cancelled.
  public func nextCall() async throws -> PendingCall<Item> {
    let ticket = try await script.wait { $0.takeHandedOver() }
    return PendingCall(script: script, ticket: ticket)
  }
}

extension ScriptedProcessor {
  /// Every call in the order in which they began.
  public var calls: [Call] { script.change { $0.calls } }

  /// Every call as it began and as it ended.
  public var log: [CallLogEntry<Item.ID>] { script.change { $0.log } }

  /// The reports that `syncDidEnd` was given, in order.
  public var reports: [PassReport<Item.ID>] { script.change { $0.reports } }

  /// How many calls have begun and not ended.
  public var inFlight: Int { script.change { $0.inFlight } }

  /// The largest number of calls that were in flight at once.
  public var maxInFlight: Int { script.change { $0.maxInFlight } }

  /// Waits until `count` calls at a place have begun, those that began before included.
  /// - Throws: `CancellationError`, when the task is cancelled.
  public func began(_ place: Place, times count: Int = 1) async throws {
    try await script.wait { script in
      script.calls.count(where: place.matches) >= count ? () : nil
    }
  }

  /// Waits until `count` calls at a place have ended, in whichever way, those that ended before
  /// included.
  /// - Throws: `CancellationError`, when the task is cancelled.
  public func ended(_ place: Place, times count: Int = 1) async throws {
    try await script.wait { script in
      let ended = script.log.count { entry in
        if case .ended(let call, _) = entry { place.matches(call) } else { false }
      }
      return ended >= count ? () : nil
    }
  }
}
