import Foundation
import SyncText
import TestSupport
import XCTest

/// A package repository as Debian's: packages in `pool`, an index of them in `dists`, published anew
/// again and again.
final class PackageRepository: Sendable {
  /// A package that was built once and never changes.
  struct Package: Sendable {
    var name: String
    var bytes: Data
    var control: String
  }

  static let index = "dists/stable/main/binary-all/Packages"
  private let root: URL
  private let packages: [Package]

  /// A repository below `root` of so many packages, made in `workshop` with dpkg-deb.
  init(at root: URL, count: Int, workshop: URL) throws {
    self.root = root
    packages = try (0..<count).map { try Self.build(number: $0, in: workshop) }
    for directory in ["pool/main", "dists/stable/main/binary-all"] {
      try makeFolder(at: root.appending(path: directory))
    }
  }

  private static func build(number: Int, in workshop: URL) throws -> Package {
    let (name, tree) = ("thing-\(number)", workshop.appending(path: "thing-\(number)"))
    let control = """
      Package: \(name)
      Version: 1.\(number)
      Architecture: all
      Maintainer: Nobody <nobody@example.org>
      Description: package \(number)

      """
    let share = tree.appending(path: "usr/share/\(name)")
    for folder in [tree.appending(path: "DEBIAN"), share] {
      try makeFolder(at: folder)
    }
    try Data(control.utf8).write(to: tree.appending(path: "DEBIAN/control"))
    try Data(repeating: UInt8(number), count: 20_000).write(to: share.appending(path: "data"))
    let file = workshop.appending(path: "\(name).deb")
    let child = try ChildProcess(
      try Programs.find("dpkg-deb"), ["--build", "-Znone", tree.path, file.path],
      environment: ["PATH": "/usr/bin:/bin"], directory: workshop, records: workshop)
    XCTAssertEqual(try child.end(within: .seconds(30)), .exited(0), child.said)
    return Package(name: name, bytes: try Data(contentsOf: file), control: control)
  }

  /// Publishes some of the packages, as who takes care does: what is new comes into the pool, then
  /// the index is replaced, then what is no longer named leaves the pool.
  func publish(_ random: inout SeededGenerator) throws {
    let chosen = packages.filter { _ in random.oneIn(2) }
    let pool = root.appending(path: "pool/main")
    let there = try FileManager.default.contentsOfDirectory(atPath: pool.path)
    for package in chosen where !there.contains("\(package.name).deb") {
      let file = pool.appending(path: "\(package.name).deb")
      let draft = root.appending(path: "draft")
      try package.bytes.write(to: draft)
      try setDate(MirrorTestCase.longAgo, of: draft)
      try FileManager.default.moveItem(at: draft, to: file)
    }
    let text = chosen.map(Self.stanza).joined(separator: "\n")
    let hash = SHA256Digest(of: text.utf8)
    try Data(text.utf8).write(to: root.appending(path: Self.index), options: .atomic)
    try Data("Suite: stable\nSHA256:\n \(hash) \(text.utf8.count) main/binary-all/Packages\n".utf8)
      .write(to: root.appending(path: "dists/stable/Release"), options: .atomic)
    let named = Set(chosen.map { "\($0.name).deb" })
    for name in there where !named.contains(name) {
      try FileManager.default.removeItem(at: pool.appending(path: name))
    }
  }

  private static func stanza(_ package: Package) -> String {
    """
    \(package.control)Filename: pool/main/\(package.name).deb
    Size: \(package.bytes.count)
    SHA256: \(SHA256Digest(of: package.bytes))

    """
  }

  /// The files that a copy's index names and that aren't there whole; `nil` where there is no index
  /// or it was replaced meanwhile.
  static func missing(in copy: URL) throws -> [String]? {
    let file = copy.appending(path: index)
    guard let before = try? Data(contentsOf: file) else { return nil }
    let named = stanzas(of: before)
    guard !named.isEmpty else { return nil }
    let missing = named.filter { name, size in
      let found = try? FileManager.default.attributesOfItem(
        atPath: copy.appending(path: name).path)[.size]
      return found as? Int != size
    }
    guard (try? Data(contentsOf: file)) == before else { return nil }
    return missing.map(\.0)
  }

  private static func stanzas(of index: Data) -> [(String, Int?)] {
    let text = String(decoding: index, as: UTF8.self)
    let names = text.matches(of: /Filename: (\S+)/).map { String($0.1) }
    let sizes = text.matches(of: /\nSize: (\d+)/).map { Int($0.1) }
    return Array(zip(names, sizes))
  }
}
