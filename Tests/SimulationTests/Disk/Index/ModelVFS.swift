import CSyncSQLite
import SyncLock
import TestSupport

/// An SQLite VFS over the disk of one process (sqlite.org, "The SQLite OS Interface"): it does on
/// the model what SQLite's own does on Linux.
///
/// Registered under ``name`` for as long as this is held; hold it until no connection is being
/// opened any more. Connections that are still open then go on working.
final class ModelVFS: Sendable {
  /// What a connection is opened with.
  let name: String
  private let core: Core
  private static let count = Locked(0)

  /// What open files hold on to: SQLite looks at it until a connection's last file is closed.
  final class Core: @unchecked Sendable {  // `vfs` and `name` are only SQLite's to read
    let vfs: UnsafeMutablePointer<sqlite3_vfs>
    let fileSystem: ModelFileSystem
    let random: Locked<SeededGenerator>
    private let name: UnsafeMutableBufferPointer<CChar>

    init(_ text: String, _ fileSystem: ModelFileSystem, seed: UInt64) {
      let characters = Array(text.utf8CString)
      name = .allocate(capacity: characters.count)
      _ = name.initialize(from: characters)
      vfs = .allocate(capacity: 1)
      vfs.initialize(to: Self.table)
      self.fileSystem = fileSystem
      random = Locked(SeededGenerator(seed: seed))
      vfs.pointee.zName = UnsafePointer(name.baseAddress)
      vfs.pointee.pAppData = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit {
      vfs.deallocate()
      name.deallocate()
    }

    static func of(_ vfs: UnsafeMutablePointer<sqlite3_vfs>?) -> Core {
      guard let data = vfs?.pointee.pAppData else {
        preconditionFailure("SQLite gives back what was registered")
      }
      return Unmanaged<Core>.fromOpaque(data).takeUnretainedValue()
    }
  }

  /// A VFS for the process of `fileSystem`; `seed` is that of the numbers that SQLite asks it for.
  init(_ fileSystem: ModelFileSystem, seed: UInt64 = 0) {
    let number = Self.count.withLock { count in
      count += 1
      return count
    }
    name = "model-\(number)"
    core = Core(name, fileSystem, seed: seed)
    let result = sqlite3_vfs_register(core.vfs, 0)
    precondition(result == SQLITE_OK, "SQLite refuses a VFS: \(result)")
  }

  deinit { sqlite3_vfs_unregister(core.vfs) }
}
