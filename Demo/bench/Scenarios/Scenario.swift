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
  /// The server that is asked; nothing for the nginx of all.
  var server: (any CountedServer)?
  /// Whether contenders fetch from a server.
  var isServed = true

  enum Phase {
    case preparing
    case measuring
    case over
  }
}

extension Scenario {
  /// A scenario that is yet to be made.
  struct Entry {
    var name: String
    var group: Group
    /// Called when its turn comes.
    var make: @Sendable (Workshop) throws -> Scenario
  }

  /// Every scenario.
  static let all: [Entry] =
    mirrors.map { Entry(name: $0, group: .mirror, make: $1) }
    + catalogs.map { Entry(name: $0, group: .catalogs, make: $1) }
    + packed.map { Entry(name: $0, group: .packed, make: $1) }
    + records.map { Entry(name: $0, group: .records, make: $1) }
    + nested.map { Entry(name: $0, group: .nested, make: $1) }
    + documents.map { Entry(name: $0, group: .documents, make: $1) }

  static var names: Set<String> { Set(all.map(\.name)) }

  /// The scenarios of a part.
  static func names(of group: Group) -> Set<String> {
    Set(all.filter { $0.group == group }.map(\.name))
  }

  private typealias Named = (name: String, make: @Sendable (Workshop) throws -> Scenario)

  private static let mirrors: [Named] = [
    ("B1", firstCopyFromCatalog), ("B2", firstCopyFromListing), ("B3", nothingChanged),
    ("B4", nothingChangedFarAway), ("B5", aHundredthChanged), ("B6", oneLargeFile),
    ("B7", mixedSizes), ("B8", previewsFirst), ("B9", millionUnchanged), ("B10", millionListedAnew),
    ("B11", interrupted), ("B12", engineAlone), ("B13", start), ("B26", smallFilesFarAway),
    ("B27", largeFilesFarAway), ("B28", millionRead),
  ]

  private static let catalogs: [Named] = [
    ("B30", apacheListing), ("B31", bucket), ("B32", packages),
  ]

  private static let packed: [Named] = [
    ("B38", firstCopyFromPacks), ("B39", packsFarAway), ("B40", publishedFirst),
    ("B41", publishedAgain),
  ]

  private static let records: [Named] = [
    ("B14", flatFirst), ("B15", flatUnchanged), ("B16", flatHundredth), ("B17", flatChanged),
    ("B18", familyFirst), ("B19", familyUnchanged), ("B20", tenfold), ("B21", oneByOne),
    ("B22", payloadInMemory), ("B23", payloadFromDisk),
  ]

  private static let nested: [Named] = [
    ("B33", nestedFirst), ("B34", nestedUnchanged), ("B35", nestedHundredth),
    ("B36", nestedMemory), ("B37", nestedMemoryTenfold),
  ]

  private static let documents: [Named] = [("B24", documentsSaved), ("B25", documentsRead)]
}
