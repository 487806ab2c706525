/// B22 and B23: how much memory a payload takes.
extension Scenario {
  static func payloadInMemory(_ shop: Workshop) throws -> Scenario {
    let files = try shop.files(
      of: RecordSet(shape: .flat, count: shop.amount(400_000, quick: 1_000)))
    let jobs = [files.empty, files.whole].map { RecordJob(shop: shop, files: files, start: $0) }
    return Scenario(
      name: "B22",
      title: "Memory for a payload of \(Units.bytes(Double(try files.size))) in memory",
      note: "\(Units.count(files.set.count)) objects of 7 columns. Counted is what memory grows "
        + "by, with the payload's own bytes.",
      contenders: zip(["records, first", "records, unchanged"], jobs).map {
        $1.contender(.records, named: $0, $1.ours(), telling: [.memory])
      },
      bars: ["records, first", "records, unchanged"].map {
        Bar($0, .extra(RecordJob.Figure.memory.rawValue), .atMost(3))
      },
      room: flatRoom(files), isServed: false)
  }

  static func payloadFromDisk(_ shop: Workshop) throws -> Scenario {
    let files = try shop.files(
      of: RecordSet(shape: .long, count: shop.amount(600_000, quick: 1_000)))
    let empty = RecordJob(shop: shop, files: files, start: files.empty)
    let whole = RecordJob(shop: shop, files: files, start: files.whole)
    let contenders = [
      empty.program("records, an array, first", files.json),
      whole.program("records, an array, unchanged", files.json),
      whole.program("records, lines, unchanged", files.lines),
    ]
    return Scenario(
      name: "B23", title: "Memory for a payload of \(Units.bytes(Double(try files.size))) on disk",
      note: "\(Units.count(files.set.count)) objects with a text of a KiB, as an array and as one "
        + "object a line, read by the program: all of it is one transaction. Times and memory are "
        + "of the whole process.",
      contenders: contenders,
      bars: contenders.map { Bar($0.name, .peak, .atMost(100 * 1_048_576)) },
      room: Ground.Room(bytes: files.set.count * 2_000, files: 100), isServed: false)
  }
}
