/// Your side of a synchronization: where the list comes from, what is held locally, and how an item
/// is fetched. Five methods make one: ``fetchSourceList()``, ``localKeys()``,
/// ``removeLocalItems(_:)``, ``shouldUpdate(_:)`` and ``downloadContent(of:)``.
///
/// A ``Synchronizer`` calls the methods in the order in which they stand here, in each pass anew.
/// Downloads run side by side, up to ``SyncOptions/concurrency`` of them; everything else is called
/// alone, and passes of one synchronizer never overlap. A processor may be a struct, a class, an
/// actor, or bound to `@MainActor` or another global actor; each of its methods runs there.
///
/// **Throwing.** An error of a download fails that item; ``SyncOptions/stopOnError`` and
/// ``endsPass(_:)`` say whether the others go on. An error of any other method ends the pass; one
/// that is about a single item can say so as a ``SyncFailure`` with its key.
///
/// **Cancellation.** When the run is cancelled, the task that your method runs in is cancelled, but
/// for `commitDownloads` and `syncDidEnd`, so that what was fetched can be kept. Throw
/// `CancellationError` as soon as you can, and leave no half item behind.
///
/// **Asking again from within.** `sync()` awaited in one of these methods, or in a child task or a
/// `Task {}` that a method begins, would wait for itself, and throws
/// ``SyncError/Code/reentrant``; ``Synchronizer/requestSync()`` is the way. Only in a
/// `Task.detached` it can't be told, and a method that awaits that waits for ever.
///
/// A processor of many items, or one that has to know more of the pass, is a
/// ``StoreSyncProcessor``. `ProcessorContract` of the module SynchronizerTesting checks a processor
/// of either kind in a unit test.
public protocol SyncProcessor: Sendable {
  /// The kind of item that this processor keeps in step.
  associatedtype Item: SyncItem

  /// Called first in every pass. Default: nothing.
  func syncWillBegin() async throws

  /// Asks the remote side for its list, and says what absence from it means.
  func fetchSourceList() async throws -> SourceList<Item>

  /// The keys of all items that are held locally.
  func localKeys() async throws -> Set<Item.ID>

  /// Removes local items. Called at most once a pass, never with an empty set, and only after the
  /// whole set has passed ``SyncOptions/removalLimit``; before the downloads, or after them, see
  /// ``SyncOptions/removal``.
  func removeLocalItems(_ keys: Set<Item.ID>) async throws

  /// Whether an item that exists on both sides must be downloaded again. Asked about one after the
  /// other, in the order of the list.
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

  /// As ``downloadPreview(of:)``, for a processor that tells how far it is: implement one of the
  /// two. Default: calls ``downloadPreview(of:)``.
  func downloadPreview(of item: Item, progress: DownloadProgress) async throws

  /// As ``downloadContent(of:)``, for a processor that tells how far it is: implement one of the
  /// two. Default: calls ``downloadContent(of:)``.
  func downloadContent(of item: Item, progress: DownloadProgress) async throws

  /// Whether an error says nothing but that its call was cancelled. Where the pass stops, such an
  /// error isn't a failure. `CancellationError`, `URLError.cancelled` and `NSUserCancelledError`
  /// are known and needn't be named. Default: `false`.
  func isCancellation(_ error: any Error) async -> Bool

  /// Whether an error of a download means that no other download can succeed either: the disk is
  /// full, the account is closed. Such an error is the failure of its item and ends the pass,
  /// whatever ``SyncOptions/stopOnError`` says; others of its kind that come while the pass stops
  /// aren't counted. Default: `false`.
  func endsPass(_ error: any Error) async -> Bool

  /// Makes what was downloaded durable, many items at once.
  ///
  /// Called once after the downloads, also when they were stopped or cancelled; not when the pass
  /// ended before any could begin. The errors that it returns are failures of those items; an
  /// error that it throws ends the pass. Default: nothing, no failures.
  func commitDownloads() async throws -> [Item.ID: any Error]

  /// Called last in every pass that has begun, exactly once, also when the pass failed.
  /// Default: nothing.
  func syncDidEnd(_ report: PassReport<Item.ID>) async

  /// The engine's own: nothing for you to implement or to call.
  @_documentation(visibility: internal)
  var _work: PassWork<Item> { get }
}
