import Foundation
import SyncFiles
import SyncLock
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import CatalogPublishing
@testable import SyncText

/// Catalogs that are signed where they are published.
final class SignedPublishingTests: PublishingTestCase {
  private var keys: SigningKeys { get throws { try XCTUnwrap(madeKeys) } }
  private var madeKeys: SigningKeys?
  private var workshop = URL(filePath: "/")

  override func setUpWithError() throws {
    try super.setUpWithError()
    workshop = try temporaryFolder()
    madeKeys = try SigningKeys("good", in: workshop)
    try write("a", "1")
  }

  private func publicKeys() throws -> [Ed25519PublicKey] {
    try SigningKeyFile(path: keys.publicFile.path, in: SystemFileSystem()).publicKeys
  }

  @discardableResult
  private func publish(
    at seconds: Int64, _ change: (inout CatalogWriter.Options) -> Void = { _ in }
  ) throws -> PublishReport {
    var options = CatalogWriter.Options()
    options.signKeys = [try keys.privateFile.path]
    change(&options)
    return try CatalogWriter(folder: folder.path, options: options) { seconds * 1_000_000_000 }
      .write()
  }

  private func header() throws -> String { String(try text().prefix { $0 != "\n" }) }

  /// The header as a mirror that has the key reads it.
  private func signed() throws -> SignedCatalog {
    try SignedCatalog(header: Array(header().utf8), by: publicKeys())
  }

