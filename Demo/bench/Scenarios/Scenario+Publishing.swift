/// B40 and B41: what publishing costs, beside an archive and a digest of each file.
extension Scenario {
  static func publishedFirst(_ shop: Workshop) throws -> Scenario {
    let set = published(shop)
    let folder = try shop.write(set)
    let publish = shop.publish(folder)
    return Scenario(
      name: "B40", title: "Publishing \(Units.count(set.files.count)) files of 4 KiB with packs",
      note: publishingNote,
      contenders: [
        Contender(.mirror, "publish", publish),
        Contender(.mirror, "publish, unchanged", publish, after: publish),
      ] + archives(of: folder),
      bars: [
        Bar("publish", .wall, .times(1.3, fastestOf: [archived])),
        Bar("publish, unchanged", .wall, .times(0.25, fastestOf: [archived])),
      ],
      room: set.room, isServed: false)
  }

  static func publishedAgain(_ shop: Workshop) throws -> Scenario {
    let before = published(shop)
    let after = before.changing(every: 100)
    let changed = after.files.filter { $0.generation > 0 }
    let folder = try shop.write(before)
    let publish = shop.publish(folder)
    var scenario = Scenario(
      name: "B41",
      title: "The same again, with \(Units.count(changed.count)) of the files changed",
      note: publishingNote,
      contenders: [Contender(.mirror, "publish", publish, after: publish)] + archives(of: folder),
      bars: [Bar("publish", .wall, .times(0.35, fastestOf: [archived]))],
      room: before.room, isServed: false)
    scenario.enter = { phase in
      try after.writeChanged(to: folder, asTheyWere: phase != .measuring)
    }
    return scenario
  }

  private static let publishingNote =
    "The catalog and its packs go to another file system than the files. Beside it tar makes an "
    + "archive there, and sha256sum reads each file once more; files are in memory."

  private static let archived = "tar, sha256sum"

  private static func archives(of folder: String) -> [Contender] {
    let commands = [
      "mkdir copy", "tar --create --file=copy/all.tar --directory=\(folder) .",
      "find \(folder) -type f -print0 | xargs -0 sha256sum > copy/sums",
    ].joined(separator: " && ")
    return [
      Contender(nil, archived, .inTurn(commands)),
      Contender(nil, "tar, sha256sum, sync", .inTurn(commands, "sync --file-system copy")),
    ]
  }

  private static func published(_ shop: Workshop) -> DataSet {
    DataSet(name: "published", count: shop.amount(100_000, quick: 300), size: 4_096)
  }
}

extension Workshop {
  /// Writes the catalog of a folder, and packs, where a round has its copy.
  fileprivate func publish(_ folder: String) -> Command {
    .inTurn(
      "mkdir -p copy",
      "\(mirror) publish \(folder) --packs --quiet --base http://server/ "
        + "--output copy/catalog.ndjson")
  }
}
