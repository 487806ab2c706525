import Foundation

/// What one round of one contender came to.
struct Sample: Codable {
  /// Seconds on the wall.
  var wall: Double
  /// Seconds of processor time, of the program and its children.
  var cpu: Double
  /// The most memory that was resident at once, in bytes.
  var peak: Int
  /// What nginx was asked for; nothing where another server answered.
  var traffic: AccessLog.Traffic?
  /// Seconds of processor time that the server took.
  var server: Double
  /// Files of the copy that were missing or wrong afterwards.
  var stale: Int
  /// What only some scenarios measure, by name.
  var extra: [String: Double] = [:]

  /// What the server took of two cores.
  var serverShare: Double { wall > 0 ? server / (2 * wall) : 0 }
}

/// The same figure from every round.
struct Series: Codable {
  var median: Double
  var least: Double
  var most: Double

  init(_ values: [Double]) {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    (least, most) = (sorted.first ?? 0, sorted.last ?? 0)
    median =
      sorted.isEmpty
      ? 0 : sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
