import Foundation

/// B18, B19, B20 and B21: rows that hang on each other, and a row among many.
extension Scenario {
  static func familyFirst(_ shop: Workshop) throws -> Scenario {
    let files = try shop.files(of: family(shop))
    let job = RecordJob(shop: shop, files: files, start: files.empty)
    return Scenario(
      name: "B18", title: "First sync of \(families(files.set))", note: dltNote,
      contenders: [job.contender(.records, job.ours())]
        + (shop.hasPackages
          ? [
            job.contender(
              .dlt, job.dlt(), after: job.copying(files.blank), views: dltViews)
          ] : []),
      bars: dltBar(shop, 0.1), room: familyRoom(files), isServed: false)
  }

  static func familyUnchanged(_ shop: Workshop) throws -> Scenario {
    let files = try shop.files(of: family(shop))
    let job = RecordJob(shop: shop, files: files, start: files.whole)
    let merge = job.dlt()
    let before = Command.inTurn(
      job.copying(files.blank).text(naming: []), merge.text(naming: []))
    return Scenario(
      name: "B19", title: "Nothing changed, \(families(files.set))", note: dltNote,
      contenders: [job.contender(.records, job.ours())]
        + (shop.hasPackages
          ? [job.contender(.dlt, merge, after: before, views: dltViews)] : []),
      bars: dltBar(shop, 0.025), room: familyRoom(files), isServed: false)
  }

  static func tenfold(_ shop: Workshop) throws -> Scenario {
    let count = shop.amount(10_000, quick: 50)
    let files = try [count, max(1, count / 10)].map {
      try shop.files(of: RecordSet(shape: .graph, count: $0))
    }
    let (whole, tenth) = (files[0], files[1])
    func contender(_ name: String, _ files: RecordFiles, _ start: KeyPath<RecordFiles, URL>)
      -> Contender
    {
      let job = RecordJob(shop: shop, files: files, start: files[keyPath: start])
      return job.contender(.records, named: name, job.ours())
    }
    return Scenario(
      name: "B20",
      title: "\(Units.count(count)) parents, \(Units.count(count * 10)) children and "
        + "\(Units.count(count * 20)) links, and a tenth of them",
      note: "Each parent has ten children, each child two labels, by their keys.",
      contenders: [
        contender("records, first", whole, \.empty),
        contender("records, first, a tenth", tenth, \.empty),
        contender("records, unchanged", whole, \.whole),
        contender("records, unchanged, a tenth", tenth, \.whole),
      ],
      bars: [
        Bar("records, first", .wall, .times(12, fastestOf: ["records, first, a tenth"])),
        Bar("records, unchanged", .wall, .times(12, fastestOf: ["records, unchanged, a tenth"])),
      ],
      room: Ground.Room(bytes: count * 5_000, files: 100), isServed: false)
  }

  static func oneByOne(_ shop: Workshop) throws -> Scenario {
    let (many, few) = (shop.amount(100_000, quick: 500), shop.amount(1_000, quick: 10))
    let contenders = try [many, few].map { count in
      let files = try shop.files(of: RecordSet(shape: .flat, count: count))
      let job = RecordJob(shop: shop, files: files, start: files.whole)
      return job.contender(
        .records, named: "records, among \(Units.count(count))", job.puts(100),
        views: ["items": "SELECT * FROM main.items WHERE id <= \(count)"])
    }
    return Scenario(
      name: "B21", title: "A hundred new objects one at a time, among many rows and among few",
      note: "Each is a transaction of its own.", contenders: contenders,
      bars: [Bar(contenders[0].name, .wall, .times(1.3, fastestOf: [contenders[1].name]))],
      room: Ground.Room(bytes: many * 600, files: 100), isServed: false)
  }

  private static func family(_ shop: Workshop) -> RecordSet {
    RecordSet(shape: .family, count: shop.amount(10_000, quick: 50))
  }

  private static func families(_ set: RecordSet) -> String {
    "\(Units.count(set.count)) parents with \(Units.count(set.count * set.width)) children"
  }

  private static func familyRoom(_ files: RecordFiles) -> Ground.Room {
    Ground.Room(bytes: files.set.count * 6_000, files: 500)
  }

  private static let dltNote =
    "One array of nested objects. dlt is given parsed objects and merges them into tables of its "
    + "own, which have columns of its own besides, for its nesting and its loads."

  private static func dltBar(_ shop: Workshop, _ limit: Double) -> [Bar] {
    shop.hasPackages ? [Bar("records", .wall, .times(limit, fastestOf: ["dlt"]))] : []
  }

  /// dlt links children to parents by columns of its own.
  private static let dltViews = [
    "children": """
    SELECT child.id AS id, parent.id AS parent_id, child.name AS name, child.age AS age
    FROM main.parents__children AS child
    JOIN main.parents AS parent ON parent._dlt_id = child._dlt_parent_id
    """
  ]
}
