/// Your side of a synchronization: where the list comes from, what is held locally, and how an
/// item is fetched.
///
/// A ``Synchronizer`` calls these methods; you never call them yourself. In one pass, in this
/// order:
///
/// 1. ``syncWillBegin()``
/// 2. ``fetchSourceList()``
/// 3. ``localKeys()``, or ``localKeys(among:)`` unless the list is complete
/// 4. ``removeLocalItems(_:)``, only when something vanished (or after the downloads, see
///    ``SyncOptions/removal``)
/// 5. ``itemsToUpdate(among:)``
/// 6. ``prepareDownload(of:)``
/// 7. ``downloadPreview(of:)`` for every item, then ``downloadContent(of:)`` for every item, with
///    ``watchDownloads()`` beside them
/// 8. ``commitDownloads()``
/// 9. ``syncDidEnd(_:)``, exactly once, whatever happened
///
/// **How many at once.** The two download methods run side by side, up to
/// ``SyncOptions/concurrency`` of them, and `watchDownloads` beside them. Everything else is called
/// alone. Passes of one synchronizer never overlap.
///
/// **Where it runs.** Where you say: a processor may be a struct, a class, an actor, or bound to
/// `@MainActor` or another global actor; each of its methods then runs there.
///
/// **Asking again from within.** `sync()` awaited in one of these methods could never return, and
/// throws ``SyncError/Code/reentrant``; ``Synchronizer/requestSync()`` is the way. That goes for
/// child tasks and `Task {}` that a method begins, too, for as long as it runs; the downloads of a
/// stage count as one. `Task.detached` is the exception: it carries nothing of where it was begun,
/// so that a method which waits for a `sync()` in one can't be told, and waits for ever.
///
/// **Cancellation.** When the run is cancelled, the task that your method runs in is cancelled.
/// Throw `CancellationError` as soon as you can, and leave no half item behind. What `URLSession`
/// and Cocoa throw instead is known; say of other errors that they mean the same
/// (``isCancellation(_:)``), since any other counts as a failure.
/// `commitDownloads` and `syncDidEnd` run in a task that is not cancelled, so that what was fetched
/// can be kept.
///
/// **Throwing.** An error from a download method fails that item; ``SyncOptions/stopOnError`` and
/// ``endsPass(_:)`` say whether the others go on. An error from any other method ends the pass; one
/// that is about a single item can say so as a ``SyncFailure`` with its key.
///
/// The protocol's requirements are checked by `ProcessorContract` of the module
/// SynchronizerTesting: run it over your own processor in a unit test.
public protocol SyncProcessor: Sendable {
  /// The kind of item that this processor keeps in step.
  associatedtype Item: SyncItem

  /// Called first in every pass. Default: nothing.
  func syncWillBegin() async throws

  /// The same, for a processor that does something else in a plan than in a sync: implement one of
  /// the two. Default: calls ``syncWillBegin()``.
  func syncWillBegin(_ kind: PassKind) async throws

  /// Called as each stage after the first begins, before the stage's own method; so a processor
  /// that shows its progress needn't guess from single downloads where the pass is. Not called for
  /// ``SyncStage/end``. Default: nothing.
  func stageWillBegin(_ stage: SyncStage) async

  /// Asks the remote side for its list, and says what absence from it means.
  func fetchSourceList() async throws -> SourceList<Item>

  /// The keys of all items that are held locally.
  func localKeys() async throws -> Set<Item.ID>

  /// Which of these keys are held locally, and how many items are held in all.
  ///
  /// Called in place of ``localKeys()`` when the list is partial or one of changes, with the keys
  /// that it names: a processor of many items needn't load the keys of all of them to change a few.
  /// Default: asks ``localKeys()``.
  func localKeys(among named: Set<Item.ID>) async throws -> LocalKeys<Item.ID>

  /// The same for the keys of these items, the list's own, and for further keys that it names: for
  /// a processor that can tell without a set of all their keys, which takes long to make of a
  /// million. `others` may hold keys of `items` once more, and `items` may be empty: then only
  /// `others` are asked about, which may be none. Default: calls ``localKeys(among:)`` with such a
  /// set.
  func localKeys(
    among items: [Item], and others: Set<Item.ID>
  ) async throws -> LocalKeys<Item.ID>

