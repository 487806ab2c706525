public import OneWaySynchronizer
import SyncLock

/// Closures that answer in place of the script. Each replaces the one set before it.
extension ScriptedProcessor {
  /// Runs in `syncWillBegin`.
  public func onBegin(_ body: @escaping @Sendable () async throws -> Void) {
    script.change { $0.hooks.begin = body }
  }

  /// Answers `fetchSourceList`, in place of ``source``.
  public func onFetch(_ body: @escaping @Sendable () async throws -> SourceList<Item>) {
    script.change { $0.hooks.fetch = body }
  }

  /// Answers `localKeys`, in place of the keys of ``local``.
  public func onLocalKeys(_ body: @escaping @Sendable () async throws -> Set<Item.ID>) {
    script.change { $0.hooks.localKeys = body }
  }

  /// Runs in `removeLocalItems`, before the keys leave ``local``.
  public func onRemove(_ body: @escaping @Sendable (Set<Item.ID>) async throws -> Void) {
    script.change { $0.hooks.remove = body }
  }

  /// Answers `itemsToUpdate`, in place of comparing with ``local``.
  public func onItemsToUpdate(_ body: @escaping @Sendable ([Item]) async throws -> [Item]) {
    script.change { $0.hooks.itemsToUpdate = body }
  }

  /// Answers `prepareDownload`, in place of the items unchanged.
  public func onPrepare(_ body: @escaping @Sendable ([Item]) async throws -> [Item]) {
    script.change { $0.hooks.prepare = body }
  }

  /// Runs in `downloadPreview`.
  public func onPreview(_ body: @escaping @Sendable (Item) async throws -> Void) {
    script.change { $0.hooks.preview = body }
  }

  /// Runs in `downloadContent`, before the item enters ``local``.
  public func onContent(_ body: @escaping @Sendable (Item) async throws -> Void) {
    script.change { $0.hooks.content = body }
  }

  /// Answers `commitDownloads`, in place of no failures.
  public func onCommit(_ body: @escaping @Sendable () async throws -> [Item.ID: any Error]) {
    script.change { $0.hooks.commit = body }
  }

  /// Answers `endsPass`, in place of `false`. It isn't logged as a call.
  public func onEndsPass(_ body: @escaping @Sendable (any Error) async -> Bool) {
    script.change { $0.hooks.endsPass = body }
  }

  /// Runs in `watchDownloads`. It isn't logged as a call.
  public func onWatch(_ body: @escaping @Sendable () async throws -> Void) {
    script.change { $0.hooks.watch = body }
  }

  /// Runs in `syncDidEnd`.
  public func onEnd(_ body: @escaping @Sendable (PassReport<Item.ID>) async -> Void) {
    script.change { $0.hooks.end = body }
  }
}
