/// How much something is in bytes, as people read it.
package enum ByteAmount {
  /// `512 B`, `1.5 KiB`, `20.0 MiB`: at most three digits before the point, in powers of 1,024.
  package static func text(_ count: Int64) -> String {
    var amount = Double(count)
    if amount < 1_000 { return "\(count) B" }
    for unit in ["KiB", "MiB", "GiB"] {
      amount /= 1_024
      if amount < 1_000 { return "\(number(amount)) \(unit)" }
    }
    return "\(number(amount / 1_024)) TiB"
  }

  private static func number(_ amount: Double) -> String {
    amount >= 100 ? "\(Int64(amount.rounded()))" : "\((amount * 10).rounded() / 10)"
  }
}
