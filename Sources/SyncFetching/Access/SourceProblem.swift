package import SyncFiles

/// Why there is no way to a source.
package enum SourceProblem: Error, Hashable, Sendable {
  /// The address, shown without secrets, is no http, https or file URL.
  case badAddress(String)
  /// A file that the access names can't be read; its path, escaped.
  case unreadableFile(SourceAccess.File, path: String)
  /// The folder of a source that is a file can't be opened; its path, escaped.
  case folder(path: String, Errno)
}
