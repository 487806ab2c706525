/// One question, and everybody who is asked it.
struct Scenario {
  var name: String
  /// What is measured, as a heading.
  var title: String
  /// What a reader has to know about the data and the conditions.
  var note: String
  var contenders: [Contender]
  var bars: [Bar] = []
  /// What the copies have to equal in the end.
  var set: DataSet?
  /// The file system that a round needs; none where nothing is copied.
  var room: Ground.Room?
  /// Rounds in place of one, where one is short.
  var repeats = 1
  /// Sees to it that the source is as it should be before the first copies and before the rounds.
  var enter: (Phase) throws -> Void = { _ in }
  /// Sentences that follow from the results.
  var remarks: ([ContenderResult]) -> [String] = { _ in [] }

  enum Phase {
    case preparing
    case measuring
    case over
  }

  /// Every scenario, made when its turn comes.
  static let all: [(name: String, make: @Sendable (Workshop) throws -> Scenario)] = [
    ("B1", firstCopyFromCatalog), ("B2", firstCopyFromListing), ("B3", nothingChanged),
    ("B4", nothingChangedFarAway), ("B5", aHundredthChanged), ("B6", oneLargeFile),
    ("B7", mixedSizes), ("B8", previewsFirst), ("B9", millionUnchanged), ("B10", millionListedAnew),
    ("B11", interrupted), ("B12", engineAlone), ("B13", start),
  ]

  static var names: Set<String> { Set(all.map(\.name)) }
}
