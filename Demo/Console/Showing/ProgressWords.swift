struct ProgressLayout {
  var parts: [String]
  /// Before which part a bar stands; `nil` for none.
  var barPlace: Int?
  var gap = "  "

  func text(bar: String) -> String {
    var parts = parts
    if let barPlace { parts.insert(bar, at: barPlace) }
    return parts.joined(separator: gap)
  }
}

/// The parts of a line, in long and in short.
struct ProgressWords {
  var stage: String
  /// As wide whatever it says, so that the line stands still.
  var percent: String?
  var longItems: String
  var items: String
  var longBytes: String
  var bytes: String
  /// Rate, time left and remark, as far as there are any.
  var ends: [String]
  var shortEnds: [String]

  init(_ reading: ProgressMeter.Reading, _ amount: WorkProgress.Amount) {
    stage = reading.progress.stage
    percent = reading.percent.map {
      String(repeating: " ", count: $0 < 10 ? 2 : $0 < 100 ? 1 : 0) + "\($0)%"
    }
    let total = amount.itemsTotal
    longItems =
      total.map { "\(amount.itemsDone) of \(Amounts.count($0, "item"))" }
      ?? Amounts.count(amount.itemsDone, "item")
    items = total.map { "\(amount.itemsDone)/\($0)" } ?? "\(amount.itemsDone)"
    let done = amount.bytesDone
    longBytes =
      amount.bytesTotal.map { "\(Amounts.bytes(done)) of \(Amounts.bytes($0))" }
      ?? Amounts.bytes(done)
    bytes =
      amount.bytesTotal.map { "\(Amounts.shortBytes(done))/\(Amounts.shortBytes($0))" }
      ?? Amounts.shortBytes(done)
    let rate = reading.rate.map { Int64(min(max($0, 0), 1e18)) }
    let remark = reading.progress.remark
    let remarks = remark.isEmpty ? [] : [remark]
    ends =
      [
        rate.map { "\(Amounts.bytes($0))/s" },
        reading.timeLeft.map { "\(Amounts.guessedTime($0)) left" },
      ].compactMap { $0 } + remarks
    shortEnds =
      [rate.map { "\(Amounts.shortBytes($0))/s" }, reading.timeLeft.map(Amounts.shortGuessedTime)]
      .compactMap { $0 } + remarks
  }
}

extension String {
  /// Without blanks at its beginning.
  var trimmed: String { String(drop { $0 == " " }) }
}
