import Foundation

/// A Debian repository of small packages in several editions, each of them ready in a folder of its
/// own (Debian's wiki, "DebianRepository/Format"). What is in a package, nobody looks at.
struct PackageArchive {
  let shop: Workshop
  let count: Int

  /// Where the suite is, below the archive's root.
  static let suite = "dists/stable/"
  private static let list = "main/binary-amd64/Packages"
  static let editions = 3

  /// The packages of an edition: every second one has a version of this edition, in a file of
  /// another name.
  func packages(edition: Int) -> DataSet {
    var set = DataSet(name: "debian", sizes: [])
    set.files = (0..<count).map { number in
      let version = number.isMultiple(of: 2) ? edition : 0
      let name = "package\(number)"
      return DataSet.File(path: "pool/main/p/\(name)_1.\(version)_amd64.deb", size: 4_096)
    }
    return set
  }

  /// Writes all editions.
  func write() throws {
    for edition in 0..<Self.editions {
      let root = folder(edition)
      let set = packages(edition: edition)
      try set.write(to: root)
      try writeLists(of: set, edition: edition, below: root)
    }
  }

  /// Serves an edition, from one moment to the next.
  func publish(edition: Int) throws {
    let place = shop.work.appending(path: "www/debian")
    let draft = shop.work.appending(path: "rounds/debian")
    try? FileManager.default.removeItem(at: draft)
    try FileManager.default.createSymbolicLink(at: draft, withDestinationURL: folder(edition))
    guard rename(draft.path, place.path) == 0 else {
      throw BenchProblem(
        description: "\(place.path) can't be replaced: \(String(cString: strerror(errno)))")
    }
  }

  /// How many packages the copy's own list names that aren't there whole; nothing without a list.
  static func missing(in copy: URL) throws -> Int? {
    let plain = copy.appending(path: suite + list)
    let packed = plain.appendingPathExtension("gz")
    let exists = { (file: URL) in FileManager.default.fileExists(atPath: file.path) }
    guard exists(plain) || exists(packed) else { return nil }
    let text = try Tools.run("gzip", ["-cdf", exists(packed) ? packed.path : plain.path])
    let names = text.matches(of: /Filename: (\S+)/).map { String($0.1) }
    return names.count { DataSet.File(path: $0, size: 4_096).isMissing(in: copy) }
  }

  private func folder(_ edition: Int) -> URL {
    shop.work.appending(path: "sets/debian-\(edition)-\(count)", directoryHint: .isDirectory)
  }

  private func writeLists(of set: DataSet, edition: Int, below root: URL) throws {
    let place = root.appending(path: Self.suite + Self.list)
    try FileManager.default.createDirectory(
      at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    let digests = try Self.digests(below: root)
    let stanzas = set.files.enumerated().map { number, file in
      Self.stanza(of: "package\(number)", file, digest: digests[file.path] ?? "")
    }
    try Data(stanzas.joined(separator: "\n").utf8).write(to: place)
    try Tools.run("gzip", ["--keep", "--force", "--no-name", place.path])
    let file = root.appending(path: Self.suite + "Release")
    try release(listing: [Self.list, Self.list + ".gz"], edition: edition, below: root)
      .write(to: file, atomically: true, encoding: .utf8)
    for file in [place, place.appendingPathExtension("gz"), file] {
      try shop.date(file, edition: edition)
    }
  }

  private static func digests(below root: URL) throws -> [String: String] {
    let command = "cd '\(root.path)' && find pool -type f -print0 | xargs -0 -r sha256sum --"
    return try Tools.run("sh", ["-c", command]).split(separator: "\n").reduce(into: [:]) {
      $0[String($1.dropFirst(66))] = String($1.prefix(64))
    }
  }

  private static func stanza(of name: String, _ file: DataSet.File, digest: String) -> String {
    """
    Package: \(name)
    Version: \(file.path.split(separator: "_")[1])
    Architecture: amd64
    Maintainer: Nobody <nobody@example.org>
    Filename: \(file.path)
    Size: \(file.size)
    SHA256: \(digest)
    Description: a package of the benchmark

    """
  }

  private func release(listing lists: [String], edition: Int, below root: URL) throws -> String {
    let sums = try lists.map { list in
      let file = root.appending(path: Self.suite + list)
      let size = try Data(contentsOf: file).count
      return " \(try Tools.run("sha256sum", [file.path]).prefix(64)) \(size) \(list)\n"
    }
    return """
      Origin: Benchmark
      Label: Benchmark
      Suite: stable
      Codename: stable
      Date: Wed, 0\(edition + 1) Jan 2020 00:00:00 UTC
      Architectures: amd64
      Components: main
      SHA256:
      \(sums.joined())
      """
  }
}
