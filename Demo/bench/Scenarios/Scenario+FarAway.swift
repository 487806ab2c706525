/// B26 and B27: everything is fetched over a link of 20 ms each way.
extension Scenario {
  static func smallFilesFarAway(_ shop: Workshop) throws -> Scenario {
    let set = DataSet(name: "far-small", count: shop.amount(5_000, quick: 100), size: 4_096)
    return try firstCopyFarAway(
      shop, "B26", set, "\(Units.count(set.files.count)) files of 4 KiB",
      isSmall: true)
  }

  static func largeFilesFarAway(_ shop: Workshop) throws -> Scenario {
    let size = shop.amount(20, quick: 1) << 20
    let sizes = Array(repeating: size, count: shop.amount(50, quick: 4))
    let set = DataSet(name: "far-large", sizes: sizes)
    let files = "\(Units.count(sizes.count)) files of \(Units.bytes(Double(size)))"
    return try firstCopyFarAway(shop, "B27", set, files, isSmall: false)
  }

  private static func firstCopyFarAway(
    _ shop: Workshop, _ name: String, _ set: DataSet, _ files: String, isSmall: Bool
  ) throws -> Scenario {
    try shop.serve(set)
    let (server, certificate) = try shop.secureServer()
    let link = try shop.link(to: server)
    var job = try shop.job(set, over: link).secured(by: certificate)
    let all = try set.expectedFromCatalog(shop)
    var ours = [Contender(.mirror, "mirror", job.ours(), expecting: all)]
    if let packaged = shop.packaged {
      job.mirror = packaged
      ours += [Contender(.mirror, "mirror as installed", job.ours(), expecting: all)]
      ours += widths.map { width in
        let command = job.ours("--concurrency", "\(width)")
        return Contender(.mirror, "mirror as installed, \(width)", command, expecting: all)
      }
    }
    let peers = widths.flatMap { peersFarAway(job, width: $0) }
    let followed = widths.flatMap { followedFarAway(job, width: $0) }
    let last = ours.count > 1 ? ours[1].name : ours[0].name
    var scenario = Scenario(
      name: name, title: "First copy of \(files), far away",
      note:
        "Over TLS from an nginx that offers HTTP/2, through a relay on loopback that delays each "
        + "way by \(Units.time(delay)), and a new connection by a round trip more. The number "
        + "behind a name is how many transfers go on at once; without one, mirror finds it by "
        + "itself. The build with Debian 12's libcurl speaks HTTP/1.1 alone, the one that is "
        + "installed HTTP/2 as well. Two peers are also followed by what they lack: the check of "
        + "the digests, and the way to the disk.",
      contenders: ours + peers + followed,
      bars: [
        Bar(last, .wall, .times(isSmall ? 0.6 : 0.9, fastestOf: peers.map(\.name))),
        Bar(last, .wall, .times(0.9, fastestOf: followed.map(\.name))),
      ],
      set: set, room: set.room, server: server)
    scenario.enter = { phase in
      try link.become(Link.Quality(delay: phase == .measuring ? delay : 0))
      if phase == .measuring { _ = try link.checkDelay(path: "/are-you-far") }
    }
    return scenario
  }

  /// How many transfers at once are tried.
  private static let widths = [64, 128]

  /// Seconds each way.
  private static let delay = 0.02

  private static func peersFarAway(_ job: Job, width: Int) -> [Contender] {
    var job = job
    job.width = width
    return [
      Contender(.wget2, "wget2, \(width)", job.wget2()),
      Contender(.curl, "curl, \(width)", job.curl()),
      Contender(.lftp, "lftp, \(width)", job.lftpMirror()),
    ]
  }

  /// Peers that do in the end what `mirror` does.
  private static func followedFarAway(_ job: Job, width: Int) -> [Contender] {
    var job = job
    job.width = width
    return [
      Contender(
        .wget2, "wget2, \(width), sums, sync", job.verifiedAndFlushed(job.wget2()),
        makesUpFor: [.digest, .durable]),
      Contender(
        .curl, "curl, \(width), sums, sync", job.verifiedAndFlushed(job.curl()),
        makesUpFor: [.digest, .durable]),
    ]
  }
}
