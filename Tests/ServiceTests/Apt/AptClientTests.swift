import Foundation
import TestSupport
import XCTest

/// Copies of repositories as three programs make them, and apt as the client of each: with its
/// defaults, it gets from the copy what it gets from the source.
///
/// A copy used to lack translations, what is for all architectures and the names of digests, all
/// of which its `Release` named: each client's update ended with an error.
final class AptClientTests: MirrorTestCase {
  private var clients = 0

  private func client(languages: String? = nil) throws -> AptClient {
    clients += 1
    let folder = base.appending(path: "client-\(clients)")
    try makeFolder(at: folder)
    return AptClient(folder: folder, languages: languages)
  }

  private func archive() throws -> AptArchive { try AptArchive(root: source, in: base) }

  /// Mirrors a suite, and asserts that apt gets the same from both; gives the names of its lists.
  @discardableResult
  private func assertAptIsServed(
    _ suite: String, _ options: [String] = [], languages: String? = nil,
    line: UInt = #line
  ) throws -> Set<String> {
    let server = try serve()
    let options = ["--format", "debian"] + options
    assertEnd(try sync(server.url + "dists/\(suite)/", options), 0, line: line)
    let copied = try serve(copy)
    let first = try client(languages: languages).update(suite, at: server.url)
    let second = try client(languages: languages).update(suite, at: copied.url)
    XCTAssertEqual(first.end, .exited(0), first.said, line: line)
    XCTAssertEqual(second.end, .exited(0), second.said, line: line)
    XCTAssertEqual(second.lists, first.lists, line: line)
    for word in ["W:", "E:", "Err:"] {
      XCTAssertFalse(second.said.contains(word), second.said, line: line)
    }
    let missed = try copied.takeRequests().filter { $0.status == 404 }.map(\.target)
      .filter { !$0.hasSuffix("/InRelease") && !$0.hasSuffix("/Release.gpg") }
    XCTAssertEqual(missed, [], "apt asked the copy in vain", line: line)
    return Set(second.lists.keys)
  }

  /// What a program wrote below the suite and the copy leaves out, without the names of digests:
  /// nothing that apt asks for.
  private func leftOut(of suite: String) throws -> [String] {
    let (from, to) = (source.appending(path: "dists/\(suite)/main"), "dists/\(suite)/main/")
    let held = try files(in: copy).keys
    return try FileManager.default.subpathsOfDirectory(atPath: from.path).filter { path in
      let isFolder = from.appending(path: path, directoryHint: .checkFileSystem).hasDirectoryPath
      return !isFolder && !path.contains("by-hash") && !held.contains(to + path)
    }.sorted()
  }

  /// Names of digests, translations in two languages, lists for all, and plain files that are
  /// listed and not there.
  func testWhatAptFtparchiveMadeIsServedByTheCopy() throws {
    let archive = try archive()
    for file in try archive.build("one", ["amd64", "arm64", "all"]) {
      try archive.write(Data(contentsOf: file), at: "pool/\(file.lastPathComponent)")
    }
    let main = "dists/s/main/"
    for architecture in ["amd64", "arm64", "all"] {
      try archive.scan(
        architecture, into: main + "binary-\(architecture)/Packages", packedBy: ["gzip", "xz"])
      try archive.write(Data("usr/x misc/one\n".utf8), at: main + "Contents-\(architecture)")
      try archive.pack(main + "Contents-\(architecture)", by: ["gzip"])
    }
    for language in ["en", "de"] {
      let text =
        "Package: one-all\nDescription-md5: \(String(repeating: "5a", count: 16))\nDescription-\(language): t\n"
      try archive.write(Data(text.utf8), at: main + "i18n/Translation-\(language)")
      try archive.pack(main + "i18n/Translation-\(language)", by: ["xz"])
    }
    for byDigest in [true, false] {
      try archive.release("s", architectures: "all amd64 arm64", byDigest: byDigest)
      try removePlainFiles(below: main)
      let lists = try assertAptIsServed("s", ["--architecture", "amd64"], languages: "en,de")
      XCTAssertTrue(
        lists.isSuperset(
          of: [
            "s_main_binary-amd64_Packages", "s_main_binary-all_Packages",
            "s_main_i18n_Translation-en", "s_main_i18n_Translation-de",
          ]), "\(lists)")
      let copied = try files(in: copy).keys
      XCTAssertFalse(copied.contains { $0.contains("arm64/") }, "\(copied)")
      XCTAssertTrue(copied.contains(main + "Contents-amd64.gz"), "\(copied)")
      XCTAssertTrue(copied.contains(main + "Contents-all.gz"), "\(copied)")
      try FileManager.default.removeItem(at: copy)
      for path in ["binary-amd64", "binary-arm64", "binary-all"] {
        try archive.run(
          "gunzip", ["-k", source.appending(path: main + path + "/Packages.gz").path])
      }
      for language in ["en", "de"] {
        try archive.run(
          "unxz", ["-k", source.appending(path: main + "i18n/Translation-\(language).xz").path])
      }
    }
  }

