import CSyncSQLite
import SyncTransport

/// The libraries that the programs run with, as `--version` names them.
public enum Libraries {
  /// Those of a program that fetches and has a database: libcurl, what it stands on, and SQLite.
  public static let ofFetching =
    CurlLibrary.parts + ["SQLite \(String(cString: sqlite3_libversion()))"]
}
