import CatalogMirror
import SyncFiles

/// Work on packs that failed: what was tried, on which path, and what the system said.
struct PackFailure: Error, Equatable {
  var action: String
  var path: String
  var errno: Errno

  /// Runs `body`, and says of a system call that fails what it was for.
  static func translating<Value>(
    _ action: String, _ path: [UInt8], _ body: () throws(Errno) -> Value
  ) throws(PackFailure) -> Value {
    do {
      return try body()
    } catch {
      throw PackFailure(action: action, path: CatalogKey.escape(path), errno: error)
    }
  }
}
