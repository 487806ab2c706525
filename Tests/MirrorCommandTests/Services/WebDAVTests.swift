import Foundation
import TestSupport
import XCTest

/// Collections of real WebDAV servers.
final class WebDAVTests: MirrorTestCase {
  private var service: LoopbackService?

  private func start(_ name: String) throws -> LoopbackService {
    let started = try CatalogServers.webDAV(name, of: source, in: base.appending(path: "dav"))
    service = started
    atEnd { try started.stop() }
    return started
  }

  @discardableResult
  private func syncCollection(_ address: String, _ options: String...) throws -> ProgramOutcome {
    try sync(address, ["--format", "webdav"] + options)
  }

  private func counts(_ outcome: ProgramOutcome) throws -> [String: Int] {
    let line = try XCTUnwrap(outcome.printed.split(separator: "\n").last)
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
    return object.compactMapValues { $0 as? Int }
  }

  func testATreeOfWsgiDAVArrivesWholeAndAsksForNoFileAgain() throws {
    let server = try start("wsgidav")
    var texts = ["deep/er/and/deeper.txt": "down here", "empty.txt": ""]
    for name in ["with space", "a+b", "100%", "q?x#y", "ünïcode", "<a>&\"'", "semi;colon:x"] {
      texts[name] = "in \(name)"
      texts["in \(name)/\(name)"] = "below \(name)"
    }
    try publish(texts)
    assertEnd(try syncCollection(server.address + "/"), 0)
    try assertCopyIsTrue()
    let second = try syncCollection(server.address + "/", "--json")
    assertEnd(second, 0)
    XCTAssert(second.printed.contains(#""unchanged":true"#), second.printed)
    try publish(["empty.txt": "no more"], dated: Date(timeIntervalSince1970: 1_600_000_000))
    try FileManager.default.removeItem(at: source.appending(path: "deep"))
    assertEnd(try syncCollection(server.address + "/"), 0)
    try assertCopyIsTrue()
  }

  /// The tag of WsgiDAV is made of the file's date to the second, its length, and where it lies.
  func testAFileThatIsRewrittenWithinTheSameSecondIsNoticedTheNextTime() throws {
    let server = try start("wsgidav")
    let file = source.appending(path: "file")
    let end = Patience.end
    while ContinuousClock.now < end {
      let date = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down) + 1)
      try? FileManager.default.removeItem(at: copy)
      try write("first", to: file, dated: date)
      assertEnd(try syncCollection(server.address + "/"), 0)
      // Of a machine that took longer, the listing was no longer young.
      guard Date() < date.addingTimeInterval(1) else { continue }
      try write("other", to: file, dated: date)
      assertEnd(try syncCollection(server.address + "/"), 0)
      return XCTAssertEqual(try copied(), ["file": "other"])
    }
    XCTFail("the machine is too slow for a listing within a second")
  }

  /// In place, so that neither the file's number nor its date nor its length tells.
  private func write(_ text: String, to file: URL, dated date: Date) throws {
    if !isThere(file) { try Data().write(to: file) }
    let handle = try FileHandle(forWritingTo: file)
    try handle.write(contentsOf: Data(text.utf8))
    try handle.close()
    try setDate(date, of: file)
  }

  // MARK: - Radicale

  private func card(_ name: String, _ note: String) -> String {
    """
    BEGIN:VCARD\r\nVERSION:3.0\r\nUID:\(name)\r\nFN:N\r\nN:N;;;;\r\nNOTE:\(note)\r\nEND:VCARD\r\n
    """
  }

  private func ask(_ method: String, _ path: String, _ type: String = "", _ body: String = "")
    throws
  {
    let file = base.appending(path: "body")
    try Data(body.utf8).write(to: file)
    let address = (service?.address ?? "") + path
    let curl = try ChildProcess(
      Programs.find("curl"),
      [
        "-sf", "-u", "me:word", "-X", method, "-H", "Content-Type: \(type)", "--data-binary",
        "@\(file.path)", address,
      ], environment: [:], directory: base, records: base.appending(path: "records"))
    XCTAssertEqual(try curl.end(within: .seconds(20)), .exited(0), "\(method) \(path)")
  }

  private func put(_ name: String, _ note: String) throws {
    try ask("PUT", "/me/book/\(name).vcf", "text/vcard", card(name, note))
  }

  private func makeBook() throws -> String {
    let server = try start("radicale")
    try ask(
      "MKCOL", "/me/book/", "application/xml",
      """
      <mkcol xmlns="DAV:"><set><prop><resourcetype><collection/>\
      <C:addressbook xmlns:C="urn:ietf:params:xml:ns:carddav"/></resourcetype></prop></set></mkcol>
      """)
    for name in ["a", "b", "c", "d"] { try put(name, "first") }
    return server.address.replacing("http://", with: "http://me:word@") + "/me/book/"
  }

  func testLaterRunsAskRadicaleOnlyForWhatChanged() throws {
    let book = try makeBook()
    assertEnd(try syncCollection(book), 0)
    XCTAssertEqual(try copied().keys.sorted(), ["a.vcf", "b.vcf", "c.vcf", "d.vcf"])
    try put("b", "second")
    try put("e", "first")
    try ask("DELETE", "/me/book/c.vcf")
    let second = try syncCollection(book, "--json")
    assertEnd(second, 0)
    XCTAssertEqual(try copied().keys.sorted(), ["a.vcf", "b.vcf", "d.vcf", "e.vcf"])
    XCTAssert(try copied()["b.vcf"]?.contains("second") ?? false)
    XCTAssertEqual(try counts(second)["listed"], 2, "only the two that changed: \(second)")
    XCTAssertFalse("\(second)".contains("word"), "the password is never printed")
  }

  func testATokenThatTheServerHasForgottenMeansTheWholeList() throws {
    let book = try makeBook()
    assertEnd(try syncCollection(book), 0)
    let cache = base.appending(path: "source/collection-root/me/book/.Radicale.cache/sync-token")
    XCTAssertFalse(try FileManager.default.contentsOfDirectory(atPath: cache.path).isEmpty)
    try FileManager.default.removeItem(at: cache)
    try put("e", "first")
    try ask("DELETE", "/me/book/c.vcf")
    let second = try syncCollection(book, "--json")
    assertEnd(second, 0)
    XCTAssertEqual(try copied().keys.sorted(), ["a.vcf", "b.vcf", "d.vcf", "e.vcf"])
    XCTAssertEqual(try counts(second)["listed"], 4, "\(second)")
  }
}
