import Foundation
import SyncText
import TestSupport
import XCTest

/// What a `Release` names and clients ask for is there in the copy, in the forms that the source
/// has: it used to hold lists of packages alone, and of those needed each form that was named.
final class RepositoryIndicesTests: MirrorTestCase {
  private static let list = "main/binary-amd64/Packages"
  private static let translation = "main/i18n/Translation-en"
  private let options = ["--format", "debian"]

  private func packed(_ bytes: Data, by program: String) throws -> Data {
    try SuiteOfFiles.packed(bytes, by: program, in: base)
  }

  /// A list in xz, and a plain one that is only named.
  private func suite(_ packages: [String], packing: String = "xz") throws -> SuiteOfFiles {
    var suite = SuiteOfFiles(at: source)
    let list = SuiteOfFiles.list(packages)
    suite.absent[Self.list] = list
    suite.files[Self.list + (packing == "xz" ? ".xz" : ".gz")] = try packed(list, by: packing)
    return suite
  }

  private func held() throws -> Set<String> {
    let names = try files(in: copy).keys.filter { $0.hasPrefix(SuiteOfFiles.path) }
    return Set(names.map { String($0.dropFirst(SuiteOfFiles.path.count)) })
  }

  func testASuiteWithListsInXZAloneIsMirrored() throws {
    try suite(["a", "b"]).publish(["a", "b"])
    assertEnd(try sync(try serve().url + SuiteOfFiles.path, options), 0)
    try assertCopyIsTrue()
  }

  func testOfEachIndexTheFormsAreHeldThatAreThereAndNoneIsMissed() throws {
    var suite = try suite(["a"])
    suite.absent[Self.list + ".gz"] = Data("gone".utf8)
    suite.absent[Self.translation] = Data("plain".utf8)
    suite.files[Self.translation + ".bz2"] = Data("packed".utf8)
    suite.absent[Self.translation + ".xz"] = Data("gone".utf8)
    suite.files["Contents-amd64"] = Data("only plain".utf8)
    suite.absent["Contents-amd64.gz"] = Data("gone".utf8)
    suite.files["main/source/Sources.gz"] = Data("nobody's".utf8)
    try suite.publish(["a"])
    let server = try serve()
    let address = server.url + SuiteOfFiles.path + "Release"
    assertEnd(try sync(address, options), 0)
    try assertCopyIsTrue(except: [SuiteOfFiles.path + "main/source/Sources.gz"])
    _ = try server.takeRequests()
    assertEnd(try sync(address, options), 0)
    XCTAssertEqual(try server.takeRequests().map(\.target), ["/dists/stable/Release"])
  }

  /// A server that refuses to say what is there was taken for one that has nothing.
  func testWhereAQuestionIsRefusedTheFileIsAskedForAndCut() throws {
    var suite = try suite(["a"])
    suite.absent[Self.list + ".gz"] = Data("gone".utf8)
    try suite.publish(["a"])
    let server = try serve(
      nil,
      .init(locations: ["location / { if ($request_method = HEAD) { return 403; } }"]))
    assertEnd(try sync(server.url + SuiteOfFiles.path, options), 0)
    XCTAssertEqual(try held(), ["Release", Self.list + ".xz"])
  }

  /// Whoever holds an index knows that it was there.
  func testOfAnotherStateOnlyWhatIsNewIsLookedFor() throws {
    var suite = try suite(["a"])
    suite.absent[Self.translation] = Data("plain".utf8)
    suite.files[Self.translation + ".bz2"] = Data("packed".utf8)
    try suite.publish(["a"], at: Date(timeIntervalSinceNow: -100))
    let server = try serve()
    assertEnd(try sync(server.url + SuiteOfFiles.path, options), 0)
    _ = try server.takeRequests()
    var next = try self.suite(["a", "b"])
    next.files.merge(suite.files) { new, _ in new }
    next.absent.merge(suite.absent) { new, _ in new }
    try next.publish(["a", "b"], at: Date(timeIntervalSinceNow: -50))
    assertEnd(try sync(server.url + SuiteOfFiles.path, options), 0)
    let asked = try server.takeRequests().map(\.target)
    XCTAssertEqual(asked.filter { $0.contains("Translation") }, [], "\(asked)")
    try assertCopyIsTrue()
  }

  func testAnIndexOfWhichNoFormIsThereHoldsTheReleaseBackUnlessItIsLeftOut() throws {
    var suite = try suite(["a"])
    for ending in ["", ".xz", ".bz2"] {
      suite.absent[Self.translation + ending] = Data("gone\(ending)".utf8)
    }
    try suite.publish(["a"])
    let address = try serve().url + SuiteOfFiles.path
    let missing = try sync(address, options)
    assertEnd(missing, 2)
    XCTAssert(missing.said.contains("Translation-en.xz"), missing.said)
    XCTAssert(missing.said.contains("404"), missing.said)
    XCTAssertFalse(try held().contains("Release"))
    assertEnd(try sync(address, options + ["--exclude", "Translation-*"]), 0)
    XCTAssertEqual(try held(), ["Release", Self.list + ".xz"])
  }

  func testAListOfWhichNoFormIsThereIsAnErrorThatSaysSo() throws {
    var suite = try suite(["a"])
    suite.absent.merge(suite.files) { $1 }
    suite.files = [:]
    try suite.publish(["a"])
    let outcome = try sync(try serve().url + SuiteOfFiles.path, options)
    assertEnd(outcome, 1)
    for words in ["Packages.xz isn't there", "nor any other form"] {
      XCTAssert(outcome.said.contains(words), outcome.said)
    }
  }

  func testOfListsInOtherFormsItIsToldWhichAreRead() throws {
    var suite = SuiteOfFiles(at: source)
    suite.files[Self.list + ".zst"] = Data("packed".utf8)
    try suite.publish([])
    let outcome = try sync(try serve().url + SuiteOfFiles.path, options)
    assertEnd(outcome, 1)
    for words in ["as zst alone", "plain, in gzip and, on Linux, in xz"] {
      XCTAssert(outcome.said.contains(words), outcome.said)
    }
  }

  func testWhatIsDamagedInXZIsAnErrorAndChangesNothing() throws {
    var suite = try suite(["a"])
    suite.files[Self.list + ".xz"]?[20] ^= 1
    try suite.publish(["a"])
    let outcome = try sync(try serve().url + SuiteOfFiles.path, options)
    assertEnd(outcome, 1)
    XCTAssert(outcome.said.contains("isn't packed as its name says, or is damaged"), outcome.said)
    XCTAssertFalse(isThere(copy))
  }
}
