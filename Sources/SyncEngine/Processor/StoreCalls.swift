/// The calls of a ``StoreSyncProcessor``, or what stands for them with a plain one.
@usableFromInline
package struct StoreCalls<Item: SyncItem>: Sendable {
  @usableFromInline package typealias Keys = LocalKeys<Item.ID>

  @usableFromInline package let syncWillBegin: @Sendable (PassKind) async throws -> Void
  /// `nil`: nobody is told.
  @usableFromInline package let stageWillBegin: (@Sendable (SyncStage) async -> Void)?
  @usableFromInline package let localKeys: @Sendable (Set<Item.ID>) async throws -> Keys
  @usableFromInline package let localKeysOfItems:
    @Sendable ([Item], Set<Item.ID>) async throws -> Keys
  @usableFromInline package let itemsToUpdate: @Sendable ([Item]) async throws -> [Item]
  /// `nil`: nothing is watched.
  @usableFromInline package let watchDownloads: (@Sendable () async throws -> Void)?
  @usableFromInline package let commitDownloads:
    @Sendable (DownloadsEnding) async throws -> [Item.ID: any Error]
  @usableFromInline package let commitsEachDownload: @Sendable () async -> Bool

  @inlinable
  init<Processor: SyncProcessor>(of processor: Processor) where Processor.Item == Item {
    syncWillBegin = { _ in try await processor.syncWillBegin() }
    stageWillBegin = nil
    localKeys = { Keys(among: $0, of: try await processor.localKeys()) }
    localKeysOfItems = {
      Keys(among: $1.union($0.lazy.map { $0.id }), of: try await processor.localKeys())
    }
    itemsToUpdate = { try await Self.itemsToUpdate(among: $0, by: processor) }
    watchDownloads = nil
    commitDownloads = { _ in try await processor.commitDownloads() }
    commitsEachDownload = { false }
  }

  @inlinable
  init<Processor: StoreSyncProcessor>(ofStore processor: Processor) where Processor.Item == Item {
    syncWillBegin = { try await processor.syncWillBegin($0) }
    stageWillBegin = { await processor.stageWillBegin($0) }
    localKeys = { try await processor.localKeys(among: $0) }
    localKeysOfItems = { try await processor.localKeys(among: $0, and: $1) }
    itemsToUpdate = { try await processor.itemsToUpdate(among: $0) }
    watchDownloads = { try await processor.watchDownloads() }
    commitDownloads = { try await processor.commitDownloads(after: $0) }
    commitsEachDownload = { await processor.commitsEachDownload }
  }

  /// Asks about one item after the other; an error tells which one it is about.
  @inlinable
  static func itemsToUpdate<Processor: SyncProcessor>(
    among items: [Item], by processor: Processor
  ) async throws -> [Item] where Processor.Item == Item {
    var chosen: [Item] = []
    for item in items {
      try Task.checkCancellation()
      do {
        if try await processor.shouldUpdate(item) { chosen.append(item) }
      } catch let error where !(error is CancellationError) {
        throw SyncFailure(stage: .itemsToUpdate, key: item.id, cause: error)
      }
    }
    return chosen
  }
}

extension LocalKeys {
  /// Those of `all` that are named.
  @inlinable
  init(among named: Set<ID>, of all: Set<ID>) {
    self.init(keys: all.intersection(named), count: all.count)
  }
}
