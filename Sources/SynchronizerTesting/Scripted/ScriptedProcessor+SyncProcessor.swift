public import OneWaySynchronizer
import SyncLock

/// The engine's side. Every call takes the same way, ``perform``: logged, held, failed or
/// answered, logged again.
extension ScriptedProcessor {
  /// Runs the script for the beginning of a pass.
  public func syncWillBegin() async throws {
    try await perform(.begin) {
      $0.asNothing
    } scripted: {
      try await hooks.begin?()
    }
  }

  /// Answers with the scripted list.
  public func fetchSourceList() async throws -> SourceList<Item> {
    try await perform(.fetch) {
      $0.asList
    } scripted: {
      try await hooks.fetch?() ?? source
    }
  }

  /// Answers with the keys of the local items.
  public func localKeys() async throws -> Set<Item.ID> {
    try await perform(.localKeys) {
      $0.asKeys
    } scripted: {
      try await hooks.localKeys?() ?? Set(local.keys)
    }
  }

  /// Removes local items, if this processor remembers.
  public func removeLocalItems(_ keys: Set<Item.ID>) async throws {
    try await perform(.remove(keys)) {
      $0.asNothing
    } scripted: {
      try await hooks.remove?(keys)
      script.change { $0.remember(removed: keys) }
    }
  }

  /// Chooses outdated items, and those that differ from the local ones.
  public func itemsToUpdate(among items: [Item]) async throws -> [Item] {
    try await perform(.itemsToUpdate(items.map(\.id)), given: items) {
      $0.asItems
    } scripted: {
      try await hooks.itemsToUpdate?(items) ?? script.change { $0.changed(among: items) }
    }
  }

  /// Answers with the items unchanged.
  public func prepareDownload(of items: [Item]) async throws -> [Item] {
    try await perform(.prepare(items.map(\.id)), given: items) {
      $0.asItems
    } scripted: {
      try await hooks.prepare?(items) ?? items
    }
  }

  /// Runs the script for a preview.
  public func downloadPreview(of item: Item) async throws {
    try await perform(.preview(item.id), given: [item]) {
      $0.asNothing
    } scripted: {
      try await hooks.preview?(item)
    }
  }

  /// Adds the item to the local ones, if this processor remembers.
  public func downloadContent(of item: Item) async throws {
    try await perform(.content(item.id), given: [item]) {
      $0.asNothing
    } scripted: {
      try await hooks.content?(item)
      script.change { $0.remember(downloaded: item) }
    }
  }

  /// Answers with the scripted failures, by default none.
  public func commitDownloads() async throws -> [Item.ID: any Error] {
    try await perform(.commit) {
      $0.asFailures
    } scripted: {
      try await hooks.commit?() ?? [:]
    }
  }

  /// What ``onEndsPass(_:)`` says, by default `false`.
  public func endsPass(_ error: any Error) async -> Bool {
    await hooks.endsPass?(error) ?? false
  }

  /// What ``onWatch(_:)`` says, by default nothing.
  public func watchDownloads() async throws {
    try await hooks.watch?()
  }

  /// Keeps the report.
  public func syncDidEnd(_ report: PassReport<Item.ID>) async {
    // The call can't fail towards the engine; a fault or a cancellation only ends the hold.
    try? await perform(.end(report.outcome), lastOf: report) {
      $0.asNothing
    } scripted: {
      await hooks.end?(report)
    }
  }

  private var hooks: ScriptHooks<Item> { script.change { $0.hooks } }

  private func perform<Answer: Sendable>(
    _ call: Call, given items: [Item] = [], lastOf report: PassReport<Item.ID>? = nil,
    read: (ScriptedAnswer<Item>) -> Answer?, scripted: () async throws -> Answer
  ) async throws -> Answer {
    // The test's own code, which may ask this processor something: under no lock.
    let isHandedOver = script.change { $0.chooser(for: call) }?(call) ?? false
    let ticket = script.change { $0.began(call, given: items, isHandedOver: isHandedOver) }
    do {
      let answer = try await answer(to: call, heldAs: ticket, read: read, scripted: scripted)
      script.change { $0.ended(call, .succeeded, lastOf: report) }
      return answer
    } catch {
      let ending = error is CancellationError ? CallEnding.cancelled : .failed("\(error)")
      script.change { $0.ended(call, ending, lastOf: report) }
      throw error
    }
  }

  private func answer<Answer: Sendable>(
    to call: Call, heldAs ticket: Int?,
    read: (ScriptedAnswer<Item>) -> Answer?, scripted: () async throws -> Answer
  ) async throws -> Answer {
    if let ticket {
      switch try await verdict(on: ticket) {
      case .proceed: break
      case .fail(let error): throw error
      case .answer(let given):
        guard let answer = read(given) else {
          throw ScriptProblem.wrongAnswer(call: "\(call)", answer: "\(given)")
        }
        return answer
      }
    }
    if let fault = script.change({ $0.takeFault(for: call) }) { throw fault }
    return try await scripted()
  }

  /// Waits for what the test decides. The cancellation of the task is one of the things that the
  /// script is told, so that it decides in one place what ends a hold.
  private func verdict(on ticket: Int) async throws -> Verdict<Item> {
    try await withTaskCancellationHandler {
      try await script.waitUncancelled { $0.outcome(of: ticket) }
    } onCancel: {
      script.change { $0.cancelled(ticket) }
    }
  }
}

extension ScriptedAnswer {
  fileprivate var asNothing: Void? { if case .done = self { () } else { nil } }
  fileprivate var asList: SourceList<Item>? { if case .list(let list) = self { list } else { nil } }
  fileprivate var asKeys: Set<Item.ID>? { if case .keys(let keys) = self { keys } else { nil } }
  fileprivate var asItems: [Item]? { if case .items(let items) = self { items } else { nil } }
  fileprivate var asFailures: [Item.ID: any Error]? {
    if case .failures(let failures) = self { failures } else { nil }
  }
}