  /// Removes local items. Called at most once a pass, never with an empty set, and only after the
  /// whole set has passed ``SyncOptions/removalLimit``.
  func removeLocalItems(_ keys: Set<Item.ID>) async throws

  /// Of items that exist on both sides, those that must be downloaded again.
  ///
  /// Called once a pass, also with an empty list, with the items in the order of the list.
  /// Returning an item that wasn't asked about, or one twice, is an error of this stage.
  /// Default: asks ``shouldUpdate(_:)`` about one after the other.
  func itemsToUpdate(among items: [Item]) async throws -> [Item]

  /// Whether an item that exists on both sides must be downloaded again. Default: `false`.
  func shouldUpdate(_ item: Item) async throws -> Bool

  /// The last word on what is downloaded, and in which order.
  ///
  /// Called once a pass, also with an empty list, with new and changed items in ascending
  /// ``SyncItem/downloadOrder``. You may reorder, leave out, replace or add; what you return is
  /// downloaded in that order. The same key twice is an error of this stage.
  /// Default: returns `items` unchanged.
  func prepareDownload(of items: [Item]) async throws -> [Item]

  /// Fetches the preview of an item. All previews have ended before the first content starts.
  /// Called only if ``SyncOptions/downloadPreview`` is set. Default: nothing.
  func downloadPreview(of item: Item) async throws

  /// Fetches the content of an item. Called only if ``SyncOptions/downloadContent`` is set.
  /// Implement this, or the form that tells how far it is: without either, every item fails.
  func downloadContent(of item: Item) async throws

  /// The same as ``downloadPreview(of:)`` for a processor that tells how far it is: implement one
  /// of the two. This one is called, whoever observes. Default: calls ``downloadPreview(of:)``.
  func downloadPreview(of item: Item, progress: DownloadProgress) async throws

  /// The same as ``downloadContent(of:)`` for a processor that tells how far it is: implement one
  /// of the two. This one is called, whoever observes. Default: calls ``downloadContent(of:)``.
  func downloadContent(of item: Item, progress: DownloadProgress) async throws

  /// Whether an error says nothing but that its call was cancelled, as `CancellationError` does:
  /// that of a connection that was cut. Where the pass stops, such an error isn't a failure.
  ///
  /// `URLError.cancelled` and `NSUserCancelledError` needn't be named. Default: `false`.
  func isCancellation(_ error: any Error) async -> Bool

  /// Whether an error of a download means that no other can succeed either: the disk is full, the
  /// account is closed. Such an error is the failure of its item and ends the pass, whatever
  /// ``SyncOptions/stopOnError`` says; others of its kind that come while the pass stops aren't
  /// counted. Default: `false`.
  func endsPass(_ error: any Error) async -> Bool

  /// Runs beside each download stage, for errors that no single download sees: a background write
  /// that met a full disk.
  ///
  /// What it throws is one failure of the stage and ends the pass. The downloads in flight are
  /// cancelled; `commitDownloads` is called as ever, but what fails there isn't counted again.
  /// When the downloads have ended first, its task is cancelled and waited for; so it may wait
  /// for as long as it likes. What it throws then counts only if it ``endsPass(_:)``.
  /// Default: returns at once.
  func watchDownloads() async throws

  /// Makes what was downloaded durable, many items at once.
  ///
  /// Called once after the downloads, also when they were stopped or cancelled; not when the pass
  /// ended before any could begin. The errors that it returns are failures of those items; an
  /// error that it throws ends the pass. Default: nothing, no failures.
  func commitDownloads() async throws -> [Item.ID: any Error]

  /// The same, for a processor of which many items are one whole that is written or not: implement
  /// one of the two. After downloads that were cut short, a `CancellationError` for an item says
  /// that it wasn't committed, and is no failure. Default: calls ``commitDownloads()``.
  func commitDownloads(after ending: DownloadsEnding) async throws -> [Item.ID: any Error]

  /// Whether an item is there for good when its download returns, so that nothing of it waits for
  /// ``commitDownloads()``. ``Synchronizer/ensure(_:)`` then returns at the end of the item's last
  /// download, and not only after the commit of all.
  ///
  /// Asked once a pass, before the downloads. Say `true` only where `commitDownloads` does nothing
  /// for the items: who was told that an item is there isn't told again. Default: `false`.
  var commitsEachDownload: Bool { get async }

