/// A processor that is asked about many items at once, and told more of the pass: for large stores.
///
/// Each method stands in place of one of ``SyncProcessor``, or beside the pass's stages; implement
/// those that you need. In place of ``SyncProcessor/shouldUpdate(_:)`` a processor of this kind may
/// have ``itemsToUpdate(among:)``.
public protocol StoreSyncProcessor: SyncProcessor {
  /// As ``SyncProcessor/syncWillBegin()``, for a processor that does something else in a plan than
  /// in a sync: implement one of the two. Default: calls ``SyncProcessor/syncWillBegin()``.
  func syncWillBegin(_ kind: PassKind) async throws

  /// Called as each stage after the first begins, before the stage's own method. Not called for
  /// ``SyncStage/end``. Default: nothing.
  func stageWillBegin(_ stage: SyncStage) async

  /// Which of these keys are held locally, and how many items are held in all.
  ///
  /// Called in place of ``SyncProcessor/localKeys()`` where the keys that count are few: when the
  /// list is partial or one of changes. Default: asks ``SyncProcessor/localKeys()``.
  func localKeys(among named: Set<Item.ID>) async throws -> LocalKeys<Item.ID>

  /// As ``localKeys(among:)``, with the items themselves: for a processor that finds them without a
  /// set of their keys. The question is about the keys of `items` and about `others`; each may be
  /// empty, and a key may stand in both.
  /// Default: calls ``localKeys(among:)`` with the set of all of them.
  func localKeys(
    among items: [Item], and others: Set<Item.ID>
  ) async throws -> LocalKeys<Item.ID>

  /// Of items that exist on both sides, those that must be downloaded again.
  ///
  /// Called once a pass, also with an empty list, with the items in the order of the list.
  /// Returning an item that wasn't asked about, or one twice, is an error of this stage.
  /// Default: asks ``SyncProcessor/shouldUpdate(_:)`` about one after the other.
  func itemsToUpdate(among items: [Item]) async throws -> [Item]

  /// Runs beside each download stage, for errors that no single download sees: a background write
  /// that met a full disk.
  ///
  /// What it throws is one failure of the stage and ends the pass. The downloads in flight are
  /// cancelled; `commitDownloads` is called as ever, but what fails there isn't counted again.
  /// When the downloads have ended first, its task is cancelled and waited for; so it may wait
  /// for as long as it likes. What it throws then counts only if it
  /// ``SyncProcessor/endsPass(_:)``. Default: returns at once.
  func watchDownloads() async throws

  /// As ``SyncProcessor/commitDownloads()``, for a processor of which many items are one whole that
  /// is written or not: implement one of the two. After downloads that were cut short, a
  /// `CancellationError` for an item says that it wasn't committed, and is no failure.
  /// Default: calls ``SyncProcessor/commitDownloads()``.
  func commitDownloads(after ending: DownloadsEnding) async throws -> [Item.ID: any Error]

  /// Whether each item is kept for good as soon as its own download has returned. Then
  /// ``Synchronizer/ensure(_:)`` returns at that moment, and doesn't wait for
  /// ``SyncProcessor/commitDownloads()``, which comes after all downloads.
  ///
  /// Asked once a pass, before the downloads. Say `true` only where `commitDownloads` does nothing
  /// for the items: who was told that an item is there isn't told again. Default: `false`.
  var commitsEachDownload: Bool { get async }
}

extension StoreSyncProcessor {
  /// Calls ``SyncProcessor/syncWillBegin()``.
  public func syncWillBegin(_ kind: PassKind) async throws { try await syncWillBegin() }

  /// Does nothing.
  public func stageWillBegin(_ stage: SyncStage) async {}

  /// Asks ``SyncProcessor/localKeys()`` for all keys.
  public func localKeys(among named: Set<Item.ID>) async throws -> LocalKeys<Item.ID> {
    LocalKeys(among: named, of: try await localKeys())
  }

  /// Calls ``StoreSyncProcessor/localKeys(among:)`` with all keys.
  public func localKeys(
    among items: [Item], and others: Set<Item.ID>
  ) async throws -> LocalKeys<Item.ID> {
    try await localKeys(among: others.union(items.lazy.map { $0.id }))
  }

  /// Asks ``SyncProcessor/shouldUpdate(_:)`` about one item after the other, until the task is
  /// cancelled. An error is thrown as a ``SyncFailure`` with the item's key.
  @inlinable
  public func itemsToUpdate(among items: [Item]) async throws -> [Item] {
    try await StoreCalls.itemsToUpdate(among: items, by: self)
  }

  /// Throws: a processor says what changed in this form or in ``itemsToUpdate(among:)``.
  @inlinable
  public func shouldUpdate(_ item: Item) async throws -> Bool { throw MissingMethod.shouldUpdate }

  /// Returns at once.
  public func watchDownloads() async throws {}

  /// Calls ``SyncProcessor/commitDownloads()``.
  public func commitDownloads(after ending: DownloadsEnding) async throws -> [Item.ID: any Error] {
    try await commitDownloads()
  }

  /// `false`: an item is there once all downloads were committed.
  public var commitsEachDownload: Bool { get async { false } }

  /// The engine's work over many items, made for this type.
  @_documentation(visibility: internal)
  @inlinable
  public var _work: PassWork<Item> { PassWork(for: self, StoreCalls(ofStore: self)) }
}

/// How the downloads of a pass ended; given to ``StoreSyncProcessor/commitDownloads(after:)``.
public enum DownloadsEnding: Sendable, Hashable {
  /// Every item was tried; some may have failed.
  case tried
  /// A failure stopped the rest: see ``SyncOptions/stopOnError`` and
  /// ``SyncProcessor/endsPass(_:)``.
  case stopped
  /// The run was cancelled, or drained, before every item was tried.
  case cancelled
}
