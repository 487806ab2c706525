private import CSyncSQLite
private import SyncSystem

/// An open directory in which SQLite works, wherever it is moved to and whatever takes its place.
///
/// SQLite knows paths only, and opens the file and its log at different times: whoever may rename
/// the directory in between, and leave a link in its place, would lead it elsewhere. On Linux
/// `/proc/self/fd/N` leads to the very directory that is open (proc(5)).
final class DatabaseDirectory {
  private let raw: Int32

  /// Holds the directory by a descriptor of its own; `nil` where the system has no such paths.
  init?(_ descriptor: Int32) {
    raw = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard raw >= 0, Self.files != nil, access(path, F_OK) == 0 else { return nil }
  }

  deinit { close(raw) }

  /// The path that leads to it, for this process only.
  var path: String { "/proc/self/fd/\(raw)" }

  /// The name of SQLite's own way to files, but that it takes paths as they are: it would replace
  /// what it takes for a link by where that led when it looked. `nil` when there is none.
  static let files: String? = {
    guard let own = sqlite3_vfs_find(nil) else { return nil }
    let changed = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)  // for ever, as SQLite's
    changed.initialize(to: own.pointee)
    let name = "database-directory"
    changed.pointee.zName = UnsafePointer(strdup(name))
    changed.pointee.pNext = nil
    changed.pointee.xFullPathname = { _, path, capacity, result in
      guard let path, let result, strlen(path) < Int(capacity) else { return SQLITE_CANTOPEN }
      strcpy(result, path)
      return SQLITE_OK
    }
    return sqlite3_vfs_register(changed, 0) == SQLITE_OK ? name : nil
  }()
}
