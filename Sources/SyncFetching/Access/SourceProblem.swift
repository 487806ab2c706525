package import SyncFiles

/// Why there is no way to a source.
package enum SourceProblem: Error, Hashable, Sendable {
  /// The address, shown without secrets, is no http, https or file URL.
  case badAddress(String)
  /// A file that the access names can't be read; its path, escaped.
  case unreadableFile(SourceAccess.File, path: String)
  /// A profile of Amazon's tools, escaped, that was named can't be used.
  case profile(String, ProfileProblem)
  /// The folder of a source that is a file can't be opened; its path, escaped.
  case folder(path: String, Errno)
}

/// Why a profile can't be used.
public enum ProfileProblem: Hashable, Sendable {
  /// Neither file has it.
  case missing
  /// It has no key of its own: it says where to get one.
  case withoutKey
}
