import Foundation
import SyncTransport
import TestSupport
import TransportTesting
import XCTest

@testable import CatalogMirror

/// Somebody had a copy that rsync had made, of the same sizes and dates, and let a mirror take it
/// over: every byte was fetched again, with `--adopt size-date`, too.
final class AdoptionByServerTests: RunTestCase {
  private static let modified = "Sat, 01 Jan 2022 00:00:00 GMT"
  private static let date = Date(timeIntervalSince1970: 1_640_995_200)

  private func answer(
    _ text: String = "alpha", length: Int? = 5, modified: String? = modified,
    at date: String = Site.today
  ) -> Site.Answer {
    var answer = Site.Answer.text(text, ("Date", date), ("ETag", "\"1\""))
    if let modified { answer.headers.add("Last-Modified", modified) }
    if let length { answer.headers.add("Content-Length", "\(length)") }
    return answer
  }

  /// Lists the item as nginx does in HTML, to the minute and without a zone, has it answer so, and
  /// puts a file of this text and date in its place.
  private func begin(
    _ answers: [Site.Answer], with text: String = "alpha", of date: Date = date,
    listed: String = "01-Jan-2022 00:00", size: String = "5"
  ) throws {
    try? FileManager.default.removeItem(atPath: folder)
    try place(text, at: "a")
    try setDate(date, of: folder + "/a")
    let page = """
      <html>
      <head><title>Index of /pub/</title></head>
      <body>
      <h1>Index of /pub/</h1><hr><pre><a href="../">../</a>
      <a href="a">a</a>                    \(listed)                 \(size)
      </pre><hr></body>
      </html>
      """
    try site.answer(Self.root, .text(page, ("Content-Type", "text/html"), ("Date", Site.today)))
    try site.setAnswers(Self.root + "a", answers)
    site.forgetLog()
  }

  private var questions: [String] {
    site.log.filter { $0.address.path == "/pub/a" }.map(\.method.name)
  }

  private func run(_ adoption: MirrorOptions.Adoption = .equalBytes) async throws -> MirrorReport {
    try await syncWell { options in
      tree(&options)
      options.adoption = adoption
    }
  }

  func testAFileOfTheSizeAndDateThatTheServerSaysIsAdoptedByOneQuestion() async throws {
    try begin([answer("other")])
    let report = try await run()
    XCTAssertEqual(
      [report.adopted, report.added, report.displaced, Int(report.bytes)], [1, 0, 0, 0])
    XCTAssertEqual(questions, ["HEAD"])
    XCTAssertEqual(try tree(), ["a": "alpha"])
    site.forgetLog()
    _ = try await run()
    XCTAssertEqual(questions, [])
  }

  /// Nothing was known of its bytes, and `verify` believed whatever stood there.
  func testWhatIsAdoptedByOneQuestionIsReadSoThatVerifyNoticesAFlippedBit() async throws {
    try begin([answer("other")])
    let mirror = mirror { tree(&$0) }
    try await assertEqual(mirror.sync().adopted, 1)
    XCTAssertEqual(mirror.progress.bytesDone, 5, "what is read is told as progress")
    try await assertEqual(self.mirror().verify().undigested, 0)
    try rot("a", "alphA")
    try await assertEqual(self.mirror().verify().problems.map(\.key), ["a"])
  }

  func testWhatIsWrittenToAfterTheQuestionIsNotAdopted() async throws {
    try begin([answer("other"), answer("other")])
    let path = folder + "/a"
    site.onRequest { request, _ in
      guard request.method.name == "HEAD" else { return }
      try Data("ALPHA".utf8).write(to: URL(fileURLWithPath: path))
    }
    let mirror = mirror { tree(&$0) }
    let report = try await mirror.sync()
    XCTAssertEqual([report.adopted, report.displaced], [0, 1])
    XCTAssertEqual(mirror.progress.bytesDone, 5, "what came to nothing is taken back")
    XCTAssertEqual(try tree(), ["a": "other"])
    XCTAssertEqual(try movedAway(to: "displaced"), ["a": "ALPHA"])
  }

  func testWhatCannotBeReadAfterTheQuestionIsFetched() async throws {
    try begin([answer("other"), answer("other")])
    let path = folder + "/a"
    site.onRequest { request, _ in
      guard request.method.name == "HEAD" else { return }
      try FileManager.default.removeItem(atPath: path)
    }
    let report = try await run()
    XCTAssertEqual([report.adopted, report.added, report.displaced], [0, 1, 0])
    XCTAssertEqual(questions, ["HEAD", "GET"])
    XCTAssertEqual(try tree(), ["a": "other"])
  }

  func testWhatIsAdoptedBySizeAndDateIsNotReadAndSaidToBeSo() async throws {
    try begin([answer()])
    _ = try await run(.sizeAndDate)
    try rot("a", "alphA")
    let found = try await mirror().verify()
    XCTAssertEqual([found.files, found.undigested, found.problems.count], [1, 1, 0])
    try setDate(Self.date + 1, of: folder + "/a")
    let moved = try await mirror().verify()
    XCTAssertEqual([moved.files, moved.undigested, moved.problems.count], [1, 0, 1])
    try setDate(Self.date, of: folder + "/a")
    let repair = try await mirror().repair()
    XCTAssertEqual(repair.recorded, 1)
    XCTAssertNil(repair.report, "nothing is fetched for that")
    try await assertEqual(mirror().verify().undigested, 0)
    try rot("a", "alpha")
    try await assertEqual(mirror().verify().problems.map(\.key), ["a"])
  }

