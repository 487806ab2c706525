package import SyncDatabase

package enum DocumentStorePlace: Sendable, Equatable {
  /// A file. The name must not be a link, but its directory, which must exist, may be reached
  /// through links.
  case file(String)
  /// In memory; it begins empty, and is gone with the store.
  case memory
}

package struct DocumentStoreOptions: Sendable {
  /// What may be done with the file. By default it's made if it's missing. A store that may only be
  /// read must have been brought up to date by who may write.
  package var access = ConnectionOptions.Access.create
  /// How long somebody else who writes is waited for. By default 5 s.
  package var busyTimeout = Duration.seconds(5)
  /// When a write waits for the disk. By default, what has returned survives a power cut.
  package var synchronous = ConnectionOptions.Synchronous.full
  /// The indexes on members that are wanted: those that are missing are made when the store is
  /// opened, and others that were declared before are removed. By default, they stay as they are.
  package var indexes: [MemberIndex]?
  /// What time it is, in milliseconds since 1970.
  package var clock: @Sendable () -> Int64 = WallClock.milliseconds

  package init() {}

  /// How SQLite is opened for it.
  var connection: ConnectionOptions {
    var options = ConnectionOptions()
    options.access = access
    options.busyTimeout = busyTimeout
    options.synchronous = synchronous
    options.declaredIndexes = MemberIndex.prefix
    return options
  }
}
