/// When a batch is closed, and which files don't join one.
enum BatchLimits {
  /// Files of a batch. More of them mean fewer flushes of the file system and transactions, and
  /// more to fetch again after a crash: from 256 to 1,024, a first copy of 10,000 small files takes
  /// a tenth less time.
  static let files = 1_024
  static let bytes: Int64 = 64 << 20
  /// How long a batch stays open after its first file.
  static let age = Duration.seconds(2)
  /// From this size on, a file is flushed and placed on its own.
  static let large: Int64 = 8 << 20
}
