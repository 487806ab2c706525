import Foundation

/// B9, B10 and B28: a million entries, of empty files, so that nothing but the entries counts.
extension Scenario {
  static func millionUnchanged(_ shop: Workshop) throws -> Scenario {
    let count = shop.amount(1_000_000, quick: 3_000)
    let catalog = EmptyFiles(name: "empty", count: count)
    try catalog.publish(shop, edition: 0)
    let job = try shop.job(catalog.set)
    let first = job.ours("--durability", "none")
    return Scenario(
      name: "B9", title: "Nothing changed, \(Units.count(count)) entries",
      note: "Empty files, whose metadata is in memory. No peer is asked.",
      contenders: [
        Contender(.mirror, job.ours(), after: first, expecting: .nothingNew),
        Contender(
          .mirror, "mirror, trusting", job.ours("--trust-index"), after: first, lacks: [.look],
          expecting: .nothingNew),
      ].map(catalog.countingMissing),
      bars: [
        Bar("mirror", .wall, .atMost(4)), Bar("mirror", .peak, .atMost(100 * 1_048_576)),
        Bar("mirror, trusting", .wall, .atMost(0.5)),
        Bar("mirror, trusting", .peak, .atMost(100 * 1_048_576)),
      ],
      room: catalog.room)
  }

  static func millionListedAnew(_ shop: Workshop) throws -> Scenario {
    let count = shop.amount(1_000_000, quick: 3_000)
    let whole = EmptyFiles(name: "empty", count: count)
    let half = EmptyFiles(name: "empty2", count: count / 2)
    let expected = try [whole, half].map { catalog in
      try catalog.publish(shop, edition: 1)
      return AccessLog.Traffic(requests: 1, bytes: try shop.catalogSize(catalog.name))
    }
    let contenders = try zip([whole, half], expected).map { catalog, traffic in
      let job = try shop.job(catalog.set)
      return Contender(
        .mirror, "mirror, \(Units.count(catalog.count))", job.ours("--trust-index"),
        after: job.ours("--durability", "none"), lacks: [.look], expecting: traffic)
    }
    .enumerated().map { [whole, half][$0].countingMissing($1) }
    var scenario = Scenario(
      name: "B10", title: "A catalog of \(Units.count(count)) entries fetched anew",
      note:
        "\(Units.bytes(Double(expected[0].bytes))) of catalog, of which only the title changed.",
      contenders: contenders,
      bars: [
        Bar(contenders[0].name, .wall, .atMost(1.5)),
        Bar(contenders[0].name, .peak, .atMost(100 * 1_048_576)),
      ],
      room: whole.room)
    scenario.enter = { phase in
      for catalog in [whole, half] {
        try catalog.publish(shop, edition: phase == .measuring ? 1 : 0)
      }
    }
    scenario.remarks = { results in
      let peaks = results.map { $0.series { Double($0.peak) }.median }
      let slope = (peaks[0] - peaks[1]) / Double(whole.count - half.count) * 1_000_000
      return ["A further million entries would take \(Units.bytes(max(0, slope))) more memory."]
    }
    return scenario
  }

  static func millionRead(_ shop: Workshop) throws -> Scenario {
    let count = shop.amount(1_000_000, quick: 3_000)
    let catalog = EmptyFiles(name: "empty", count: count)
    try catalog.publish(shop, edition: 0)
    let job = try shop.job(catalog.set)
    let plan = Command(shop.mirror, "plan", job.url + "catalog.ndjson", "copy")
    let all = AccessLog.Traffic(requests: 1, bytes: try shop.catalogSize(catalog.name))
    return Scenario(
      name: "B28", title: "First reading of \(Units.count(count)) entries",
      note: "What a first copy would do, a line for each entry. No peer is asked.",
      contenders: [
        Contender(.mirror, plan, expecting: all).examined { evidence, sample in
          let lines = evidence.output.split(separator: "\n").count
          sample.stale = abs(lines - 1 - count)
        }
      ],
      bars: [
        Bar("mirror", .wall, .atMost(4)), Bar("mirror", .peak, .atMost(300 * 1_048_576)),
      ],
      room: Ground.Room(bytes: 0, files: 1))
  }
}

/// A catalog of empty files, which nginx serves without a file of its own.
struct EmptyFiles {
  let name: String
  let count: Int

  /// Only its name counts.
  var set: DataSet { DataSet(name: name, sizes: []) }

  /// Room for the files and for an index of them.
  var room: Ground.Room { Ground.Room(bytes: count * 1_024, files: count + count / 100) }

  /// The contender, whose rounds tell how many of the files weren't there or not empty.
  func countingMissing(_ contender: Contender) -> Contender {
    contender.examined { evidence, sample in
      sample.stale = (0..<count).count { number in
        var status = stat()
        let path = evidence.copy.appending(path: DataSet.path(number)).path
        return lstat(path, &status) != 0 || status.st_size != 0
      }
    }
  }

  /// The digest of no bytes.
  private static let digest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  /// Writes the catalog; another edition has another title and another date.
  func publish(_ shop: Workshop, edition: Int) throws {
    let file = shop.catalog(name)
    _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    let output = try FileHandle(forWritingTo: file)
    defer { try? output.close() }
    let header = #"{"catalog":1,"title":"Edition \#(edition)","count":\#(count),"complete":true}"#
    try output.write(contentsOf: Data("\(header)\n".utf8))
    for start in stride(from: 0, to: count, by: 10_000) {
      var text = ""
      for number in start..<min(count, start + 10_000) {
        let path = DataSet.path(number)
        text += #"{"key":"\#(path)","size":0,"sha256":"\#(Self.digest)","#
        text += #""modified":"2020-01-01T00:00:00Z"}"# + "\n"
      }
      try output.write(contentsOf: Data(text.utf8))
    }
    try shop.date(file, edition: edition)
  }
}
