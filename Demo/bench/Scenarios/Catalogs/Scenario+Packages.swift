import Foundation

/// B32: a Debian repository.
extension Scenario {
  static func packages(_ shop: Workshop) throws -> Scenario {
    let archive = PackageArchive(shop: shop, count: shop.amount(2_000, quick: 200))
    try archive.write()
    try archive.publish(edition: 0)
    let set = archive.packages(edition: 0)
    let job = shop.job(ofArchive: set)
    let contenders = [
      Contender(.mirror, job.oursFromSuite("--concurrency", "32")),
      Contender(.debmirror, job.debmirror()),
    ]
    let broken = "packages named by the copy's list and not there"
    let republished = contenders.map { contender in
      var other = contender
      other.name += ", republished midway"
      other.first = contender.command
      other.meanwhile = archive.republished()
      return other.examined { evidence, sample in
        sample.extra[broken] = try PackageArchive.missing(in: evidence.copy).map(Double.init)
      }
    }
    return Scenario(
      name: "B32", title: "A Debian repository of \(Units.count(archive.count)) packages of 4 KiB",
      note: "One suite without signatures. \"Republished midway\" has a whole copy, finds every "
        + "second package anew, and after a fourth of these the source has gone on once more: the "
        + "files of the edition that it began with are gone. What counts is whether the copy's own "
        + "list of packages then names any that aren't there.",
      contenders: contenders.map { contender in
        contender.examined { $1.stale = set.stale(in: $0.copy) }
      } + republished,
      bars: [
        // The packages; their list and the release file, each read at first and fetched last; and
        // the questions for a signature, and for the form in which the list is there.
        Bar("mirror", .requests, .atMost(Double(archive.count + 6))),
        Bar("mirror, republished midway", .counted(broken), .atMost(0)),
        Bar("mirror", .wall, .times(1, fastestOf: ["debmirror"])),
      ],
      room: Ground.Room(bytes: set.bytes * 3, files: archive.count * 3 + 100))
  }
}

extension PackageArchive {
  /// The copy is of edition 0, edition 1 is being fetched, and edition 2 takes its place.
  func republished() -> Contender.Meanwhile {
    Contender.Meanwhile(
      before: { try publish(edition: 1) }, bytes: packages(edition: 1).bytes / 8,
      change: { try publish(edition: 2) }, after: { try publish(edition: 0) })
  }
}
