/// B38 and B39: first copies of small files whose publisher put them into packs.
extension Scenario {
  static func firstCopyFromPacks(_ shop: Workshop) throws -> Scenario {
    let set = DataSet(name: "packed", count: shop.amount(10_000, quick: 300), size: 4_096)
    try shop.serve(set, publishing: ["--packs"])
    let job = try shop.job(set)
    let cost = "µs of processor time a file"
    let peers = [
      Contender(.wget2, job.wget2()), Contender(.curl, job.curl()), Contender(.aria2, job.aria2()),
    ]
    let followed = followed(job)
    return Scenario(
      name: "B38", title: "First copy of \(Units.count(set.files.count)) files of 4 KiB, in packs",
      note: "From a catalog that was published with packs; the peers fetch each file from its own "
        + "URL, as mirror does without packs.",
      contenders: [
        Contender(.mirror, job.ours()).examined {
          $1.extra[cost] = $1.cpu / Double(set.files.count) * 1e6
        },
        Contender(.mirror, "mirror, without packs", job.ours("--no-packs")),
      ] + peers + followed + [Contender(.rsync, job.rsyncMirror())],
      bars: [
        Bar("mirror", .wall, .times(0.6, fastestOf: followed.map(\.name))),
        Bar("mirror", .wall, .times(0.8, fastestOf: peers.map(\.name))),
        Bar("mirror", .wall, .times(0.9, fastestOf: ["rsync"])),
        Bar("mirror", .requests, .atMost(20)),
        Bar("mirror", .extra(cost), .atMost(60)),
      ],
      set: set, room: set.room)
  }

  static func packsFarAway(_ shop: Workshop) throws -> Scenario {
    let set = DataSet(name: "far-packed", count: shop.amount(5_000, quick: 100), size: 4_096)
    try shop.serve(set, publishing: ["--packs"])
    let two = DataSet(name: "far-two", sizes: [try shop.catalogSize(set.name), set.bytes])
    try shop.serve(two)
    let (server, certificate) = try shop.secureServer()
    let link = try shop.link(to: server)
    let job = try shop.job(set, over: link).secured(by: certificate)
    let both = try shop.job(two, over: link).secured(by: certificate).oneAfterTheOther()
    let plain = Noted(0.0)
    let more = "s more than curl takes for two files as large"
    let peers = [64, 128].flatMap { width in
      var job = job
      job.width = width
      return [
        Contender(.wget2, "wget2, \(width)", job.wget2()),
        Contender(.curl, "curl, \(width)", job.curl()),
      ]
    }
    var scenario = Scenario(
      name: "B39",
      title: "First copy of \(Units.count(set.files.count)) files of 4 KiB, in packs, far away",
      note: "As in B26: over TLS from an nginx that offers HTTP/2, through a relay on loopback "
        + "that delays each way by \(Units.time(delay)), and a new connection by a round trip "
        + "more. The number behind a peer's name is how many transfers go on at once.",
      contenders: [
        Contender(.mirror, job.ours()).examined { $1.extra[more] = $1.wall - plain.value }
      ] + peers,
      bars: [
        Bar("mirror", .wall, .times(0.35, fastestOf: peers.map(\.name))),
        Bar("mirror", .extra(more), .atMost(0.45)),
      ],
      set: set, room: set.room, server: server)
    scenario.enter = { phase in
      try link.become(Link.Quality(delay: phase == .measuring ? delay : 0))
      guard phase == .measuring else { return }
      _ = try link.checkDelay(path: "/are-you-far")
      plain.value = try Tools.medianTime(of: both, rounds: shop.options.isQuick ? 1 : 5)
    }
    scenario.remarks = { _ in
      ["curl took \(Units.time(plain.value)) for the two files, one after the other."]
    }
    return scenario
  }

  /// Peers that do in the end what `mirror` does.
  private static func followed(_ job: Job) -> [Contender] {
    [(Peer.wget2, job.wget2()), (.curl, job.curl())].map { peer, command in
      Contender(
        peer, "\(peer.rawValue), sums, sync", job.verifiedAndFlushed(command),
        makesUpFor: [.digest, .durable])
    }
  }

  /// Seconds each way.
  private static let delay = 0.02
}

extension Job {
  /// curl(1): each file when the one before it is there, over one connection; nothing is kept.
  fileprivate func oneAfterTheOther() -> Command {
    let files = set.files.flatMap { ["--output", "/dev/null", url + $0.path] }
    return Command(
      "curl", ["--disable", "--silent", "--show-error", "--fail"] + trust("--cacert") + files)
  }
}
