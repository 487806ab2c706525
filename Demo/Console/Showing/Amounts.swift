import Foundation

/// Numbers as people read them.
package enum Amounts {
  /// `512 B`, `1.5 KiB`, `20 MiB`.
  package static func bytes(_ count: Int64) -> String {
    var amount = Double(count)
    for unit in ["B", "KiB", "MiB", "GiB"] {
      if amount < 1_000 { return number(amount, isWhole: unit == "B") + " " + unit }
      amount /= 1_024
    }
    return number(amount, isWhole: false) + " TiB"
  }

  /// `0.4 s`, `12 s`, `3 min 5 s`, `2 h 10 min`.
  package static func time(_ duration: Duration) -> String {
    let seconds = duration / .seconds(1)
    if seconds < 10 { return number(seconds, isWhole: false) + " s" }
    guard seconds < 1e9 else { return "years" }
    let whole = Int(seconds.rounded())
    if whole < 60 { return "\(whole) s" }
    if whole < 3_600 { return "\(whole / 60) min \(whole % 60) s" }
    return "\(whole / 3_600) h \(whole / 60 % 60) min"
  }

  /// `1 item`, `2 items`.
  package static func count(_ count: Int, _ singular: String, _ plural: String? = nil) -> String {
    "\(count) \(count == 1 ? singular : plural ?? singular + "s")"
  }

  private static func number(_ amount: Double, isWhole: Bool) -> String {
    String(format: isWhole || amount >= 100 ? "%.0f" : "%.1f", amount)
  }
}
