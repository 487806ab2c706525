/// B3, B4 and B5: the copy is there, and little or nothing has changed.
extension Scenario {
  static func nothingChanged(_ shop: Workshop) throws -> Scenario {
    let set = smallFiles(shop)
    try shop.serve(set)
    let job = try shop.job(set)
    let web = ["wget2", "curl", "aria2", "lftp", "rclone"]
    return Scenario(
      name: "B3", title: "Nothing changed, \(Units.count(set.files.count)) files",
      note: "Every contender made its own copy before; the files' metadata is in memory.",
      contenders: [
        Contender(.mirror, job.ours(), after: job.ours(), expecting: .nothingNew),
        Contender(
          .mirror, "mirror, trusting", job.ours("--trust-index"), after: job.ours(),
          lacks: [.look], expecting: .nothingNew),
        Contender(.wget2, job.wget2Mirror(), after: job.wget2Mirror()),
        // These two ask by the date of their copies alone.
        Contender(.curl, "curl", job.curlAgain(), after: job.curl(), lacks: [.look]),
        Contender(
          .aria2, "aria2", job.aria2("--conditional-get=true", "--allow-overwrite=true"),
          after: job.aria2(), lacks: [.look]),
        Contender(.lftp, job.lftpMirror(), after: job.lftpMirror()),
        Contender(.rclone, job.rcloneSync(), after: job.rcloneSync()),
        Contender(.rsync, job.rsyncMirror(), after: job.rsyncMirror()),
      ],
      bars: [
        Bar("mirror", .requests, .atMost(1)),
        Bar("mirror", .wall, .times(0.5, fastestOf: web)),
        Bar("mirror, trusting", .wall, .times(0.25, fastestOf: web)),
      ],
      set: set, room: set.room)
  }

  static func nothingChangedFarAway(_ shop: Workshop) throws -> Scenario {
    let delay = 0.05
    let set = smallFiles(shop)
    try shop.serve(set)
    let link = try shop.link()
    let job = try shop.job(set, over: link)
    let plain = Noted(0.0)
    let peers = ["wget2", "lftp", "rclone"]
    let sizeOnly = job.rcloneSync("--http-no-head", "--size-only")
    var scenario = Scenario(
      name: "B4", title: "Nothing changed, \(Units.count(set.files.count)) files, far away",
      note: "Over a relay on loopback that delays each way by \(Units.time(delay)), and a new "
        + "connection by a round trip more, as its handshake would.",
      contenders: [
        Contender(.mirror, job.ours(), after: job.ours(), expecting: .nothingNew),
        Contender(.wget2, job.wget2Mirror(), after: job.wget2Mirror()),
        Contender(.lftp, job.lftpMirror(), after: job.lftpMirror()),
        Contender(.rclone, job.rcloneSync(), after: job.rcloneSync()),
        Contender(
          .rclone, "rclone, sizes only", sizeOnly, after: job.rcloneSync(), lacks: [.equalSize]),
      ],
      bars: [
        Bar("mirror", .requests, .atMost(1)),
        Bar("mirror", .wall, .atMost(2 * 2 * delay + 0.1)),
        Bar("mirror", .wall, .times(0.05, fastestOf: peers)),
      ],
      set: set, room: set.room)
    scenario.enter = { phase in
      try link.become(Link.Quality(delay: phase == .measuring ? delay : 0))
      if phase == .measuring { plain.value = try link.checkDelay(path: "/are-you-far") }
    }
    scenario.remarks = { _ in
      ["A plain request on a new connection over that relay took \(Units.time(plain.value))."]
    }
    return scenario
  }

  static func aHundredthChanged(_ shop: Workshop) throws -> Scenario {
    let before = DataSet(name: "many", count: shop.amount(100_000, quick: 500), size: 1_024)
    let after = before.changing(every: 100)
    try shop.serve(before)
    let job = try shop.job(before)
    let changed = after.files.filter { $0.generation > 0 }
    let expected = Noted(AccessLog.Traffic())
    var scenario = Scenario(
      name: "B5", title: "One file in a hundred of \(Units.count(before.files.count)) changed",
      note: "\(Units.count(changed.count)) files of 1 KiB got other bytes of the same number, "
        + "and another date.",
      contenders: [
        Contender(.mirror, job.ours(), after: job.ours()),
        Contender(.wget2, job.wget2Mirror(), after: job.wget2Mirror()),
        Contender(.lftp, job.lftpMirror(), after: job.lftpMirror()),
        Contender(.rclone, job.rcloneSync(), after: job.rcloneSync()),
        Contender(.rsync, try shop.job(after).rsyncMirror(), after: job.rsyncMirror()),
      ],
      bars: [
        Bar("mirror", .requests, .atMost(Double(changed.count + 1))),
        Bar("mirror", .wall, .times(1, fastestOf: ["rsync"])),
        Bar("mirror", .wall, .times(0.2, fastestOf: ["wget2", "lftp", "rclone"])),
      ],
      set: after, room: before.room)
    scenario.enter = { phase in
      guard phase == .measuring else { return try shop.serve(before) }
      try shop.serve(after)
      expected.value = AccessLog.Traffic(
        requests: changed.count + 1,
        bytes: try changed.reduce(shop.catalogSize(after.name)) { $0 + $1.size })
    }
    scenario.contenders[0].examine = { _, sample in
      guard sample.traffic != expected.value else { return }
      throw BenchProblem(
        description:
          "B5, mirror: expected \(expected.value), got \(String(describing: sample.traffic))")
    }
    return scenario
  }
}

extension AccessLog.Traffic {
  /// One request, answered with 304.
  static let nothingNew = Self(requests: 1, bytes: 0)
}

/// Something that is only known once a scenario is under way.
final class Noted<Value> {
  var value: Value

  init(_ value: Value) { self.value = value }
}
