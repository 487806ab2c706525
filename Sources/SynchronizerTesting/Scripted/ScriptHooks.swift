import OneWaySynchronizer

/// Whether the local side of a ``ScriptedProcessor`` follows what is downloaded and removed.
public enum ScriptMemory: Sendable, Equatable {
  /// Downloads add to the local items, removals remove from them.
  case remembers
  /// The local items stay as the test set them.
  case forgets
}

/// Closures that stand in for the scripted answers of a ``ScriptedProcessor``; those that aren't
/// set leave the scripted answer in force.
struct ScriptHooks<Item: SyncItem>: Sendable {
  var begin: (@Sendable () async throws -> Void)?
  var fetch: (@Sendable () async throws -> SourceList<Item>)?
  var localKeys: (@Sendable () async throws -> Set<Item.ID>)?
  var remove: (@Sendable (Set<Item.ID>) async throws -> Void)?
  var itemsToUpdate: (@Sendable ([Item]) async throws -> [Item])?
  var prepare: (@Sendable ([Item]) async throws -> [Item])?
  var preview: (@Sendable (Item) async throws -> Void)?
  var content: (@Sendable (Item) async throws -> Void)?
  var commit: (@Sendable () async throws -> [Item.ID: any Error])?
  var endsPass: (@Sendable (any Error) async -> Bool)?
  var watch: (@Sendable () async throws -> Void)?
  var end: (@Sendable (PassReport<Item.ID>) async -> Void)?
}
