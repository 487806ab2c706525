import Foundation

/// Sizes as on a real mirror: most files are small, most bytes are in few.
enum SizeMix {
  private static let least = 1_024
  private static let most = 64 << 20
  /// How far the logarithms scatter: half of the files are below a seventh of the mean.
  private static let deviation = 2.0

  /// Log-normal sizes within the bounds that come to `total`, to the byte.
  static func sizes(count: Int, total: Int) -> [Int] {
    var noise = Noise(of: "sizes")
    let shape = (0..<count).map { _ in exp(deviation * normal(&noise)) }
    var scale = Double(total) / shape.reduce(0, +)
    var sizes: [Int] = []
    // What the bounds cut off or add is shared by the rest; a few turns bring it close.
    for _ in 0..<50 {
      sizes = shape.map { min(most, max(least, Int($0 * scale))) }
      scale *= Double(total) / Double(sizes.reduce(0, +))
    }
    let left = total - sizes.reduce(0, +)
    if let middle = sizes.indices.first(where: {
      sizes[$0] > least + abs(left) && sizes[$0] + left <= most
    }) {
      sizes[middle] += left
    }
    return sizes
  }

  /// One number of the normal distribution (Box and Muller, 1958).
  private static func normal(_ noise: inout Noise) -> Double {
    let one = Double.random(in: Double.leastNonzeroMagnitude..<1, using: &noise)
    let other = Double.random(in: 0..<1, using: &noise)
    return (-2 * log(one)).squareRoot() * cos(2 * .pi * other)
  }
}