  /// As `cp -a` copies a mirror: each file is another one, of the same bytes, size and date.
  private func copyAnew(_ name: String) throws {
    let (old, new) = (URL(filePath: "\(folder)/\(name)"), URL(filePath: "\(folder)/new"))
    try Data(contentsOf: old).write(to: new)
    try setDate(Self.date, of: new.path)
    XCTAssertEqual(rename(new.path, old.path), 0)
  }

  private func inode(_ name: String) throws -> UInt64 {
    let number = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
    return try XCTUnwrap(number[.systemFileNumber] as? NSNumber).uint64Value
  }

  func testACopyOfWhatWasAdoptedUnreadIsSound() async throws {
    try begin([answer()])
    _ = try await run(.sizeAndDate)
    let before = try inode("a")
    try copyAnew("a")
    XCTAssertNotEqual(try inode("a"), before)
    let found = try await mirror().verify()
    XCTAssertEqual([found.undigested, found.problems.count], [1, 0])
    site.forgetLog()
    let report = try await run(.sizeAndDate)
    XCTAssertEqual([report.displaced, report.adopted, Int(report.bytes)], [0, 0, 0])
    XCTAssertEqual(questions, [])
    try await assertEqual(rows()["a"]?.content?.inode, inode("a"))
    try copyAnew("a")
    try await assertEqual(mirror().repair().recorded, 1)
    try await assertEqual(mirror().verify().undigested, 0)
    try rot("a", "alphA")
    try await assertEqual(mirror().verify().problems.map(\.key), ["a"])
  }

  func testWhatTheServerDoesNotSayExactlyIsFetchedAndCompared() async throws {
    let odd: [(String, Site.Answer, Date)] = [
      ("a second later", answer("other"), Self.date + 1),
      ("a second earlier", answer("other"), Self.date - 1),
      ("no date", answer("other", modified: nil), Self.date),
      ("no length", answer("other", length: nil), Self.date),
      ("another length", answer("other", length: 6), Self.date),
      ("in the second of the answer", answer("other", at: Self.modified), Self.date),
      ("no HEAD", .status(405), Self.date), ("none at all", .status(501), Self.date),
    ]
    for (name, head, date) in odd {
      try begin([head, answer("other", length: nil)], of: date)
      let report = try await run()
      XCTAssertEqual([report.adopted, report.displaced], [0, 1], name)
      XCTAssertEqual(questions, ["HEAD", "GET"], name)
      XCTAssertEqual(try tree(), ["a": "other"], name)
    }
  }

  func testAFileOfAnotherSizeIsNotAskedAbout() async throws {
    try begin([answer()], with: "longer")
    try await assertEqual(run().displaced, 1)
    XCTAssertEqual(questions, ["GET"])
  }

  func testByTheListedSizeAndDateNothingIsAsked() async throws {
    for (later, asked) in [(0.0, []), (59, []), (60, ["HEAD", "GET"]), (-1, ["HEAD", "GET"])] {
      try begin([answer(length: nil)], of: Self.date + later)
      try await assertEqual(run(.sizeAndDate).adopted, 1, "\(later)")
      XCTAssertEqual(questions, asked, "\(later)")
    }
  }

  /// A listing in a zone of its own says another hour, and sizes may be rounded: what it says
  /// exactly doesn't agree, so the server is asked as without that option, and nothing is fetched.
  func testWhereTheListingIsNotExactTheServerIsAskedAndNothingIsFetched() async throws {
    let long = String(repeating: "a", count: 5_120)
    for (text, size, listed) in [
      ("alpha", "5", "01-Jan-2022 01:00"), ("alpha", "5", "31-Dec-2021 13:00"),
      (long, "5K", "01-Jan-2022 00:00"),
    ] {
      for adoption in MirrorOptions.Adoption.allCases {
        try begin(
          [answer("other", length: text.utf8.count)], with: text, listed: listed, size: size)
        try await assertEqual(run(adoption).adopted, 1, "\(listed) \(size)")
        XCTAssertEqual(questions, ["HEAD"], "\(listed) \(size)")
      }
    }
  }

  /// To the second, and in a zone that is known.
  func testADateToTheSecondIsTakenToTheSecond() async throws {
    for (later, asked) in [(0.0, []), (0.9, []), (1, ["HEAD", "GET"]), (-1, ["HEAD", "GET"])] {
      try begin([answer()])
      var file = ServedFile(text: "alpha")
      file.modified = Self.modified
      try serveTree(["a": file])
      try site.setAnswers(Self.root + "a", [answer(length: nil)])
      try setDate(Self.date + later, of: folder + "/a")
      site.forgetLog()
      try await assertEqual(run(.sizeAndDate).adopted, 1, "\(later)")
      XCTAssertEqual(questions, asked, "\(later)")
    }
  }

  func testAPlanSaysAdopt() async throws {
    for adoption in MirrorOptions.Adoption.allCases {
      try begin([answer()])
      let plan = try await mirror { options in
        tree(&options)
        options.adoption = adoption
      }.plan()
      XCTAssertEqual(plan.adoptions, ["a"])
      XCTAssertEqual(plan.fetches, [])
      XCTAssertEqual(plan.displacements, [])
    }
  }

  /// Bit rot leaves size and date: without the digests that the index had, nobody would notice.
  func testAFolderThatLostItsIndexIsFetchedAndCompared() async throws {
    try begin([answer()])
    try remove("a")
    _ = try await run()
    for name in ["index.sqlite", "index.sqlite-wal", "index.sqlite-shm"] {
      try? remove(".mirror/\(name)")
    }
    try place("ALPHA", at: "a")
    try setDate(Self.date, of: folder + "/a")
    site.forgetLog()
    _ = try await run()
    XCTAssertEqual(questions, ["GET"])
    XCTAssertEqual(try tree(), ["a": "alpha"])
  }
}
