import Foundation

/// B8: a narrow link, and somebody who wants to see something soon.
extension Scenario {
  static func previewsFirst(_ shop: Workshop) throws -> Scenario {
    let rate = 20 << 20
    let set = DataSet(name: "pictures", count: shop.amount(2_000, quick: 40), size: 400 << 10)
      .withPreviews(ofSize: 8 << 10)
    try shop.serve(set)
    let link = try shop.link()
    let job = try shop.job(set, over: link)
    let seen = "part of the time until all previews are there"
    var scenario = Scenario(
      name: "B8", title: "Previews first, over \(Units.bytes(Double(rate))) a second",
      note: "\(Units.count(set.files.count)) pictures of 400 KiB with previews of 8 KiB. Nobody "
        + "else knows of previews; curl is given a list that begins with them.",
      contenders: [
        Contender(.mirror, job.ours("--previews"), expecting: try set.expectedFromCatalog(shop))
          .examined { $1.extra[seen] = try share(of: ".mirror/previews", set, $0) },
        Contender(.curl, job.curl())
          .examined { $1.extra[seen] = try share(of: "previews", set, $0) },
      ],
      bars: [Bar("mirror", .extra(seen), .atMost(0.05))],
      set: set, room: set.room)
    scenario.enter = { phase in
      try link.become(Link.Quality(rate: phase == .measuring ? Double(rate) : nil))
    }
    return scenario
  }

  /// When the last preview was in its place, as a part of the whole time. Moving a file to its
  /// place sets the time of its last change of status, and so tells it to the nanosecond.
  private static func share(
    of folder: String, _ set: DataSet, _ evidence: Contender.Evidence
  ) throws -> Double {
    let place = evidence.copy.appending(path: folder)
    var (last, count) = (0.0, 0)
    for name in try FileManager.default.subpathsOfDirectory(atPath: place.path) {
      var status = stat()
      guard lstat(place.appending(path: name).path, &status) == 0,
        status.st_mode & S_IFMT == S_IFREG
      else { continue }
      count += 1
      last = max(last, seconds(status))
    }
    guard count == set.previews.count else {
      throw BenchProblem(description: "B8: \(count) of \(set.previews.count) previews are there")
    }
    return (last - evidence.cost.began) / evidence.cost.wall
  }

  /// When its status changed last, in seconds since 1970.
  private static func seconds(_ status: stat) -> Double {
    #if os(Linux)
      let time = status.st_ctim
    #else
      let time = status.st_ctimespec
    #endif
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
