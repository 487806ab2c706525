/// One line that shows how far work is, in as many columns as there are.
public enum ProgressLine {
  /// The widest bar, with its brackets.
  private static let widestBar = 42
  /// A bar that is narrower than this tells nothing.
  private static let narrowestBar = 14

  /// The line of a reading, at most `width` columns wide: what matters less is written shorter, and
  /// then left out.
  public static func text(_ reading: ProgressMeter.Reading, width: Int) -> String {
    guard let amount = reading.progress.amount else {
      return String(reading.progress.stage.prefix(max(width, 0)))
    }
    let words = ProgressWords(reading, amount)
    for layout in layouts(words) {
      let fixed = layout.parts.map(\.count).reduce(0) { $0 + $1 + layout.gap.count }
      let room = width - (fixed - layout.gap.count)
      guard layout.barPlace != nil else {
        if room >= 0 { return layout.parts.joined(separator: layout.gap) }
        continue
      }
      let bar = min(room - layout.gap.count, widestBar)
      if bar >= narrowestBar { return layout.text(bar: Self.bar(reading.percent ?? 0, bar)) }
    }
    return ""
  }

  /// The line as it stands in a log or a mail: with nothing left out, and no bar.
  public static func plainText(_ reading: ProgressMeter.Reading) -> String {
    guard let amount = reading.progress.amount else { return reading.progress.stage }
    let words = ProgressWords(reading, amount)
    let parts = [words.percent?.trimmed, words.longItems, words.longBytes] + words.ends
    return "\(words.stage): " + parts.compactMap { $0 }.joined(separator: ", ")
  }

  /// `[=====>    ]`, as wide as told.
  static func bar(_ percent: Int, _ width: Int) -> String {
    let room = width - 2
    let full = room * min(max(percent, 0), 100) / 100
    let head = full < room ? ">" : ""
    return "[" + String(repeating: "=", count: full) + head
      + String(repeating: " ", count: room - full - head.count) + "]"
  }

  /// From the richest to the poorest.
  private static func layouts(_ words: ProgressWords) -> [ProgressLayout] {
    let ends = words.ends
    let shortEnds = words.shortEnds
    func all(_ parts: [String?]) -> [String] { parts.compactMap { $0 } }
    let bar = words.percent == nil ? nil : 1
    return [
      ProgressLayout(
        parts: all([words.stage, words.percent, words.longItems, words.longBytes] + ends),
        barPlace: bar),
      ProgressLayout(
        parts: all([words.stage, words.percent, words.items, words.longBytes] + ends),
        barPlace: bar),
      ProgressLayout(
        parts: all([words.stage, words.percent, words.items, words.bytes] + shortEnds),
        barPlace: bar),
      ProgressLayout(
        parts: all([words.stage, words.percent, words.items, words.bytes] + shortEnds)),
      ProgressLayout(
        parts: all([words.percent?.trimmed, words.items, words.bytes] + shortEnds), gap: " "),
      ProgressLayout(parts: all([words.percent?.trimmed, words.bytes] + shortEnds), gap: " "),
      ProgressLayout(parts: all([words.percent?.trimmed ?? words.bytes] + shortEnds), gap: " "),
      ProgressLayout(
        parts: all([words.percent?.trimmed ?? words.bytes, words.shortEnds.last]), gap: " "),
      ProgressLayout(parts: all([words.percent?.trimmed ?? words.bytes])),
    ]
  }
}