  private func removePlainFiles(below path: String) throws {
    for name in try FileManager.default.subpathsOfDirectory(
      atPath: source.appending(path: path).path)
    where name.hasSuffix("/Packages") || name.contains("Translation-") && !name.hasSuffix(".xz") {
      try withdraw(path + name)
    }
  }

  /// A client that holds an earlier list fetches what has changed in it.
  func testDifferencesAreServedByTheCopy() throws {
    let archive = try archive()
    let list = "dists/s/main/binary-amd64/Packages"
    func publish(_ names: [String]) throws {
      for name in names {
        for file in try archive.build(name, ["amd64"]) {
          try archive.write(Data(contentsOf: file), at: "pool/\(file.lastPathComponent)")
        }
      }
      try archive.scan("amd64", into: list, packedBy: ["xz"])
    }
    try publish((0..<30).map { "old-\($0)" })
    try archive.release("s", architectures: "amd64", byDigest: true)
    // apt asks by date, to the second: the next one is of another.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -3_600)],
      ofItemAtPath: source.appending(path: "dists/s/Release").path)
    let (server, client) = (try serve(), try client())
    let suite = server.url + "dists/s/"
    assertEnd(try sync(suite, ["--format", "debian"]), 0)
    let copied = try serve(copy)
    XCTAssertEqual(try client.update("s", at: copied.url).end, .exited(0))

    let before = try Data(contentsOf: source.appending(path: list))
    try publish(["new"])
    try archive.writeDifference(of: list, since: before, named: "2026-11-28-1200.00")
    try archive.release("s", architectures: "amd64", byDigest: true)
    assertEnd(try sync(suite, ["--format", "debian"]), 0)
    _ = try copied.takeRequests()
    let second = try client.update("s", at: copied.url)
    XCTAssertEqual(second.end, .exited(0), second.said)
    XCTAssertEqual(
      second.lists["s_main_binary-amd64_Packages"],
      try Data(contentsOf: source.appending(path: list)), "\(second.lists.keys)")
    let asked = try copied.takeRequests().map(\.target)
    XCTAssertTrue(asked.contains { $0.hasSuffix("/2026-11-28-1200.00.gz") }, "\(asked)")
    XCTAssertFalse(asked.contains { $0.hasSuffix("/Packages.xz") }, "\(asked)")
  }

  /// Its suites have lists of their own for what is for all architectures.
  func testWhatAptlyMadeIsServedByTheCopy() throws {
    let archive = try archive()
    let packages = try archive.build("one", ["amd64", "arm64", "all"])
    let settings = """
      {"rootDir": "\(archive.workshop.path)/aptly", "gpgDisableSign": true}
      """
    let file = archive.workshop.appending(path: "aptly.conf")
    try Data(settings.utf8).write(to: file)
    func aptly(_ words: String...) throws {
      try archive.run("aptly", ["-config=\(file.path)"] + words)
    }
    try aptly("repo", "create", "t")
    for package in packages { try aptly("repo", "add", "t", package.path) }
    try aptly(
      "publish", "repo", "-skip-signing", "-acquire-by-hash", "-distribution=stable",
      "-architectures=amd64,arm64,all,source", "t")
    try FileManager.default.removeItem(at: source)
    try FileManager.default.moveItem(
      at: archive.workshop.appending(path: "aptly/public"), to: source)
    let lists = try assertAptIsServed("stable", ["--architecture", "amd64"])
    XCTAssertTrue(
      lists.isSuperset(of: ["stable_main_binary-amd64_Packages", "stable_main_binary-all_Packages"]
      ),
      "\(lists)")
    try FileManager.default.removeItem(at: copy)
    try assertAptIsServed("stable")
    XCTAssertEqual(
      try leftOut(of: "stable"),
      ["all", "amd64", "arm64"].flatMap { ["binary-\($0)/Packages", "binary-\($0)/Release"] }
        + ["source/Release", "source/Sources", "source/Sources.bz2", "source/Sources.gz"])
  }

  /// Its lists are listed plain, and only packed ones are there.
  func testWhatRepreproMadeIsServedByTheCopy() throws {
    let archive = try archive()
    let packages = try archive.build("one", ["amd64", "arm64", "all"])
    let settings = """
      Codename: stable
      Suite: stable
      Architectures: amd64 arm64 source
      Components: main
      DebIndices: Packages Release .gz .xz
      Contents: .gz

      """
    let conf = archive.workshop.appending(path: "conf")
    try makeFolder(at: conf)
    try Data(settings.utf8).write(to: conf.appending(path: "distributions"))
    for package in packages {
      try archive.run(
        "reprepro",
        ["--silent", "--basedir", archive.workshop.path, "--outdir", source.path]
          + ["includedeb", "stable", package.path])
    }
    let lists = try assertAptIsServed("stable", ["--architecture", "amd64"])
    XCTAssertTrue(lists.contains("stable_main_binary-amd64_Packages"), "\(lists)")
    try FileManager.default.removeItem(at: copy)
    try assertAptIsServed("stable")
    XCTAssertEqual(
      try leftOut(of: "stable"),
      ["binary-amd64/Release", "binary-arm64/Release", "source/Release", "source/Sources.gz"])
  }
}
