import XCTest

@testable import CatalogMirror
@testable import mirror

/// Which of a run's events a person is shown.
final class EventLinesTests: XCTestCase {
  private let deeds: [(MirrorEvent, String)] = [
    (.fetched(key: "a", transfer: .content, bytes: 1, reason: "new"), "added a"),
    (.fetched(key: "a", transfer: .content, bytes: 1, reason: "changed"), "updated a"),
    (.fetched(key: "a", transfer: .content, bytes: 1, reason: "unsettled"), "updated a"),
    (.fetched(key: "a", transfer: .content, bytes: 1, reason: "damaged"), "repaired a"),
    (.fetched(key: "a", transfer: .content, bytes: 1, reason: "deleted"), "repaired a"),
    (.fetched(key: "a", transfer: .preview, bytes: 1, reason: "new"), "preview a"),
    (.removed(key: "a"), "removed a"), (.adopted(key: "a"), "adopted a"),
  ]
  private let retry = MirrorEvent.retrying(
    url: "http://h/", retry: 1, wait: .seconds(2), reason: "it stalled", advice: nil)

  func testEachFileIsNamedOnlyIfThatWasAskedFor() {
    var plain = EventLines(isVerbose: false, isWatched: true)
    var verbose = EventLines(isVerbose: true, isWatched: false)
    for (event, line) in deeds {
      XCTAssertEqual(plain.lines(for: event), [])
      XCTAssertEqual(verbose.lines(for: event), [line])
    }
  }

  func testWhatIsTriedAgainIsToldToWhoeverLooksOn() {
    let line = "trying http://h/ again (1) in 2.0 s: it stalled"
    var watched = EventLines(isVerbose: false, isWatched: true)
    XCTAssertEqual(watched.lines(for: retry), [line])
    var unwatched = EventLines(isVerbose: false, isWatched: false)
    XCTAssertEqual(unwatched.lines(for: retry), [])
    var verbose = EventLines(isVerbose: true, isWatched: false)
    XCTAssertEqual(verbose.lines(for: retry), [line])
  }

  func testOfManyTheFirstTwentyAreToldAndThenThatThereAreMore() {
    var lines = EventLines(isVerbose: false, isWatched: true)
    let told = (0..<100).flatMap { lines.lines(for: .displaced(key: "\($0)", to: "x")) }
    XCTAssertEqual(told.count, 21)
    XCTAssertEqual(told.last, "and more of these; '-v' names all")
    let retries = (0..<100).flatMap { _ in lines.lines(for: retry) }
    XCTAssertEqual(retries.count, 20)
  }

  func testWhyNothingIsRemovedIsToldWhenItIsNewsOrEverythingIs() {
    for (isNews, isVerbose, count) in [(true, false, 1), (false, false, 0), (false, true, 1)] {
      var lines = EventLines(isVerbose: isVerbose, isWatched: false)
      let told = lines.lines(for: .listed(entries: 1, partial: [.unvouchable], isNews: isNews))
      XCTAssertEqual(told.count, count)
    }
  }

  func testFailuresAreToldAtTheEndAndSoOnlyOnce() {
    var lines = EventLines(isVerbose: true, isWatched: true)
    let failure = MirrorEvent.failed(key: "a", sentence: "it is gone", advice: nil)
    XCTAssertEqual(lines.lines(for: failure), [])
    XCTAssertEqual(failure.failure, "failed a: it is gone.")
  }
}
