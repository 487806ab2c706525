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

  /// Two amounts that are set against each other: to the byte where they would read the same.
  package static func texts(_ one: Int64, _ other: Int64) -> (String, String) {
    let texts = (text(one), text(other))
    return texts.0 == texts.1 && one != other ? ("\(one) B", "\(other) B") : texts
  }

  /// So much of so much: `1.5 KiB of 20.0 MiB`.
  package static func share(_ part: Int64, of whole: Int64) -> String {
    let (part, whole) = texts(part, whole)
    return "\(part) of \(whole)"
  }

  private static func number(_ amount: Double) -> String {
    amount >= 100 ? "\(Int64(amount.rounded()))" : "\((amount * 10).rounded() / 10)"
  }
}
