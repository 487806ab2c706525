/// B33 to B37: what an API gives, objects with arrays of objects in them, and links to some that
/// many share.
extension Scenario {
  static func nestedFirst(_ shop: Workshop) throws -> Scenario {
    let files = try shop.files(of: nested(shop, .first))
    let job = RecordJob(shop: shop, files: files, start: files.empty)
    let creating = job.program(
      "records, the program, making the tables", job.creatingProgram(),
      after: job.copying(files.blank))
    return nested(
      "B33", "First sync of \(users(files.set))", files,
      note: "\(Units.bytes(Double(try files.size))) of JSON into empty tables.",
      contenders: contenders(job) + [creating] + dlt(job),
      bars: [
        Bar("records", .wall, .times(0.6, fastestOf: ["Python"])),
        Bar(creating.name, .wall, .times(1.2, fastestOf: ["Python"])),
      ])
  }

  static func nestedUnchanged(_ shop: Workshop) throws -> Scenario {
    let files = try shop.files(of: nested(shop, .first))
    let job = RecordJob(shop: shop, files: files, start: files.whole)
    let again = job.creatingProgram()
    let creating = job.program(
      "records, the program, making the tables", again,
      after: Command.inTurn(job.copying(files.blank).text(naming: []), again.text(naming: [])))
    return nested(
      "B34", "Nothing changed, \(users(files.set))", files,
      note: "The tables hold what the payload says. dlt is left out, as it takes minutes: 462 s in "
        + "one run of dlt 1.31.0 on two cores, on 2026-11-29.",
      contenders: contenders(job) + [creating],
      bars: [
        Bar("records", .counted(RecordJob.Figure.changes.rawValue), .atMost(0)),
        Bar("records", .wall, .times(0.5, fastestOf: ["Python"])),
        Bar(creating.name, .wall, .times(1, fastestOf: ["Python"])),
      ])
  }

  static func nestedHundredth(_ shop: Workshop) throws -> Scenario {
    let before = try shop.files(of: nested(shop, .first))
    let files = try shop.files(of: nested(shop, .hundredth))
    let job = RecordJob(shop: shop, files: files, start: before.whole)
    return nested(
      "B35", "One user in a hundred changed, \(users(files.set))", files,
      note: "The user's name, and the state of the orders.", contenders: contenders(job),
      bars: [
        Bar(
          "records", .counted(RecordJob.Figure.changes.rawValue),
          .atMost(Double(files.set.changedCount * 4))),
        Bar("records", .wall, .times(0.6, fastestOf: ["Python"])),
      ])
  }

  static func nestedMemory(_ shop: Workshop) throws -> Scenario {
    try memory("B36", shop, nested(shop, .first))
  }

  static func nestedMemoryTenfold(_ shop: Workshop) throws -> Scenario {
    var set = nested(shop, .first)
    set.count *= 10
    return try memory("B37", shop, set)
  }

  private static func memory(
    _ name: String, _ shop: Workshop, _ set: RecordSet
  ) throws -> Scenario {
    let files = try shop.files(of: set)
    let empty = RecordJob(shop: shop, files: files, start: files.empty)
    let whole = RecordJob(shop: shop, files: files, start: files.whole)
    let contenders = [
      empty.program("records, first", files.json),
      whole.program("records, unchanged", files.json),
      empty.program(
        "records, making the tables", empty.creatingProgram(), after: empty.copying(files.blank)),
    ]
    return nested(
      name, "Memory for \(Units.bytes(Double(try files.size))) on disk, \(users(set))", files,
      note: "All of it is one transaction. Times and memory are of the whole process.",
      contenders: contenders, bars: contenders.map { Bar($0.name, .peak, .atMost(100 * 1_048_576)) }
    )
  }

  private static func nested(
    _ name: String, _ title: String, _ files: RecordFiles, note: String, contenders: [Contender],
    bars: [Bar]
  ) -> Scenario {
    Scenario(
      name: name, title: title,
      note: contenders.contains { $0.peer == .python } ? note + peers : note,
      contenders: contenders, bars: bars,
      room: Ground.Room(bytes: files.set.count * 4_000, files: 500), isServed: false)
  }

  private static let peers =
    " Python leaves equal rows alone and deletes what vanished. sqlite-utils is given parsed "
    + "objects, and what is nested is taken out by hand. Times of the program are of the whole "
    + "process."

  private static func nested(_ shop: Workshop, _ edition: RecordSet.Edition) -> RecordSet {
    RecordSet(shape: .users, count: shop.amount(100_000, quick: 50), edition: edition)
  }

  private static func users(_ set: RecordSet) -> String {
    "\(Units.count(set.count)) users with \(Units.count(set.count * 3)) orders, "
      + "\(Units.count(set.count * 4)) addresses and \(Units.count(set.count * 2)) tags"
  }

  private static func contenders(_ job: RecordJob) -> [Contender] {
    var python = job.contender(.python, job.python("guarded_tables"))
    python.lacks.removeAll { $0 == .remove }
    let packages =
      job.shop.hasPackages
      ? [job.contender(.sqliteUtils, job.python("sqlite_utils_tables"))] : []
    return [
      job.contender(.records, job.ours(), telling: [.changes]),
      job.program("records, the program", job.files.json), python,
    ] + packages
  }

  private static func dlt(_ job: RecordJob) -> [Contender] {
    guard job.shop.hasPackages else { return [] }
    return [
      job.contender(.dlt, job.dlt(), after: job.copying(job.files.blank), views: dltViews)
    ]
  }

  /// dlt links children to parents by columns of its own, and has no links: each child is a row.
  private static let dltViews = [
    "orders": "SELECT child.id, child.total, child.state, \(dltBelow("orders"))",
    "addresses": "SELECT child.id, child.city, child.zip, \(dltBelow("addresses"))",
    "tags": "SELECT DISTINCT id, label FROM main.users__tags",
    "users_tags": """
    SELECT parent.id AS user_id, child.id AS tag_id FROM main.users__tags AS child
    JOIN main.users AS parent ON parent._dlt_id = child._dlt_parent_id
    """,
  ]

  private static func dltBelow(_ name: String) -> String {
    """
    parent.id AS user_id FROM main.users__\(name) AS child
    JOIN main.users AS parent ON parent._dlt_id = child._dlt_parent_id
    """
  }
}
