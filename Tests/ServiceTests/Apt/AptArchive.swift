import Foundation
import SyncText
import TestSupport
import XCTest

/// A Debian archive that somebody else's program makes, and apt as its client.
struct AptArchive {
  /// The archive's root, which is served.
  let root: URL
  let workshop: URL

  init(root: URL, in base: URL) throws {
    (self.root, workshop) = (root, base.appending(path: "workshop"))
    try makeFolder(at: workshop)
  }

  @discardableResult
  func run(
    _ program: String, _ arguments: [String], in folder: URL? = nil, ends status: Int32 = 0
  ) throws -> String {
    let child = try ChildProcess(
      try Programs.find(program), arguments,
      environment: [
        "PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "HOME": workshop.path, "LC_ALL": "C.UTF-8",
      ], directory: folder ?? workshop, records: workshop)
    XCTAssertEqual(try child.end(within: .seconds(60)), .exited(status), child.said)
    return child.printed
  }

  /// Builds a package of each of these architectures; gives their files.
  func build(_ name: String, version: String = "1", _ architectures: [String]) throws -> [URL] {
    try architectures.map { architecture in
      let tree = workshop.appending(path: "\(name)-\(version)-\(architecture)")
      try makeFolder(at: tree.appending(path: "DEBIAN"))
      let control = """
        Package: \(name)-\(architecture)
        Version: \(version)
        Architecture: \(architecture)
        Section: misc
        Priority: optional
        Maintainer: Nobody <nobody@example.org>
        Description: the package \(name)
         of \(architecture)

        """
      try Data(control.utf8).write(to: tree.appending(path: "DEBIAN/control"))
      let file = workshop.appending(path: "\(name)-\(architecture)_\(version)_\(architecture).deb")
      try run("dpkg-deb", ["--build", "-Znone", tree.path, file.path])
      return file
    }
  }

  func write(_ bytes: Data, at path: String) throws {
    let file = root.appending(path: path)
    try makeFolder(at: file.deletingLastPathComponent())
    try bytes.write(to: file)
  }

  /// Packs a file beside itself; the plain one stays.
  func pack(_ path: String, by programs: [String]) throws {
    for program in programs {
      try run(program, ["--keep", "--force", root.appending(path: path).path])
    }
  }

  /// Lists the packages of `pool` for an architecture, by dpkg-scanpackages.
  func scan(_ architecture: String, into path: String, packedBy programs: [String]) throws {
    let list = try run(
      "dpkg-scanpackages", ["--multiversion", "--arch", architecture, "pool"], in: root)
    try write(Data(list.utf8), at: path)
    try pack(path, by: programs)
  }

  /// Writes the `Release` of a suite by apt-ftparchive, of everything that stands there.
  func release(_ suite: String, architectures: String, byDigest: Bool) throws {
    let folder = root.appending(path: "dists/\(suite)")
    try? FileManager.default.removeItem(at: folder.appending(path: "Release"))
    let settings = [
      "Suite": suite, "Codename": suite, "Components": "main", "Architectures": architectures,
      "Acquire-By-Hash": byDigest ? "yes" : "no",
    ]
    let options = settings.sorted { $0.key < $1.key }
      .flatMap { ["-o", "APT::FTPArchive::Release::\($0)=\($1)"] }
    let text = try run(
      "apt-ftparchive",
      options + ["-o", "APT::FTPArchive::DoByHash=\(byDigest)", "release", "."], in: folder)
    try Data(text.utf8).write(to: folder.appending(path: "Release"))
  }

  /// What has changed in a list since an earlier state, beside it.
  func writeDifference(of path: String, since old: Data, named name: String) throws {
    let new = try Data(contentsOf: root.appending(path: path))
    let (before, patch) = (workshop.appending(path: "old"), workshop.appending(path: name))
    try old.write(to: before)
    let text = try run(
      "diff", ["--ed", before.path, root.appending(path: path).path], ends: 1)
    try Data(text.utf8).write(to: patch)
    try run("gzip", ["--no-name", "--force", patch.path])
    let packed = try Data(contentsOf: patch.appendingPathExtension("gz"))
    try write(packed, at: "\(path).diff/\(name).gz")
    func row(_ bytes: Data, _ name: String) -> String {
      " \(SHA256Digest(of: bytes)) \(bytes.count) \(name)\n"
    }
    let index =
      "SHA256-Current: \(SHA256Digest(of: new)) \(new.count)\n"
      + "SHA256-History:\n" + row(old, name)
      + "SHA256-Patches:\n" + row(Data(text.utf8), name)
      + "SHA256-Download:\n" + row(packed, name + ".gz")
    try write(Data(index.utf8), at: "\(path).diff/Index")
  }
}

/// One machine's apt, with lists of its own and its own defaults but for where things are.
struct AptClient {
  let folder: URL
  let languages: String?

  /// Does what `apt-get update` does for one suite of the archive at an address.
  ///
  /// - Returns: how it ended, its words, and the lists that it has by then, by the names that they
  ///   have below the archive.
  func update(
    _ suite: String, at address: String, architecture: String = "amd64"
  ) throws -> (end: ChildProcess.End, said: String, lists: [String: Data]) {
    let lists = folder.appending(path: "lists")
    for path in [lists.appending(path: "partial"), folder.appending(path: "cache")] {
      try makeFolder(at: path)
    }
    let source = folder.appending(path: "sources.list")
    let options = "trusted=yes arch=\(architecture)"
    try Data("deb [\(options)] \(address) \(suite) main\n".utf8).write(to: source)
    let settings =
      [
        "Dir::Etc::sourcelist=\(source.path)", "Dir::Etc::sourceparts=-",
        "Dir::State::lists=\(lists.path)", "Dir::Cache=\(folder.appending(path: "cache").path)",
        "APT::Sandbox::User=root", "Acquire::http::Proxy=false", "Acquire::GzipIndexes=false",
        "Acquire::Retries=0",
      ] + (languages.map { ["Acquire::Languages=\($0)"] } ?? [])
    let child = try ChildProcess(
      try Programs.find("apt-get"), settings.flatMap { ["-o", $0] } + ["update"],
      environment: ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL": "C.UTF-8"],
      directory: folder, records: folder)
    let end = try child.end(within: .seconds(60))
    var found: [String: Data] = [:]
    for file in try FileManager.default.contentsOfDirectory(
      at: lists, includingPropertiesForKeys: [.isRegularFileKey])
    where file.lastPathComponent.contains("_dists_") {
      let name = file.lastPathComponent.split(separator: "_dists_").last.map(String.init) ?? ""
      found[name] = try Data(contentsOf: file)
    }
    return (end, child.printed + child.said, found)
  }
}