  func testTheLastMembersAreTheDigestOfTheLinesAndTheSignature() throws {
    let report = try publish(at: 1_800_000_000) { $0.title = #"A,"signature":1"# }
    let key = try publicKeys()[0]
    XCTAssertEqual(report.signedBy, [key.id])
    XCTAssertNil(report.expires)
    let lines = try text().dropFirst(header().count + 1)
    let end = """
      ,"published":"2027-01-15T08:00:00Z","body":"\(SHA256Digest(of: lines.utf8))",\
      "signature":[{"key":"\(key.id)","ed25519":"
      """
    let written = try header()
    XCTAssertTrue(written.contains(end), written)
    let read = try signed()
    XCTAssertEqual(read.keys, [key.id])
    XCTAssertEqual(read.body, SHA256Digest(of: lines.utf8))
    XCTAssertEqual(
      [read.revision, read.published, read.expires], [1_800_000_000, 1_800_000_000, nil])
    let listing = try Golden.listing(Golden.body(Array(try text().utf8)))
    let keys = listing.entries.map { "\($0.key)" }
    XCTAssertEqual(keys, ["a"], "who asks for no signature reads it as ever")
    XCTAssertEqual(listing.completeness, .complete)
  }

  func testOpenSSLVerifiesWhatIsSignedHereAndTheOtherWayRound() throws {
    try publish(at: 1_800_000_000)
    let header = try self.header()
    let start = try XCTUnwrap(header.range(of: #","signature":"#)).lowerBound
    let message = SignedHeader.message(of: header[..<start].utf8)
    let file = workshop.appending(path: "message")
    try Data(message).write(to: file)
    let member = try XCTUnwrap(header.range(of: #""ed25519":""#)).upperBound
    let written = header[member...].prefix { $0 != "\"" }
    let signature = workshop.appending(path: "signature")
    try Data(try XCTUnwrap(Base64.bytes(of: String(written)))).write(to: signature)
    try SigningKeys.run(
      [
        "pkeyutl", "-verify", "-pubin", "-inkey", keys.publicFile.path, "-rawin", "-in", file.path,
        "-sigfile", signature.path,
      ], in: workshop)
    let theirs = workshop.appending(path: "theirs")
    try SigningKeys.run(
      [
        "pkeyutl", "-sign", "-inkey", keys.privateFile.path, "-rawin", "-in", file.path, "-out",
        theirs.path,
      ], in: workshop)
    let signed = Array(try Data(contentsOf: theirs))
    XCTAssertTrue(try publicKeys()[0].hasSigned(message, by: signed))
  }

  func testWhereNothingButTheDateWouldDifferTheFileIsNotTouched() throws {
    try publish(at: 1_800_000_000)
    let before = try text()
    XCTAssertFalse(try publish(at: 1_900_000_000).wasReplaced)
    XCTAssertEqual(try text(), before)
    XCTAssertTrue(try publish(at: 1_700_000_000).wasReplaced, "mirrors refuse one of the future")
    XCTAssertEqual(try signed().revision, 1_800_000_001)
  }

  func testItIsWrittenAnewWhenLessThanHalfOfItsTimeIsLeft() throws {
    let week = { (options: inout CatalogWriter.Options) in options.expires = .seconds(604_800) }
    let first = try publish(at: 1_800_000_000, week)
    XCTAssertEqual(first.expires, 1_800_604_800)
    XCTAssertEqual(try signed().expires, 1_800_604_800)
    XCTAssertFalse(try publish(at: 1_800_302_400, week).wasReplaced)
    let renewal = try XCTUnwrap(first.renewal)
    XCTAssertFalse(try publish(at: renewal - 1, week).wasReplaced)
    let second = try publish(at: renewal, week)
    XCTAssertTrue(second.wasReplaced)
    XCTAssertEqual(second.expires, renewal + 604_800)
    XCTAssertEqual(try signed().revision, renewal)
    XCTAssertTrue(try publish(at: renewal) { $0.expires = .seconds(60) }.wasReplaced)
    XCTAssertTrue(try publish(at: renewal).wasReplaced, "for ever is another end")
  }

  /// The year 9999 is the last that can be written, and no time is too long for an error.
  func testATimeThatEndsBehindTheLastDateIsNotRenewedEachTime() throws {
    for time in [Duration.seconds(518_400_000_000), .seconds(Int64.max)] {
      let first = try publish(at: 1_800_000_000) { $0.expires = time }
      XCTAssertEqual(first.expires, 253_402_300_799)
      let renewal = try XCTUnwrap(first.renewal)
      XCTAssertGreaterThan(renewal, 1_800_000_000 + 100 * 365 * 86_400)
      let again = try publish(at: 1_800_000_060) { $0.expires = time }
      XCTAssertFalse(again.wasReplaced)
      XCTAssertEqual(again.renewal, renewal)
    }
  }

  func testAnotherKeyOrNoneAndAForgedSignatureAreOtherBytes() throws {
    try publish(at: 1_800_000_000)
    let good = try text()
    let other = try SigningKeys("other", in: workshop)
    let change = try publish(at: 1_800_000_000) { $0.signKeys = [other.privateFile.path] }
    XCTAssertTrue(change.wasReplaced)
    let unsigned = { (options: inout CatalogWriter.Options) in
      (options.signKeys, options.acceptsUnsigned) = ([], true)
    }
    XCTAssertTrue(try publish(at: 1_800_000_000, unsigned).wasReplaced)
    XCTAssertFalse(try header().contains("published"))
    XCTAssertTrue(try publish(at: 1_800_000_000).wasReplaced)
    XCTAssertEqual(try signed().revision, 1_800_000_003)
    let place = try XCTUnwrap(good.range(of: #""ed25519":""#)).upperBound
    var forged = good
    forged.replaceSubrange(place..<forged.index(after: place), with: good[place] == "A" ? "B" : "A")
    try write("catalog.ndjson", forged)
    XCTAssertTrue(try publish(at: 1_800_000_000).wasReplaced)
    XCTAssertEqual(try signed().revision, 1_800_000_001)
  }

  private func assertRefused(
    _ file: URL, _ problem: SigningKeyProblem, line: UInt = #line
  ) throws {
    XCTAssertThrowsError(try publish(at: 1) { $0.signKeys = [file.path] }, line: line) {
      XCTAssertEqual(
        $0 as? PublishError, .badOption(.signKey(file.path, problem)), "\($0)", line: line)
    }
    XCTAssertFalse(isThere(folder.appending(path: "catalog.ndjson")), line: line)
  }

  func testAFileThatIsNoKeyOfItsOwnersAloneIsRefusedBeforeAnythingIsDone() throws {
    try assertRefused(keys.publicFile, .isPublic)
    try assertRefused(
      workshop.appending(path: "none"), .unreadable(reason: "No such file or directory"))
    let curve = workshop.appending(path: "curve.pem")
    try SigningKeys.run(
      ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", curve.path],
      in: workshop)
    try assertRefused(curve, .ofAnotherKind)
    let locked = workshop.appending(path: "locked.pem")
    try SigningKeys.run(
      [
        "genpkey", "-algorithm", "ed25519", "-aes256", "-pass", "pass:secret", "-out", locked.path,
      ], in: workshop)
    try assertRefused(locked, .locked)
    let text = workshop.appending(path: "text")
    try Data("no key".utf8).write(to: text)
    try assertRefused(text, .noKey)
    let pipe = workshop.appending(path: "pipe")
    XCTAssertEqual(mkfifo(pipe.path, 0o600), 0)
    try assertRefused(pipe, .notAFile)
    for mode in [0o640, 0o604, 0o620] {
      try FileManager.default.setAttributes(
        [.posixPermissions: mode], ofItemAtPath: keys.privateFile.path)
      try assertRefused(keys.privateFile, .openToOthers)
    }
    XCTAssertThrowsError(try publish(at: 1) { ($0.signKeys, $0.expires) = ([], .seconds(9)) }) {
      XCTAssertEqual($0 as? PublishError, .badOption(.expiresUnsigned))
    }
  }

  func testAKeyThatLiesAmongThePublishedFilesIsRefusedAlsoInACopy() throws {
    try makeFolder(at: folder.appending(path: "b"))
    try FileManager.default.copyItem(
      at: keys.privateFile, to: folder.appending(path: "b/backup.pem"))
    try assertRefused(keys.privateFile, .isPublished(as: "b/backup.pem"))
  }

  #if os(Linux)
    /// Nobody changes anything in the folder.
    func testAFolderThatIsWatchedIsPublishedAnewInTime() async throws {
      let now = Locked(Int64(1_800_000_000))
      var options = CatalogWriter.Options()
      (options.signKeys, options.expires) = ([try keys.privateFile.path], .seconds(1_000_000))
      let writer = CatalogWriter(folder: folder.path, options: options) {
        now.withLock { $0 } * 1_000_000_000
      }
      let (told, teller) = AsyncStream<Result<PublishReport, PublishError>>.makeStream()
      let trigger = PublishTrigger()
      let task = Task { try await writer.watch(trigger: trigger) { teller.yield($0) } }
      var reports = told.makeAsyncIterator()
      let first = try await reports.next(isolation: nil)?.get()
      XCTAssertEqual(first?.expires, 1_801_000_000)
      // A second before its time: the watch ends the wait by itself.
      now.withLock { $0 = 1_800_500_000 }
      trigger.publish()
      let second = try await reports.next(isolation: nil)?.get()
      XCTAssertEqual(second?.wasReplaced, false)
      now.withLock { $0 += 1 }
      let third = try await reports.next(isolation: nil)?.get()
      XCTAssertEqual([third?.wasReplaced, third.map { $0.hashed == 0 }], [true, true])
      XCTAssertEqual(third?.expires, 1_801_500_001)
      task.cancel()
      _ = try? await task.value
    }
  #endif
}
