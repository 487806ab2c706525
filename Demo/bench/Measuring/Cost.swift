/// What a command cost, with its children that it waited for (wait4(2)), as the launcher tells it.
struct Cost: Codable {
  /// Seconds on the wall, from before its start until it was waited for.
  var wall: Double
  /// Seconds of processor time in user mode.
  var user: Double
  /// Seconds of processor time in the kernel.
  var system: Double
  /// The most memory that was resident at once, in bytes.
  var peak: Int
  /// Its exit status; 128 and the signal's number if a signal ended it.
  var status: Int32
  /// When it was started, in seconds since 1970.
  var began: Double

  /// What two commands in a row cost.
  static func + (one: Self, other: Self) -> Self {
    Self(
      wall: one.wall + other.wall, user: one.user + other.user, system: one.system + other.system,
      peak: max(one.peak, other.peak), status: other.status, began: one.began)
  }
}
