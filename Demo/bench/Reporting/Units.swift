import Foundation

/// Figures as people read them.
enum Units {
  static func time(_ seconds: Double) -> String {
    switch seconds {
    case ..<0.1: String(format: "%.1f ms", seconds * 1_000)
    case ..<1: String(format: "%.0f ms", seconds * 1_000)
    case ..<10: String(format: "%.2f s", seconds)
    default: String(format: "%.1f s", seconds)
    }
  }

  static func bytes(_ count: Double) -> String {
    switch count {
    case ..<1_024: String(format: "%.0f B", count)
    case ..<1_048_576: String(format: "%.1f KiB", count / 1_024)
    case ..<1_073_741_824: String(format: "%.1f MiB", count / 1_048_576)
    default: String(format: "%.2f GiB", count / 1_073_741_824)
    }
  }

  static func ratio(_ value: Double) -> String { String(format: "%.2f ×", value) }

  static func share(_ value: Double) -> String { String(format: "%.0f %%", value * 100) }

  /// A whole number with its thousands apart.
  static func count(_ number: Int) -> String {
    let digits = Array(String(number))
    let groups = stride(from: digits.count % 3, to: digits.count, by: 3).map {
      String(digits[$0..<$0 + 3])
    }
    let head = String(digits[..<(digits.count % 3)])
    return ((head.isEmpty ? [] : [head]) + groups).joined(separator: ",")
  }

  /// A figure of its own kind.
  static func figure(_ value: Double, _ measure: Bar.Measure) -> String {
    switch measure {
    case .wall: time(value)
    case .peak: bytes(value)
    case .requests: count(Int(value))
    case .extra, .counted:
      value >= 1_000 && value == value.rounded()
        ? count(Int(value)) : String(format: "%.4g", value)
    }
  }
}