  /// Called last in every pass, exactly once, also when the pass failed. Default: nothing.
  func syncDidEnd(_ report: PassReport<Item.ID>) async

  /// The engine's own: nothing for you to implement or to call, see ``PassWork``.
  var _work: PassWork<Item> { get }
}

extension SyncProcessor {
  /// Does nothing.
  public func syncWillBegin() async throws {}

  /// Calls ``syncWillBegin()``.
  public func syncWillBegin(_ kind: PassKind) async throws { try await syncWillBegin() }

  /// Does nothing.
  public func stageWillBegin(_ stage: SyncStage) async {}

  /// Asks ``localKeys()`` for all keys.
  public func localKeys(among named: Set<Item.ID>) async throws -> LocalKeys<Item.ID> {
    let all = try await localKeys()
    return LocalKeys(keys: all.intersection(named), count: all.count)
  }

  /// Calls ``localKeys(among:)`` with all keys.
  public func localKeys(
    among items: [Item], and others: Set<Item.ID>
  ) async throws -> LocalKeys<Item.ID> {
    try await localKeys(among: others.union(items.lazy.map { $0.id }))
  }

  /// Asks ``shouldUpdate(_:)`` about one item after the other, until the task is cancelled. An
  /// error is thrown as a ``SyncFailure`` with the item's key.
  @inlinable
  public func itemsToUpdate(among items: [Item]) async throws -> [Item] {
    var chosen: [Item] = []
    for item in items {
      try Task.checkCancellation()
      do {
        if try await shouldUpdate(item) { chosen.append(item) }
      } catch let error where !(error is CancellationError) {
        throw SyncFailure(stage: .itemsToUpdate, key: item.id, cause: error)
      }
    }
    return chosen
  }

  /// `false`: what exists locally is left as it is.
  @inlinable
  public func shouldUpdate(_ item: Item) async throws -> Bool { false }

  /// Returns `items` unchanged.
  public func prepareDownload(of items: [Item]) async throws -> [Item] { items }

  /// Does nothing.
  @inlinable
  public func downloadPreview(of item: Item) async throws {}

  /// Throws: a processor downloads contents in this form or in the one with progress.
  @inlinable
  public func downloadContent(of item: Item) async throws { throw MissingDownload() }

  /// Calls ``downloadPreview(of:)``.
  @inlinable
  public func downloadPreview(of item: Item, progress: DownloadProgress) async throws {
    try await downloadPreview(of: item)
  }

  /// Calls ``downloadContent(of:)``.
  @inlinable
  public func downloadContent(of item: Item, progress: DownloadProgress) async throws {
    try await downloadContent(of: item)
  }

  /// `false`: only errors that are known to say it say that a call was cancelled.
  public func isCancellation(_ error: any Error) async -> Bool { false }

  /// `false`: an error concerns its item alone.
  public func endsPass(_ error: any Error) async -> Bool { false }

  /// Returns at once.
  public func watchDownloads() async throws {}

  /// Does nothing: every download was durable when its method returned.
  public func commitDownloads() async throws -> [Item.ID: any Error] { [:] }

  /// Calls ``commitDownloads()``.
  public func commitDownloads(after ending: DownloadsEnding) async throws -> [Item.ID: any Error] {
    try await commitDownloads()
  }

  /// `false`: an item is there once all downloads were committed.
  public var commitsEachDownload: Bool { get async { false } }

  /// Does nothing.
  public func syncDidEnd(_ report: PassReport<Item.ID>) async {}

  /// The engine's work over many items, made for this type.
  @inlinable
  public var _work: PassWork<Item> { PassWork(for: self) }
}

/// How the downloads of a pass ended; given to ``SyncProcessor/commitDownloads(after:)``.
public enum DownloadsEnding: Sendable, Hashable {
  /// Every item was tried; some may have failed.
  case tried
  /// A failure stopped the rest: see ``SyncOptions/stopOnError`` and
  /// ``SyncProcessor/endsPass(_:)``.
  case stopped
  /// The run was cancelled before every item was tried.
  case cancelled
}
