import Foundation

/// B30: Apache's listings.
extension Scenario {
  static func apacheListing(_ shop: Workshop) throws -> Scenario {
    let set = smallFiles(shop)
    try shop.serve(set)
    let apache = shop.keep(
      try Apache(
        root: shop.work.appending(path: "www"), state: shop.work.appending(path: "apache")))
    let job = try shop.job(set, from: apache)
    try apache.log.forget()
    for folder in set.folders { try PlainRequest.get("/\(set.name)/\(folder)", port: apache.port) }
    let listings = try apache.log.traffic()
    let all = AccessLog.Traffic(
      requests: set.files.count + set.folders.count, bytes: set.bytes + listings.bytes)
    return Scenario(
      name: "B30", title: "First copy of \(Units.count(set.files.count)) files from Apache",
      note: "Apache lists \(set.folders.count) folders, with the options of Debian's configuration "
        + "(FancyIndexing, HTMLTable, VersionSort); 32 transfers at a time. wget2 is told not to "
        + "follow the links that sort a listing.",
      contenders: [
        // A listing has no digests.
        Contender(
          .mirror, "mirror", job.oursFromListing("--concurrency", "32"), lacks: [.digest],
          expecting: all),
        Contender(.wget2, job.wget2Mirror("--filter-urls", "--reject-regex=.*[?]C=.*")),
        Contender(.lftp, job.lftpMirror()),
        Contender(.rclone, job.rcloneSync()),
      ],
      bars: [Bar("mirror", .wall, .times(0.9, fastestOf: ["wget2", "lftp", "rclone"]))],
      set: set, room: set.room, server: apache)
  }
}
