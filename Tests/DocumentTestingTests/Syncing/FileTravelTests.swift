import DocumentTesting
import SyncText
import TestSupport
import XCTest

@testable import DocumentSync

/// Files of documents go to the server and to other replicas, whatever happens on the way.
final class FileTravelTests: XCTestCase {
  private let rig = FileRig()
  private let small = Array("a picture".utf8)

  /// A replica with a document that has a file with a preview.
  private func withPicture(_ name: String = "here") async throws -> SyncedReplica {
    let here = try await rig.replica(name)
    try await rig.attach(here, named: "full.png", preview: small)
    return here
  }

  func testAFileWithItsPreviewReachesAnotherReplicaThePreviewFirst() async throws {
    let (here, there) = (try await withPicture(), try await rig.replica("there"))
    try await assertEqual(here.sync().failures, [])
    XCTAssertEqual(rig.stored, ["small.png", "full.png"])
    try await there.sync()
    let both = try await [rig.content(there), rig.content(there, preview: true)]
    XCTAssertEqual(both, [rig.picture, small])
    try await assertEqual([rig.counts(here), rig.counts(there)], [FileCounts(), FileCounts()])
  }

  func testNothingIsAskedAgainOnceAllIsInStep() async throws {
    let (here, there) = (try await withPicture(), try await rig.replica("there"))
    for one in [here, there, here, there] { try await one.sync() }
    let before = rig.server.calls.count
    try await here.sync()
    try await there.sync()
    XCTAssertEqual(rig.server.calls.count - before, 2)
  }

  func testAFileGoesUpOnlyOnceItsDocumentHas() async throws {
    let here = try await withPicture()
    rig.server.manners.unwanted = [.milk]
    try await here.sync()
    XCTAssertEqual(rig.stored, [])
    try await assertEqual(rig.counts(here).up, 2)
  }

  func testAFileDoesNotGoUpWhileAnEditOfItsDocumentIsRefused() async throws {
    let here = try await rig.replica("here")
    try await here.save(.milk, ["n": 1])
    try await here.sync()
    try await rig.attach(here)
    rig.server.manners.unwanted = [.milk]
    try await here.sync()
    XCTAssertEqual(rig.stored, [])
  }

  func testAnUploadWhoseAnswerWasLostIsFoundAndNotSentTwice() async throws {
    let here = try await withPicture()
    // What it can do, the document, and then the preview.
    rig.server.setFaults(.script([nil, nil, .answerLost]), of: "here")
    try await here.sync()
    XCTAssertEqual(rig.stored, ["small.png", "full.png"])
    try await assertEqual(rig.counts(here), FileCounts())
  }

  func testAnUploadThatEndedInDeathIsFoundByTheNextSync() async throws {
    let here = try await withPicture()
    rig.server.setFaults(.script([nil, nil] + Array(repeating: .answerLost, count: 9)), of: "here")
    try await here.trySync()
    rig.server.setFaults(.none, of: "here")
    try await here.sync(SyncWishes(overridesWait: true))
    XCTAssertEqual(rig.stored, ["small.png", "full.png"])
  }

  func testWhatIsCutIsFetchedFromWhereItWasCut() async throws {
    let big = (0..<(FileRun.piece * 2 + 5)).map { UInt8(truncatingIfNeeded: $0 / 7) }
    let (here, there) = (try await rig.replica("here"), try await rig.replica("there"))
    try await rig.attach(here, big)
    try await here.sync()
    // What it can do, the list, where the file is, a piece, and then nothing any more.
    rig.server.setFaults(
      .script([nil, nil, nil, nil] + Array(repeating: .unreachable, count: 9)), of: "there")
    try await there.trySync()
    try await assertNil(rig.content(there))
    rig.server.setFaults(.none, of: "there")
    try await there.sync(SyncWishes(overridesWait: true))
    try await assertEqual(rig.content(there), big)
    let (first, second) = (Int64(FileRun.piece), Int64(FileRun.piece * 2))
    XCTAssertEqual(
      rig.server.state.fileEvents.dropFirst(), [.read(0), .read(first), .read(second)])
  }

  func testAMissingLocalFileDropsItsUploadAndIsTold() async throws {
    let here = try await withPicture()
    try await here.store.files.remove("\(SHA256Digest(of: rig.picture))")
    try await assertEqual(here.sync().failures.map(\.name), ["milk"])
    XCTAssertEqual(rig.stored, ["small.png"])
    try await assertEqual(rig.counts(here), FileCounts())
    try await assertEqual(here.sync().failures, [])
  }

  func testARefusedFileIsToldOnceKeptAndTriedAgainOnDemand() async throws {
    let here = try await withPicture()
    rig.server.manners.longestFile = small.count
    try await assertEqual(here.sync().failures.map(\.name), ["milk"])
    try await assertEqual(rig.counts(here).refused, 1)
    try await assertEqual(here.sync().failures, [])
    rig.server.manners.longestFile = nil
    _ = try await here.store.edit { try $0.retryFiles() }
    try await here.sync()
    XCTAssertEqual(rig.stored, ["small.png", "full.png"])
  }

  func testADetachedFileIsRemovedAfterItsDocumentSaysSo() async throws {
    let (here, there) = (try await withPicture(), try await rig.replica("there"))
    try await here.sync()
    try await there.sync()
    _ = try await there.store.edit { try $0.detach("picture", of: .milk) }
    rig.server.manners.unwanted = [.milk]
    try await there.sync()
    XCTAssertEqual(rig.server.state.files.count, 2)
    rig.server.manners.unwanted = []
    _ = try await there.store.edit { try $0.retryAll() }
    try await there.sync()
    XCTAssertEqual(rig.server.state.files.count, 0)
    try await here.sync()
    try await assertEqual(here.get(.milk), ["n": 1])
  }

  func testFilesOfADeletedDocumentAreRemovedAtTheServer() async throws {
    let here = try await withPicture()
    try await here.sync()
    try await here.delete(.milk)
    try await here.sync()
    XCTAssertEqual(rig.server.state.files.count, 0)
  }

  func testWhatNoDocumentNamesIsCollectedAfterThirtyDays() async throws {
    let here = try await withPicture()
    try await here.sync()
    _ = try await here.store.edit { try $0.detach("picture", of: .milk) }
    try await here.sync()
    let digest = "\(SHA256Digest(of: rig.picture))"
    try await assertEqual(here.store.files.bytes(of: digest), rig.picture)
    rig.time.advance(by: .seconds(31 * 86_400))
    try await here.sync()
    try await assertNil(here.store.files.bytes(of: digest))
  }

  func testUnsentFilesCountForAChangeOfAccount() async throws {
    let here = try await withPicture()
    rig.server.manners.longestFile = nil
    let faults: [ServerFault?] = [nil, nil] + Array(repeating: .unreachable, count: 9)
    rig.server.setFaults(.script(faults), of: "here")
    try await here.trySync()
    try await assertEqual(here.counts().outbox, 0)
    let scope = here.scope()
    let unsent = try await here.store.read { reader in
      try reader.unsent(in: XCTUnwrap(try reader.session.number(of: scope)))
    }
    XCTAssertEqual(unsent, 2)
  }
}
