/// When a file counts as being on the disk.
public enum Durability: String, Hashable, Sendable, CaseIterable {
  /// Many files share one flush of the file system.
  case batch
  /// Every file is flushed on its own.
  case file
  /// When the system sees fit: the fastest, and a power cut may cost what was recorded.
  case none

  /// What this system can do: without a flush of a whole file system, a batch is flushed file by
  /// file.
  var effective: Durability {
    #if os(Linux)
      self
    #else
      self == .batch ? .file : self
    #endif
  }
}
