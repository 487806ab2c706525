import OneWaySynchronizer

/// Checks the order of a synchronizer's events.
struct EventGrammar {
  private enum Place: Equatable {
    case idle
    case run(passes: Int)
    case pass(number: Int, SyncStage?)
  }

  private var place = Place.idle
  private var inFlight: Set<Int> = []

  /// The next event; a sentence if it may not come here.
  mutating func take(_ event: SyncEvent<Int>) -> String? {
    switch (event, place) {
    case (.runStarted, .idle): place = .run(passes: 0)
    case (.passStarted(let number), .run(let passes)) where number == passes + 1:
      place = .pass(number: number, nil)
    case (.stageEntered(let stage), .pass(let number, _)):
      guard inFlight.isEmpty else { return "\(inFlight) began and never ended" }
      place = .pass(number: number, stage)
    case (.planned, .pass(_, .prepareDownload)): break
    case (.itemStarted(let item), .pass(_, let open)) where item.stage == open:
      let isNew = inFlight.insert(item.key).inserted
      let isInTime = item.totals.ended < item.totals.total
      return isNew && isInTime ? nil : "\(event) comes twice, or too late"
    case (.itemFailed(let item), .pass(_, .commitDownloads)) where item.stage == .commitDownloads:
      break
    case (.itemFinished(let item), .pass(_, let open)) where item.stage == open,
      (.itemFailed(let item), .pass(_, let open)) where item.stage == open,
      (.itemCutShort(let item), .pass(_, let open)) where item.stage == open:
      return inFlight.remove(item.key) == nil ? "\(event) was not in flight" : nil
    case (.passEnded, .pass(let number, .end)): place = .run(passes: number)
    case (.runEnded, .run): place = .idle
    default: return "\(event) comes in \(place)"
    }
    return nil
  }
}
