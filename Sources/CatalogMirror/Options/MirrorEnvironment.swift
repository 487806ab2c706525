package import SyncDatabase
import SyncEssentials
package import SyncFetching
package import SyncFiles
package import SyncFolder
package import SyncTransport

/// What a mirror takes from the outside world: the seams at which tests and simulations dock.
package struct MirrorEnvironment: Sendable {
  /// The date, in seconds since 1970: for names, records and the quarantine.
  package var now: @Sendable () -> Double = { Date().timeIntervalSince1970 }
  package var clock: any Clock<Duration> = ContinuousClock()
  /// From 0 up to 1, for the spread of waits.
  package var random: @Sendable () -> Double = { .random(in: 0..<1) }
  package var makeTransport: @Sendable (TransportConfiguration) throws -> any Transport = {
    CurlTransport($0)
  }
  /// What is shared with other mirrors of the process; `nil` for nothing.
  package var pool: ConnectionPool?
  /// The variables that name keys of buckets, and where they lie.
  package var variables: @Sendable () -> [String: String] = {
    ProcessInfo.processInfo.environment
  }
  /// Where blocking work on the disk is done; called for each of a run's queues.
  package var makeDiskQueue: @Sendable () -> any DiskQueue = { DispatchDiskQueue() }
  /// Where the folder lies, and a catalog that is a file.
  package var fileSystem: any FileSystem = SystemFileSystem()
  /// The SQLite VFS that reaches the index there; `nil` is SQLite's own.
  package var indexVFS: String?
  package var makeIndexExecutor: @Sendable () -> any BlockingExecutor = {
    QueueExecutor(label: "mirror.index")
  }
  /// How long to wait for another program that holds the index.
  package var indexPatience = Duration.seconds(5)
  /// How long a listing may have lain there when the look at the files has ended; one that lay
  /// longer, and that has changed, is fetched again.
  package var listingPatience = Duration.seconds(60)
  /// How often a run says at most, in its folder, how far it is.
  package var statusInterval = Duration.seconds(1)
  /// How large files are divided into parts.
  var partSizes = PartSizes()
  /// What a folder's file system folds; `nil` probes it.
  package var folding: NameFolding?
  package var executor: (any TaskExecutor)?

  package init() {}
}
