public import OneWaySynchronizer
import SyncLock

/// A call of the engine that waits for a test's decision. The first decision counts.
public struct PendingCall<Item: SyncItem & Equatable>: Sendable {
  let script: Watched<Script<Item>>
  let ticket: Int

  /// The call; its `items` are beside it.
  public var call: ProcessorCall<Item.ID> {
    guard let call = script.change({ $0.held[ticket]?.call }) else {
      preconditionFailure("a pending call is made only of a call that came")
    }
    return call
  }

  /// The items that the engine gave: several for `itemsToUpdate` and `prepare`, one for a
  /// download, none otherwise.
  public var items: [Item] { script.change { $0.held[ticket]?.items ?? [] } }

  /// Whether the task of the call was cancelled while it waited.
  public var wasCancelled: Bool { script.change { $0.held[ticket]?.wasCancelled ?? false } }

  /// Waits until the task of the call is cancelled.
  /// - Throws: `CancellationError`, when the waiting task itself is cancelled.
  public func cancelled() async throws {
    try await script.wait { [ticket] in $0.held[ticket]?.wasCancelled == true ? () : nil }
  }

  /// From now on the call stays until it is decided, even if its task is cancelled.
  public func ignoreCancellation() {
    script.change { $0.setIgnoresCancellation(ticket) }
  }

  /// Lets the call go on as if it hadn't been held.
  public func release() { decide(.proceed) }

  /// Ends the call with an error.
  public func fail(_ error: any Error) { decide(.fail(error)) }

  /// Answers `fetch`.
  public func answer(_ list: SourceList<Item>) { decide(.answer(.list(list))) }

  /// Answers `localKeys`.
  public func answer(keys: Set<Item.ID>) { decide(.answer(.keys(keys))) }

  /// Answers `itemsToUpdate` or `prepare`.
  public func answer(items: [Item]) { decide(.answer(.items(items))) }

  /// Answers `commit`.
  public func answer(failures: [Item.ID: any Error]) { decide(.answer(.failures(failures))) }

  /// Ends a call that has no answer, such as a download, well and without doing anything: nothing
  /// is remembered. To have it remembered, ``release()`` it.
  public func succeed() { decide(.answer(.done)) }

  private func decide(_ verdict: Verdict<Item>) {
    script.change { $0.decide(ticket, verdict) }
  }
}

/// A place where a ``ScriptedProcessor`` stops the next call until the test lets it go on.
public struct Hold<Item: SyncItem & Equatable>: Sendable {
  let script: Watched<Script<Item>>
  let ticket: Int
  let place: CallPlace<Item.ID>
  let passesBefore: Int

  /// Waits until the call came, and returns it.
  ///
  /// - Parameter passes: in how many passes, counted from when the hold was made, it may come.
  /// - Throws: ``ScriptProblem/neverReached(place:log:)`` when that many passes have ended without
  ///   it, or `CancellationError`, when the task is cancelled.
  @discardableResult
  public func reached(withinPasses passes: Int = 1) async throws -> PendingCall<Item> {
    let lastPass = passesBefore + passes
    let (isThere, log) = try await script.wait { [ticket] script -> (Bool, [String])? in
      if script.held[ticket]?.call != nil { return (true, []) }
      return script.reports.count >= lastPass ? (false, script.calls.map { "\($0)" }) : nil
    }
    guard isThere else { throw ScriptProblem.neverReached(place: "\(place)", log: log) }
    return PendingCall(script: script, ticket: ticket)
  }

  /// Lets the call go on, now or as soon as it comes.
  public func release() { PendingCall(script: script, ticket: ticket).release() }

  /// Ends the call with an error, now or as soon as it comes.
  public func fail(_ error: any Error) { PendingCall(script: script, ticket: ticket).fail(error) }

  /// Whether the task of the call was cancelled while it was held.
  public var wasCancelled: Bool { PendingCall(script: script, ticket: ticket).wasCancelled }
}
