/// B11: what an interruption costs.
extension Scenario {
  static func interrupted(_ shop: Workshop) throws -> Scenario {
    let set = DataSet(name: "medium", count: shop.amount(2_000, quick: 200), size: 1 << 20)
    try shop.serve(set)
    let job = try shop.job(set)
    let whole = "bytes fetched in both runs, in wholes"
    // Up to 32 files are on the way when it is interrupted, and may be fetched whole once more: of
    // the quick form's 200 that is 0.16, of 2,000 a third of what is allowed.
    let bound = shop.options.isQuick ? 1.17 : 1.05
    let contenders = [
      Contender(.mirror, job.ours()),
      Contender(.wget2, job.wget2("--continue")),
      Contender(.aria2, job.aria2("--continue=true")),
      Contender(.lftp, job.lftpMirror("--continue")),
      Contender(.rclone, job.rcloneSync()),
    ]
    return Scenario(
      name: "B11", title: "\(Units.count(set.files.count)) files of 1 MiB, interrupted at half",
      note: "With SIGINT when the server has sent half of the bytes; then run again to the end. "
        + "Times are of both runs together.",
      contenders: contenders.map { contender in
        var interrupted = contender
        interrupted.interruptedAfter = set.bytes / 2
        return interrupted.examined { _, sample in
          sample.extra[whole] = Double(sample.traffic?.bytes ?? 0) / Double(set.bytes)
        }
      },
      bars: [Bar("mirror", .counted(whole), .atMost(bound))],
      set: set, room: set.room)
  }
}
