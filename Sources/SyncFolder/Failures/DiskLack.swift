/// What a file system may lack without which no mirror can be kept on it.
public enum DiskLack: Hashable, Sendable {
  /// The length of a file can't be changed, as that of an index is.
  case resizing
  /// Files or directories can't be removed.
  case removing
}

extension DiskLack: CustomStringConvertible {
  /// The end of a sentence that began with the file system.
  public var description: String {
    switch self {
    case .resizing: "can't change the length of a file"
    case .removing: "can't remove files or directories"
    }
  }
}
