import SyncLock
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncFetching
@testable import SyncText

/// Who is cancelled reads no further, however much there is: a run that was told to end went on for
/// minutes.
final class StoppedReadingTests: XCTestCase {
  /// Does something in a task that was cancelled before.
  private func cancelled<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try work()
    }
    return try await task.value
  }

  func testOfADocumentOfXMLNoMoreIsReadThanIsAtHand() async throws {
    let text = "<r>" + String(repeating: "<a/>", count: 100_000) + "</r>"
    let body = try Golden.body(text)
    let read = Locked(0)
    let task = Task {
      let document = try body.xml(expected: .rss)
      try document.forEach { _ in
        withUnsafeCurrentTask { $0?.cancel() }
        read.withLock { $0 += 1 }
      }
    }
    let result = await task.result
    XCTAssertThrowsError(try result.get())
    XCTAssertLessThan(read.withLock { $0 }, 2_000)
  }

  func testAPageOfHTMLIsNotWalkedThroughThatWasReadInPart() async throws {
    let page = Array(String(repeating: "<a href='a'>a</a>", count: 1_000).utf8)
    try await assertNil(cancelled { HTMLReader.whole(page) { _ in true } })
    XCTAssertEqual(HTMLReader.whole(page) { $0.all(.a).count }, 1_000)
    let count = await Task {
      HTMLReader.whole(page) { root in
        withUnsafeCurrentTask { $0?.cancel() }
        return root.all(.a).count + root.children.reduce(0) { count, _ in count + 1 }
      }
    }.value
    XCTAssertEqual(count, 0)
  }

  func testOfAPageOfHTMLWhoIsCancelledReadsNoMoreTextAndNoAttribute() async throws {
    let page = Array("<a href='b'>c</a>".utf8)
    func read(cancelling: Bool) async -> [String?]? {
      await Task {
        HTMLReader.whole(page) { root -> [String?]? in
          guard let link = root.all(.a).first else { return nil }
          if cancelling { withUnsafeCurrentTask { $0?.cancel() } }
          return [link.attribute(.href), link.text]
        }
      }.value
    }
    await assertEqual(read(cancelling: false), ["b", "c"])
    await assertEqual(read(cancelling: true), [nil, ""])
  }

  func testAValueOfJSONIsLeftAfterFourThousandOthersWhereThatIsAskedFor() async throws {
    let text = Array(("[" + String(repeating: "1,", count: 100_000) + "}").utf8)
    for (asks, most) in [(true, 10_000), (false, .max)] {
      let problem = try await cancelled { () -> JSONProblem? in
        do throws(JSONProblem) {
          _ = try JSONValue(text, in: text.indices, nesting: 4, endsWhenCancelled: asks)
          return nil
        } catch {
          return error
        }
      }
      let offset = try XCTUnwrap(problem).offset
      XCTAssertLessThan(offset, most)
      if !asks { XCTAssertEqual(offset, 200_001) }
    }
  }

  func testNoFormatGivesAPageOfWhichItReadAPart() async throws {
    let pages: [(CatalogFormatName, String)] = [
      (.catalog, Golden.ndjson), (.catalog, Golden.object), (.catalog, Golden.array),
      (.nginxHTML, Golden.nginxHTML), (.nginxJSON, Golden.nginxJSON), (.checksums, Golden.sums),
      (.metalink, Golden.metalink), (.rss, FeedGolden.podcast), (.atom, FeedGolden.atomFeed),
      (.opds, OPDSGolden.acquisitionFeed), (.opds, OPDSGolden.publications),
      (.simpleIndex, IndexGolden.projectJSON), (.simpleIndex, IndexGolden.projectHTML),
      (.resourceSync, SitemapGolden.resources), (.sitemap, SitemapGolden.sitemap),
      (.mapping, #"{"a":"b","c":"d"}"#),
    ]
    for (format, text) in pages {
      let body = try Golden.body(text)
      XCTAssertNoThrow(try CatalogFormats.standard.decode(body, as: format), "\(format)")
      let error = try await cancelled { () -> CatalogError? in
        do throws(CatalogError) {
          _ = try CatalogFormats.standard.decode(body, as: format)
          return nil
        } catch {
          return error
        }
      }
      guard case .unfetched(_, "it was cancelled while the answer was read", _)? = error else {
        XCTFail("\(format): \(error.map { "\($0)" } ?? "a page")")
        continue
      }
    }
  }

  func testWhoIsCancelledTakesNoMoreEntries() async throws {
    let pages: [(CatalogFormatName, String)] = [
      (.catalog, Golden.object), (.catalog, Golden.array), (.mapping, #"{"a":"b","c":"d"}"#),
      (.checksums, Golden.sums), (.metalink, Golden.metalink), (.rss, FeedGolden.podcast),
      (.opds, OPDSGolden.publications), (.simpleIndex, IndexGolden.projectJSON),
    ]
    for (format, text) in pages {
      let body = try Golden.body(text)
      let decoder = try XCTUnwrap(CatalogFormats.standard[name: format])
      let count = { @Sendable () -> Int? in
        (try? decoder.page(body, within: CatalogLimits()))?.count
      }
      XCTAssertGreaterThan(try XCTUnwrap(count(), "\(format)"), 0, "\(format)")
      try await assertEqual(cancelled(count) ?? 0, 0, "\(format)")
    }
  }

  func testWhoIsCancelledTakesNoMoreRowsOfADirectory() async throws {
    let body = try Golden.body("<html></html>")
    let count = { @Sendable () throws -> Int in
      let page = DirectoryPage(
        CatalogPage(format: .apache, claim: .whole), of: body, at: DirectoryPlace(body))
      page.take(DirectoryRow(href: "a"))
      return try page.finish().count
    }
    XCTAssertEqual(try count(), 1)
    try await assertEqual(cancelled(count), 0)
  }

  func testNoListIsPutTogetherForWhoIsCancelled() async throws {
    let end = try await cancelled { () -> ListingAssembly.Action in
      var run = try Run()
      return run.fetch("", ["a"])
    }
    guard case .fail(.unfetched(_, "it was cancelled while the list was put together", _)) = end
    else { return XCTFail("\(end)") }
  }

  /// Gives a whole page to a task that is cancelled as soon as it has it.
  private struct LateSource: ByteSource {
    let page: String

    func fetch(_ request: ByteRequest, into sink: any ByteSink) async throws -> ByteAnswer {
      let answer = ByteAnswer(url: request.url, isFramed: true)
      try sink.begin(answer)
      try Array(page.utf8).withUnsafeBytes { try sink.write($0) }
      withUnsafeCurrentTask { $0?.cancel() }
      return answer
    }
  }

  func testARunThatIsCancelledAsItReadsEndsAsCancelled() async throws {
    for page in [Golden.ndjson, Golden.nginxHTML, FeedGolden.podcast, "no list"] {
      let source = CatalogSource(
        source: LateSource(page: page), root: try Golden.url("https://h/d/"), formats: .standard,
        options: ListingAssembly.Options(), onPage: { _, _ in })
      await assertThrows(CancellationError.self, try await source.fetch())
    }
  }
}
