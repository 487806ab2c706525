import OneWaySynchronizer

/// Checks the order of a synchronizer's events (C29).
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
      inFlight = []  // what was cut short has no end of its own
      place = .pass(number: number, stage)
    case (.planned, .pass(_, .prepareDownload)): break
    case (.itemStarted(let stage, let key, let totals), .pass(_, let open)) where stage == open:
      let isNew = inFlight.insert(key).inserted
      return isNew && totals.finished < totals.total ? nil : "\(event) comes twice, or too late"
    case (.itemFailed(.commitDownloads, _, _, _), .pass(_, .commitDownloads)): break
    case (.itemFinished(let stage, let key, _), .pass(_, let open)) where stage == open,
      (.itemFailed(let stage, let key, _, _), .pass(_, let open)) where stage == open:
      return inFlight.remove(key) == nil ? "\(event) was not in flight" : nil
    case (.passEnded, .pass(let number, .end)): place = .run(passes: number)
    case (.runEnded, .run(1...)): place = .idle
    default: return "\(event) comes in \(place)"
    }
    return nil
  }
}
