import SyncText

/// Numbers as people read them.
public enum Amounts {
  /// `512 B`, `1.5 KiB`, `20 MiB`.
  public static func bytes(_ count: Int64) -> String {
    ByteAmount.text(count)
  }

  /// Before bytes that were rounded elsewhere, or guessed.
  public static let about = "about "

  /// The same where there is little room: `512B`, `1.5K`, `20.0M`.
  public static func shortBytes(_ count: Int64) -> String {
    bytes(count).replacing(" ", with: "").replacing("iB", with: "")
  }

  /// `0.4 s`, `12 s`, `3 min 5 s`, `2 h 10 min`, `7 days`, `2 days 3 h`.
  public static func time(_ duration: Duration) -> String {
    let seconds = duration / .seconds(1)
    if seconds < 10 { return "\((seconds * 10).rounded() / 10) s" }
    guard seconds < 1e9 else { return "years" }
    let whole = Int(seconds.rounded())
    if whole < 60 { return "\(whole) s" }
    if whole < 3_600 { return "\(whole / 60) min \(whole % 60) s" }
    let hours = whole / 3_600
    if hours < 48 { return "\(hours) h \(whole / 60 % 60) min" }
    return "\(hours / 24) days" + (hours % 24 > 0 ? " \(hours % 24) h" : "")
  }

  /// `1 item`, `2 items`.
  public static func count(_ count: Int, _ singular: String, _ plural: String? = nil) -> String {
    "\(count) \(count == 1 ? singular : plural ?? singular + "s")"
  }

  /// A time that is only guessed, and so is said in steps that don't change with every look: `8 s`,
  /// `35 s`, `3 min 10 s`, `25 min`, `2 h 10 min`.
  public static func guessedTime(_ duration: Duration) -> String {
    let seconds = duration / .seconds(1)
    guard seconds < 1e9 else { return "years" }
    func steps(_ step: Double) -> Int { Int((seconds / step).rounded(.up) * step) }
    switch seconds {
    case ..<10: return "\(steps(1)) s"
    case ..<55: return "\(steps(5)) s"
    case ..<590:
      let (minutes, rest) = steps(10).quotientAndRemainder(dividingBy: 60)
      return rest == 0 ? "\(minutes) min" : "\(minutes) min \(rest) s"
    case ..<3_540: return "\(steps(60) / 60) min"
    default:
      let (hours, minutes) = (steps(600) / 60).quotientAndRemainder(dividingBy: 60)
      return minutes == 0 ? "\(hours) h" : "\(hours) h \(minutes) min"
    }
  }

  /// The same where there is little room: `8s`, `3m10s`, `2h10m`.
  public static func shortGuessedTime(_ duration: Duration) -> String {
    guessedTime(duration).replacing(" min", with: "m").replacing(" h", with: "h")
      .replacing(" s", with: "s").replacing(" ", with: "")
  }
}
