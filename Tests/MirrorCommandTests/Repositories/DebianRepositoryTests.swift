import Foundation
import TestSupport
import XCTest

/// Real Debian repositories, mirrored from a real server.
final class DebianRepositoryTests: MirrorTestCase {
  private func archive() throws -> DebianArchive {
    try DebianArchive(at: source, workshop: base)
  }

  private static let wanted = [
    ("one", "amd64"), ("one", "arm64"), ("both", "all"), ("two+x", "amd64"),
  ]

  func testASuiteArrivesWithItsListsAndCostsOneRequestAsLongAsItStays() throws {
    let archive = try archive()
    let packages = try archive.build(Self.wanted)
    for namesByDigest in [false, true] {
      var manner = DebianArchive.Manner()
      manner.namesByDigest = namesByDigest
      try archive.publish(packages, manner)
      let server = try serve()
      let address = server.url + DebianArchive.suite + "Release"
      assertEnd(try sync(address), 0)
      try assertCopyIsTrueButForDigests()
      _ = try server.takeRequests()
      for _ in 0..<2 {
        assertEnd(try sync(address), 0)
        XCTAssertEqual(try server.takeRequests().map(\.target), ["/dists/stable/Release"])
      }
      try archive.publish(Array(packages.dropLast()), manner)
      assertEnd(try sync(address), 0)
      try assertCopyIsTrueButForDigests()
      try FileManager.default.removeItem(at: copy)
      try FileManager.default.removeItem(at: source)
      try makeFolder(at: source)
    }
  }

  func testListsAreAskedForByTheirDigestsWhereThatIsOffered() throws {
    let archive = try archive()
    var manner = DebianArchive.Manner()
    manner.namesByDigest = true
    try archive.publish(try archive.build(Self.wanted), manner)
    for architecture in manner.architectures {
      try Data("torn".utf8).write(
        to: source.appending(path: "dists/stable/main/binary-\(architecture)/Packages.gz"))
    }
    let address = try serve().url + DebianArchive.suite + "Release"
    assertEnd(try sync(address), 0)
    XCTAssertNotEqual(try copied()["dists/stable/main/binary-amd64/Packages.gz"], "torn")
  }

  func testListsThatAreNotThereByTheirDigestsAreAskedForByTheirNames() throws {
    let archive = try archive()
    var manner = DebianArchive.Manner()
    manner.namesByDigest = true
    try archive.publish(try archive.build(Self.wanted), manner)
    for architecture in manner.architectures {
      try withdraw("dists/stable/main/binary-\(architecture)/by-hash")
    }
    assertEnd(try sync(try serve().url + DebianArchive.suite + "Release"), 0)
    try assertCopyIsTrueButForDigests()
  }

  func testOnlyTheArchitecturesAreThereThatAreAskedFor() throws {
    let archive = try archive()
    try archive.publish(try archive.build(Self.wanted))
    let address = try serve().url + DebianArchive.suite + "Release"
    assertEnd(try sync(address, ["--architecture", "arm64"]), 0)
    XCTAssertEqual(
      try copied().keys.sorted(),
      [
        "dists/stable/Release", "dists/stable/main/binary-arm64/Packages.gz",
        "pool/main/both_1.0_all.deb", "pool/main/one_1.0_arm64.deb",
      ])
    let none = try sync(address, ["--architecture", "vax"])
    assertEnd(none, 1)
    XCTAssert(
      none.said.contains("without the architecture vax (it has amd64, arm64)"), none.said)
    XCTAssertEqual(try copied().count, 4)
  }

  func testAFlatRepositoryArrivesToo() throws {
    let archive = try archive()
    try archive.publishFlat(try archive.build(Self.wanted))
    assertEnd(try sync(try serve().url + "Release"), 0)
    try assertCopyIsTrue()
  }

  func testAListThatIsAnotherOneThanTheReleaseSaysIsAnErrorAndChangesNothing() throws {
    let archive = try archive()
    var manner = DebianArchive.Manner()
    manner.isPacked = false
    try archive.publish(try archive.build(Self.wanted), manner)
    let address = try serve().url + DebianArchive.suite
    assertEnd(try sync(address + "Release"), 0)
    let before = try files(in: copy)
    let list = source.appending(path: "dists/stable/main/binary-amd64/Packages")
    try Data("".utf8).write(to: list)
    try setDate(Date(), of: list)
    let release = source.appending(path: "dists/stable/Release")
    try Data((readText(release) + "Codename: x\n").utf8)
      .write(to: release)
    let outcome = try sync(address + "Release")
    assertEnd(outcome, 1)
    XCTAssert(outcome.said.contains("Packages has another size than"), outcome.said)
    XCTAssertEqual(try files(in: copy), before)
  }
}
