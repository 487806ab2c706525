/// B14, B15, B16 and B17: many objects of seven columns.
extension Scenario {
  static func flatFirst(_ shop: Workshop) throws -> Scenario {
    let files = try shop.files(of: flat(shop, .first))
    let job = RecordJob(shop: shop, files: files, start: files.empty)
    return Scenario(
      name: "B14", title: "First sync of \(Units.count(files.set.count)) objects of 7 columns",
      note: "\(Units.bytes(Double(try files.size))) of JSON into an empty table. \(peersNote)",
      contenders: flatContenders(job),
      bars: [
        Bar("records", .wall, .times(0.8, fastestOf: ["Python"])),
        Bar("records", .wall, .times(0.5, fastestOf: ["JSONDecoder"])),
        Bar("records", .wall, .times(1.6, fastestOf: ["C"])),
      ]
        + (shop.hasPackages
          ? [Bar("records", .wall, .times(0.4, fastestOf: ["sqlite-utils"]))] : []),
      room: flatRoom(files), isServed: false)
  }

  static func flatUnchanged(_ shop: Workshop) throws -> Scenario {
    let files = try shop.files(of: flat(shop, .first))
    let job = RecordJob(shop: shop, files: files, start: files.whole)
    return Scenario(
      name: "B15", title: "Nothing changed, \(Units.count(files.set.count)) objects of 7 columns",
      note: "The table holds what the payload says. \(peersNote)",
      contenders: flatContenders(job),
      bars: [
        changes(atMost: 0), Bar("records", .wall, .times(0.6, fastestOf: ["Python"])),
      ],
      room: flatRoom(files), isServed: false)
  }

  static func flatHundredth(_ shop: Workshop) throws -> Scenario {
    let before = try shop.files(of: flat(shop, .first))
    let files = try shop.files(of: flat(shop, .hundredth))
    let job = RecordJob(shop: shop, files: files, start: before.whole)
    let unchanged = RecordJob(shop: shop, files: before, start: before.whole)
    return Scenario(
      name: "B16", title: "One object in a hundred of \(Units.count(files.set.count)) changed",
      note: "Two columns of each such object. The report names every row that was changed. It "
        + "can't be switched off, so that what it costs isn't measured by itself.",
      contenders: flatContenders(job)
        + [unchanged.contender(.records, named: "records, unchanged", unchanged.ours())],
      bars: [
        changes(atMost: files.set.changedCount),
        Bar("records", .wall, .times(1.15, fastestOf: ["records, unchanged"])),
      ],
      room: flatRoom(files), isServed: false)
  }

  static func flatChanged(_ shop: Workshop) throws -> Scenario {
    let before = try shop.files(of: flat(shop, .first))
    let files = try shop.files(of: flat(shop, .all))
    let job = RecordJob(shop: shop, files: files, start: before.whole)
    return Scenario(
      name: "B17", title: "All of \(Units.count(files.set.count)) objects changed",
      note: "Two columns of each.", contenders: flatContenders(job),
      bars: [changes(atMost: files.set.changedCount)], room: flatRoom(files), isServed: false)
  }

  private static func flat(_ shop: Workshop, _ edition: RecordSet.Edition) -> RecordSet {
    RecordSet(shape: .flat, count: shop.amount(100_000, quick: 500), edition: edition)
  }

  private static func changes(atMost count: Int) -> Bar {
    Bar("records", .counted(RecordJob.Figure.changes.rawValue), .atMost(Double(count)))
  }

  static func flatRoom(_ files: RecordFiles) -> Ground.Room {
    Ground.Room(bytes: files.set.count * 600, files: 100)
  }

  private static let peersNote =
    "Python parses with its own `json` and upserts in one transaction, with a condition that "
    + "leaves equal rows alone, as `JSONDecoder`'s loop and the one in C do. The latter has its "
    + "values ready, and is the floor. sqlite-utils is given parsed objects."

  private static func flatContenders(_ job: RecordJob) -> [Contender] {
    let packages =
      job.shop.hasPackages
      ? [job.contender(.sqliteUtils, job.python("sqlite_utils_upsert"))] : []
    return [
      job.contender(.records, job.ours(), telling: [.changes]),
      job.program("records, the program", job.files.json),
      job.contender(.python, job.python("guarded_upsert")),
    ] + packages + [
      job.contender(.decoder, job.decoder()),
      job.contender(.floor, job.floor()),
    ]
  }
}
