/// B1, B2, B6 and B7: everything is fetched into an empty folder.
extension Scenario {
  static func firstCopyFromCatalog(_ shop: Workshop) throws -> Scenario {
    let set = smallFiles(shop)
    try shop.serve(set)
    let job = try shop.job(set)
    let all = try set.expectedFromCatalog(shop)
    let cost = "µs of processor time a file"
    return Scenario(
      name: "B1", title: "First copy of \(Units.count(set.files.count)) files of 4 KiB",
      note: "From a static catalog with digests, 32 at a time; a peer is given the list of URLs, "
        + "and aria2 the digests too. Two peers are also followed by what they lack: the check of "
        + "the digests, and the way to the disk.",
      contenders: [
        Contender(.mirror, job.ours("--concurrency", "32"), expecting: all).examined {
          $1.extra[cost] = $1.cpu / Double(set.files.count) * 1e6
        },
        Contender(
          .mirror, "mirror, not durable", job.ours("--concurrency", "32", "--durability", "none"),
          lacks: [.durable], expecting: all),
        // It is to find by itself what is best.
        Contender(.mirror, "mirror, automatic", job.ours(), expecting: all),
        Contender(.mirror, "mirror, 8", job.ours("--concurrency", "8"), expecting: all),
        Contender(.mirror, "mirror, 16", job.ours("--concurrency", "16"), expecting: all),
        Contender(.wget2, job.wget2()),
        Contender(
          .wget2, "wget2, sums, sync", job.verifiedAndFlushed(job.wget2()),
          makesUpFor: [.digest, .durable]),
        Contender(.curl, job.curl()),
        Contender(
          .curl, "curl, sums, sync", job.verifiedAndFlushed(job.curl()),
          makesUpFor: [.digest, .durable]),
        Contender(.aria2, job.aria2()),
        Contender(.rsync, job.rsyncMirror()),
      ],
      bars: [
        Bar(
          "mirror, automatic", .wall,
          .times(1.1, fastestOf: ["mirror", "mirror, 8", "mirror, 16"])),
        Bar("mirror", .wall, .times(0.8, fastestOf: ["wget2, sums, sync", "curl, sums, sync"])),
        Bar("mirror, not durable", .wall, .times(1.1, fastestOf: ["wget2", "curl", "aria2"])),
        Bar("mirror", .extra(cost), .atMost(75)),
      ],
      set: set, room: set.room)
  }

  static func firstCopyFromListing(_ shop: Workshop) throws -> Scenario {
    let set = smallFiles(shop)
    try shop.serve(set)
    let job = try shop.job(set)
    let listings = try set.folders.reduce(0) {
      try $0 + PlainRequest.get("/\(set.name)/\($1)", port: shop.nginx.port).count
    }
    let all = AccessLog.Traffic(
      requests: set.files.count + set.folders.count, bytes: set.bytes + listings)
    var peers = [
      Contender(.wget2, job.wget2Mirror()), Contender(.lftp, job.lftpMirror()),
      Contender(.rclone, job.rcloneSync()),
    ]
    if let program = shop.program(ofPyPI: "rclone") {
      peers.append(Contender(.rcloneOfPyPI, job.rcloneSync(by: program)))
    }
    return Scenario(
      name: "B2", title: "The same files through a directory listing",
      note: "nginx lists \(set.folders.count) folders as HTML, 32 transfers at a time.",
      contenders: [
        // A listing has no digests.
        Contender(
          .mirror, "mirror", job.oursFromListing("--concurrency", "32"), lacks: [.digest],
          expecting: all)
      ] + peers + [Contender(.rsync, job.rsyncMirror())],
      bars: [Bar("mirror", .wall, .times(0.9, fastestOf: peers.map(\.name)))],
      set: set, room: set.room)
  }

  static func oneLargeFile(_ shop: Workshop) throws -> Scenario {
    let set = DataSet(name: "large", sizes: [shop.amount(1_024, quick: 16) << 20])
    try shop.serve(set)
    let job = try shop.job(set)
    let file = "copy/\(set.files[0].path)"
    let fetch =
      "curl --disable --silent --show-error --fail --create-dirs --output \(file) "
      + job.url + set.files[0].path
    return Scenario(
      name: "B6", title: "One file of \(Units.bytes(Double(set.bytes)))",
      note: "mirror verifies its digest and makes it durable.",
      contenders: [
        Contender(.mirror, job.ours(), expecting: try set.expectedFromCatalog(shop)),
        Contender(.curl, Command("sh", "-c", "exec " + fetch)),
        Contender(
          .curl, "curl, openssl, sync",
          .inTurn(fetch, "openssl dgst -sha256 \(file)", "sync --file-system copy"),
          makesUpFor: [.digest, .durable]),
        Contender(.aria2, job.aria2("--split=4", "--max-connection-per-server=4")),
      ],
      bars: [
        Bar("mirror", .wall, .times(1.5, fastestOf: ["curl"])),
        Bar("mirror", .wall, .times(0.9, fastestOf: ["curl, openssl, sync"])),
      ],
      set: set, room: set.room)
  }

  static func mixedSizes(_ shop: Workshop) throws -> Scenario {
    let count = shop.amount(2_000, quick: 60)
    let total = (2 << 30) / 2_000 * count
    let set = DataSet(name: "mixed", sizes: SizeMix.sizes(count: count, total: total))
    try shop.serve(set)
    let job = try shop.job(set)
    let all = try set.expectedFromCatalog(shop)
    return Scenario(
      name: "B7", title: "First copy of \(Units.count(count)) files of mixed sizes",
      note: "\(Units.bytes(Double(set.bytes))) in all, log-normal between 1 KiB and 64 MiB.",
      contenders: [
        Contender(.mirror, job.ours(), expecting: all),
        Contender(
          .mirror, "mirror, not durable", job.ours("--durability", "none"), lacks: [.durable],
          expecting: all),
        Contender(.wget2, job.wget2()),
        Contender(.curl, job.curl()),
        Contender(
          .curl, "curl, sync",
          .inTurn(job.curl().text(naming: []), "sync --file-system copy"), makesUpFor: [.durable]),
        Contender(.aria2, job.aria2()),
        Contender(.lftp, job.lftpMirror()),
        Contender(.rclone, job.rcloneSync()),
        Contender(
          .rclone, "rclone, sums, sync", job.verifiedAndFlushed(job.rcloneSync()),
          makesUpFor: [.digest, .durable]),
        Contender(.rsync, job.rsyncMirror()),
      ],
      bars: [
        Bar("mirror", .wall, .times(0.8, fastestOf: ["rclone, sums, sync"])),
        Bar("mirror, not durable", .wall, .times(1.1, fastestOf: ["rclone"])),
      ],
      set: set, room: set.room)
  }

  static func smallFiles(_ shop: Workshop) -> DataSet {
    DataSet(name: "small", count: shop.amount(10_000, quick: 300), size: 4_096)
  }
}

extension DataSet {
  /// A request for each file and one for the catalog.
  func expectedFromCatalog(_ shop: Workshop) throws -> AccessLog.Traffic {
    AccessLog.Traffic(
      requests: everything.count + 1, bytes: bytes + (try shop.catalogSize(name)))
  }

  /// Room for one copy.
  var room: Ground.Room { Ground.Room(bytes: bytes, files: everything.count + folders.count) }
}
