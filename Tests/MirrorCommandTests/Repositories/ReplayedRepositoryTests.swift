import Foundation
import TestSupport
import XCTest

/// What was signed once, by whom it should have been, and isn't to be believed all the same.
final class ReplayedRepositoryTests: MirrorTestCase {
  private func open() throws -> DebianArchive { try DebianArchive(at: source, workshop: base) }

  /// A state of the repository, signed and given out.
  private func publish(
    _ archive: DebianArchive, _ packages: [DebianArchive.Package], by signer: String?,
    daysAgo: Double, validFor days: Double? = nil
  ) throws {
    var manner = DebianArchive.Manner()
    manner.signer = signer
    manner.date = Date(timeIntervalSinceNow: -86_400 * daysAgo)
    manner.validUntil = days.map { manner.date.addingTimeInterval(86_400 * $0) }
    try archive.publish(packages, manner)
  }

  func testAnOlderStateIsRefusedSignedOrNotAlsoWithoutTheIndex() throws {
    let archive = try open()
    defer { try? archive.close() }
    let key = try archive.makeKey("good")
    let packages = try archive.build([("one", "amd64"), ("two", "amd64")])
    for signer in ["good", nil] {
      let keyring = signer == nil ? [] : ["--keyring", key.path]
      try? FileManager.default.removeItem(at: copy)
      try? FileManager.default.removeItem(at: source.appending(path: "dists"))
      try publish(archive, packages, by: signer, daysAgo: 2)
      let address = try serve().url + DebianArchive.suite
      assertEnd(try sync(address, ["--format", "debian"] + keyring), 0)
      let before = try files(in: copy)
      try publish(archive, [packages[0]], by: signer, daysAgo: 300)
      for withoutIndex in [false, true] {
        if withoutIndex {
          for suffix in ["", "-wal"] {
            try? FileManager.default.removeItem(
              at: copy.appending(path: ".mirror/index.sqlite" + suffix))
          }
        }
        let refused = try sync(address, ["--format", "debian"] + keyring)
        assertEnd(refused, 1)
        for part in ["it went back", "(--allow-rollback)"] {
          XCTAssertTrue(refused.said.contains(part), refused.said)
        }
        XCTAssertEqual(try files(in: copy), before)
      }
      assertEnd(
        try sync(
          address, ["--format", "debian", "--allow-rollback", "--max-delete", "all"] + keyring), 0)
      XCTAssertNotEqual(try files(in: copy), before)
    }
  }

  func testAStateWhoseTimeIsOverIsRefusedAlsoWhereNothingChanged() throws {
    let archive = try open()
    defer { try? archive.close() }
    let packages = try archive.build([("one", "amd64")])
    try publish(archive, packages, by: nil, daysAgo: 30, validFor: 7)
    let address = try serve().url + DebianArchive.suite
    let suite = ["--format", "debian"]
    let refused = try sync(address, suite)
    assertEnd(refused, 1)
    for part in ["/stable/Release was to be taken until", "(--allow-expired)"] {
      XCTAssertTrue(refused.said.contains(part), refused.said)
    }
    XCTAssertFalse(isThere(copy))
    for _ in 0..<2 { assertEnd(try sync(address, suite + ["--allow-expired"]), 0) }
    try assertCopyIsTrue()
    assertEnd(try sync(address, suite), 1)
  }

  func testAStateOfTheFutureIsRefused() throws {
    let archive = try open()
    defer { try? archive.close() }
    try publish(archive, try archive.build([("one", "amd64")]), by: nil, daysAgo: -1)
    let refused = try sync(try serve().url + DebianArchive.suite, ["--format", "debian"])
    assertEnd(refused, 1)
    XCTAssertTrue(refused.said.contains("Check the clock"), refused.said)
  }

  func testAnUnknownKeyBesideAKnownOneDoesNotMatter() throws {
    let archive = try open()
    defer { try? archive.close() }
    let (key, _) = (try archive.makeKey("good"), try archive.makeKey("other"))
    let packages = try archive.build([("one", "amd64")])
    try publish(archive, packages, by: "good", daysAgo: 1)
    let file = source.appending(path: "dists/stable/InRelease").path
    let text = base.appending(path: "text").path
    try archive.run("gpg", "--batch", "--yes", "--output", text, "--decrypt", file)
    try archive.run(
      "gpg", "--batch", "--yes", "-u", "other@example.org", "-u", "good@example.org", "--output",
      file, "--clear-sign", text)
    let address = try serve().url + DebianArchive.suite
    assertEnd(try sync(address, ["--format", "debian", "--keyring", key.path]), 0)
    try assertCopyIsTrue()
  }

  func testARevokedOrAnExpiredKeyIsNotBelieved() throws {
    let archive = try open()
    defer { try? archive.close() }
    let packages = try archive.build([("one", "amd64")])
    _ = try archive.makeKey("revoked")
    try publish(archive, packages, by: "revoked", daysAgo: 1)
    let revoked = try archive.revoke("revoked")
    let address = try serve().url + DebianArchive.suite
    let first = try sync(address, ["--format", "debian", "--keyring", revoked.path])
    assertEnd(first, 1)
    XCTAssertTrue(first.said.contains("is revoked"), first.said)

    let expired = try archive.makeExpiredKey("expired")
    let text = base.appending(path: "text").path
    let file = source.appending(path: "dists/stable/InRelease").path
    try archive.run("gpg", "--batch", "--yes", "--output", text, "--decrypt", file)
    try archive.run(
      "gpg", "--batch", "--yes", "--faked-system-time", "20200101T120000!", "-u",
      "expired@example.org", "--output", file, "--clear-sign", text)
    let second = try sync(address, ["--format", "debian", "--keyring", expired.path])
    assertEnd(second, 1)
    XCTAssertTrue(second.said.contains("has expired"), second.said)
    XCTAssertFalse(isThere(copy))
  }
}
