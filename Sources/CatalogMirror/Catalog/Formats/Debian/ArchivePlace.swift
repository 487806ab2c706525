import SyncText

/// Where the parts of a Debian repository are.
struct ArchivePlace {
  /// The archive's root, to which paths of packages are relative: a URL that ends with a slash.
  let root: URLReference
  /// What stands before the keys of the suite's files: `dists/stable/`, or nothing in a flat
  /// repository.
  let suite: String

  /// The place of a `Release` or `InRelease` file; `nil` when its path can't be taken apart.
  init?(release url: URLReference) {
    let path = url.path
    guard let slash = path.lastIndex(of: "/") else { return nil }
    let directory = path[...slash]
    let dists = directory.ranges(of: "/dists/").last
    let start = dists.map { path.index(after: $0.lowerBound) } ?? path.index(after: slash)
    let below = String(directory[start...])
    guard let name = PercentEncoding.decode(below),
      let suite = String(validating: name, as: UTF8.self),
      let here = URLReference("./")
    else { return nil }
    self.suite = suite
    var root = here.resolved(against: url.withoutQuery)
    for _ in below.split(separator: "/") {
      guard let up = URLReference("../") else { return nil }
      root = up.resolved(against: root)
    }
    self.root = root
  }

  /// The URL of a file at a path below the root, without empty steps.
  func url(of path: [UInt8]) throws(LocatorProblem) -> URLReference {
    guard let reference = URLReference("./" + PercentEncoding.encode(path: path)) else {
      throw .notAURL
    }
    return reference.resolved(against: root)
  }
}
