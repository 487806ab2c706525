import SyncText
import XCTest

@testable import CatalogMirror

/// A flat Debian repository that is signed within only later.
final class FlatRepositoryRunTests: RunTestCase {
  /// Publishes these packages, under a tag that is always the same.
  private func publish(_ names: [String], asInRelease: Bool) throws {
    let packages = names.map { name in
      "Package: \(name)\nFilename: ./\(name)\nSize: 4\nSHA256: \(SHA256Digest(of: Array("text".utf8)))\n"
    }.joined(separator: "\n")
    let digest = SHA256Digest(of: Array(packages.utf8))
    let release = "SHA256:\n \(digest) \(packages.utf8.count) Packages\n"
    let signed = """
      -----BEGIN PGP SIGNED MESSAGE-----
      Hash: SHA512

      \(release)-----BEGIN PGP SIGNATURE-----

      iQIz
      -----END PGP SIGNATURE-----

      """
    let file = Self.root + (asInRelease ? "InRelease" : "Release")
    try site.answer(file, .text(asInRelease ? signed : release, ("ETag", "\"1\"")))
    try site.answer(Self.root + "Packages", .text(packages))
    for name in names { try site.answer(Self.root + name, .text("text")) }
  }

  private func syncRepository() async throws -> MirrorReport {
    try await sync { options in
      options.catalog = Self.root
      options.format = "debian"
    }
  }

  func testValidatorsOfReleaseAreNotSentForInRelease() async throws {
    try publish(["a"], asInRelease: false)
    for _ in 0..<2 {
      assertEnds(try await syncRepository())
      XCTAssertEqual(Set(try tree().keys), ["Packages", "Release", "a"])
    }
    try publish(["a", "b"], asInRelease: true)
    assertEnds(try await syncRepository())
    XCTAssertEqual(Set(try tree().keys), ["InRelease", "Packages", "a", "b"])
  }

  /// The signed file went into the quarantine, as the other doesn't name it, and came back with the
  /// next run.
  func testInReleaseThatIsWithheldForAMomentStays() async throws {
    try publish(["a"], asInRelease: true)
    assertEnds(try await syncRepository())
    let before = try tree()
    try publish(["a"], asInRelease: false)
    for status in [403, 404, 410] {
      try site.answer(Self.root + "InRelease", .status(status))
      let report = try await syncRepository()
      XCTAssertEqual(report.outcome, .failed)
      XCTAssertEqual(try tree(), before, "\(status)")
      let sentence = report.failures.map(\.sentence).joined()
      for words in ["InRelease", "\(status)", "follow \(Self.root)Release if"] {
        XCTAssert(sentence.contains(words), sentence)
      }
    }
    try await sync(ending: .done) { options in
      options.catalog = Self.root + "Release"
      options.acceptsNewCatalog = true
    }
    XCTAssertEqual(Set(try tree().keys), ["Packages", "Release", "a"])
  }

  /// The signature that wasn't there was told as a suite that isn't.
  func testWhereAbsenceIsCalledForbiddenASuiteOfReleaseAloneIsRead() async throws {
    try publish(["a"], asInRelease: false)
    for status in [403, 404, 410] {
      for file in ["InRelease", "Release.gpg"] {
        try site.answer(Self.root + file, .status(status))
      }
      let report = try await syncRepository()
      XCTAssertEqual(report.outcome, .done, "\(status): \(report.failures)")
      XCTAssertEqual(Set(try tree().keys), ["Packages", "Release", "a"])
    }
    try site.answer(Self.root + "Release.gpg", .status(500))
    let report = try await syncRepository()
    XCTAssertEqual(report.outcome, .failed)
    let sentence = report.failures.map(\.sentence).joined()
    XCTAssert(sentence.contains("Release.gpg could not be fetched"), sentence)
    XCTAssertEqual(Set(try tree().keys), ["Packages", "Release", "a"])
  }

  /// Somebody who may not look was told that there is no suite, and not what to do.
  func testOnlyASuiteThatIsNotThereIsToldAsThat() async throws {
    for (inRelease, release, isThere) in [
      (404, 404, false), (404, 410, false), (403, 403, true), (403, 404, true), (404, 403, true),
    ] {
      try site.answer(Self.root + "InRelease", .status(inRelease))
      try site.answer(Self.root + "Release", .status(release))
      let report = try await syncRepository()
      XCTAssertEqual(report.outcome, .failed)
      let sentence = report.failures.map(\.sentence).joined()
      XCTAssertEqual(sentence.contains("neither an InRelease"), !isThere, sentence)
      let words =
        isThere
        ? "the server's rules for this user" : "(the server answered with status \(release));"
      XCTAssert(sentence.contains(words), sentence)
    }
  }

  /// A Release that answers so was believed to be the one of last time.
  func testA304ThatNobodyAskedForProvesNothing() async throws {
    try publish(["a"], asInRelease: false)
    assertEnds(try await syncRepository())
    try site.answer(Self.root + "Release", .status(304))
    let report = try await syncRepository()
    XCTAssertEqual(report.outcome, .failed)
    let sentence = report.failures.map(\.sentence).joined()
    XCTAssert(sentence.contains("answered 304 to a request without conditions"), sentence)
  }
}
