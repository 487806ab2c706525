import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror

/// What becomes of a page where the program that checks its signature has an end of its own.
final class SignatureCheckTests: XCTestCase {
  private var directory = ""

  override func setUpWithError() throws {
    directory = try temporaryFolder().path
    try Data([0x99]).write(to: URL(filePath: directory + "/keys.gpg"))
  }

  /// A check by a program of ours.
  private func check(by script: String) throws -> SignatureCheck {
    let program = directory + "/gpgv"
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: program))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    return SignatureCheck(keyring: directory + "/keys.gpg", now: 1_800_000_000, program: program)
  }

  private func problem(by script: String) async throws -> SignatureProblem? {
    try await check(by: script).problem(with: [1], signature: nil)
  }

  private static let good =
    "echo '[GNUPG:] GOODSIG A1 One'; echo '[GNUPG:] VALIDSIG FF 2026-01-01 1790000000 0 4'"

  /// One good signature suffices, whatever the program's own status says of the others; a key that
  /// is no longer good speaks against all.
  func testTheLinesForProgramsDecideAndNotTheStatus() async throws {
    let unknown = "echo '[GNUPG:] ERRSIG B2 22 8 01 1790000000 9'; echo '[GNUPG:] NO_PUBKEY B2'"
    let table: [(String, SignatureProblem?)] = [
      ("\(unknown); \(Self.good); exit 2", nil), ("\(Self.good); \(unknown); exit 2", nil),
      (unknown, .refused("nothing")), ("echo '[GNUPG:] GOODSIG A1 One'", .refused("nothing")),
      ("echo '[GNUPG:] VALIDSIG FF 2026-01-01 1790000000 0 4'", .refused("nothing")),
      ("\(Self.good); echo '[GNUPG:] BADSIG C3 Three'", .refused("nothing")),
      ("\(Self.good); echo '[GNUPG:] REVKEYSIG C3 Three'", .revokedKey("C3")),
      ("echo '[GNUPG:] EXPKEYSIG C3 Three'; \(Self.good)", .expiredKey("C3")),
      ("\(Self.good); echo '[GNUPG:] EXPSIG C3 Three'", .expired("C3")),
      (
        Self.good.replacing("1790000000", with: "1800000011"),
        .ofTheFuture("FF", date: 1_800_000_011, now: 1_800_000_000)
      ),
      (Self.good.replacing("1790000000", with: "1800000010"), nil),
      (
        "{ \(Self.good); } >&2",
        .refused(
          "[GNUPG:] GOODSIG A1 One; [GNUPG:] VALIDSIG FF 2026-01-01 1790000000 0 4")
      ),
      ("echo '[GNUPG:] GOODSIG A1 One'; echo '[GNUPG:] VALIDSIG FF'", .refused("nothing")),
      (Self.good.replacing("1790000000", with: "soon"), .refused("nothing")),
      ("\(Self.good); yes '[GNUPG:] NO_PUBKEY B2' | head -c 70000", .refused("nothing")),
    ]
    for (script, expected) in table {
      try await assertEqual(problem(by: script), expected, script)
    }
  }

  /// The signal was told as a signature by none of the keys.
  func testHowItEndsDecidesWhatIsTold() async throws {
    let table: [(String, SignatureProblem?)] = [
      ("\(Self.good); exit 0", nil), ("exit 0", .refused("nothing")),
      ("echo gpgv: BAD signature >&2; exit 1", .refused("BAD signature")),
      ("\(Self.good); kill -SEGV $$", .killed(by: SIGSEGV)),
    ]
    for (script, expected) in table {
      try await assertEqual(problem(by: script), expected, script)
    }
    let sentence = "\(SignatureProblem.killed(by: 11))"
    XCTAssertTrue(sentence.contains("was ended by signal 11; check"), sentence)
  }

  func testNothingIsBelievedWhereNobodyCanTellHowItEnded() async throws {
    let before = signal(SIGCHLD, SIG_IGN)
    defer { signal(SIGCHLD, before) }
    try await assertEqual(problem(by: "exit 0"), .lost)
    XCTAssertTrue("\(SignatureProblem.lost)".contains("SIGCHLD isn't ignored"))
  }

  /// A run that was cancelled waited for gpgv to the end of its minute.
  func testACancelledCheckDoesNotWait() async throws {
    let check = try check(by: "echo > '\(directory)/begun'; exec sleep 600")
    let task = Task { try await check.problem(with: [1], signature: nil) }
    while !isThere(directory + "/begun") { await Task.yield() }
    task.cancel()
    await assertThrows(CancellationError.self, try await task.value)
  }
}
