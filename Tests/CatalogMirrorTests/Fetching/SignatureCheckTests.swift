import Foundation
import XCTest

@testable import CatalogMirror

/// What becomes of a page where the program that checks its signature has an end of its own.
final class SignatureCheckTests: XCTestCase {
  private let directory = FileManager.default.temporaryDirectory.path + "/gpgv-\(UUID())"

  override func setUpWithError() throws {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try Data([0x99]).write(to: URL(filePath: directory + "/keys.gpg"))
  }

  override func tearDownWithError() throws {
    try FileManager.default.removeItem(atPath: directory)
  }

  /// A check by a program of ours.
  private func check(by script: String) throws -> SignatureCheck {
    let program = directory + "/gpgv"
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: program))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    return SignatureCheck(keyring: directory + "/keys.gpg", program: program)
  }

  private func problem(by script: String) async throws -> SignatureProblem? {
    do {
      try await check(by: script).check([1], signature: nil)
      return nil
    } catch let error as SignatureProblem {
      return error
    }
  }

  /// The signal was told as a signature by none of the keys.
  func testHowItEndsDecidesWhatIsTold() async throws {
    let table: [(String, SignatureProblem?)] = [
      ("exit 0", nil), ("echo gpgv: BAD signature; exit 1", .refused("BAD signature")),
      ("kill -SEGV $$", .killed(by: SIGSEGV)),
    ]
    for (script, expected) in table {
      let found = try await problem(by: script)
      XCTAssertEqual(found, expected, script)
    }
    let sentence = "\(SignatureProblem.killed(by: 11))"
    XCTAssertTrue(sentence.contains("was ended by signal 11; check"), sentence)
  }

  func testNothingIsBelievedWhereNobodyCanTellHowItEnded() async throws {
    let before = signal(SIGCHLD, SIG_IGN)
    defer { signal(SIGCHLD, before) }
    let found = try await problem(by: "exit 0")
    XCTAssertEqual(found, .lost)
    XCTAssertTrue("\(SignatureProblem.lost)".contains("SIGCHLD isn't ignored"))
  }

  /// A run that was cancelled waited for gpgv to the end of its minute.
  func testACancelledCheckDoesNotWait() async throws {
    let check = try check(by: "echo > '\(directory)/begun'; exec sleep 600")
    let task = Task { try await check.check([1], signature: nil) }
    while !FileManager.default.fileExists(atPath: directory + "/begun") { await Task.yield() }
    task.cancel()
    do {
      try await task.value
      XCTFail("it is believed")
    } catch {
      XCTAssertTrue(error is CancellationError, "\(error)")
    }
  }
}
