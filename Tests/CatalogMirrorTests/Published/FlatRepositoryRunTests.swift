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
      let report = try await syncRepository()
      XCTAssertEqual(report.outcome, .done, "\(report.failures)")
      XCTAssertEqual(Set(try tree().keys), ["Packages", "Release", "a"])
    }
    try publish(["a", "b"], asInRelease: true)
    let report = try await syncRepository()
    XCTAssertEqual(report.outcome, .done, "\(report.failures)")
    XCTAssertEqual(Set(try tree().keys), ["InRelease", "Packages", "a", "b"])
  }
}
