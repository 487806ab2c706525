/// How a file is divided into parts, in bytes.
struct PartSizes: Sendable {
  /// The smallest file that comes in parts. Default 8 MiB: below that, what a further request costs
  /// is too much of the whole.
  var worthwhile: Int64 = 8 << 20
  /// The first part, and the least of the others but for the last. Default 4 MiB.
  var least: Int64 = 4 << 20
  /// The largest part. Default 32 MiB: after so many bytes, a file finds out anew how many streams
  /// it may have.
  var most: Int64 = 32 << 20
}
