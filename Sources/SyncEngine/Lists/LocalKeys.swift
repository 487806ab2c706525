/// Which of the keys that a list names are held locally.
public struct LocalKeys<ID: Hashable & Sendable>: Hashable, Sendable {
  /// Those that are held.
  public var keys: Set<ID>
  /// How many items are held in all, named or not; what ``SyncOptions/removalLimit`` goes by.
  public var count: Int

  /// These keys, of so many that are held.
  public init(keys: Set<ID>, count: Int) {
    self.keys = keys
    self.count = count
  }
}
