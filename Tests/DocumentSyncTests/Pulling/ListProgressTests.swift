import XCTest

@testable import DocumentSync

/// What is asked for next, for each place and each answer.
final class ListProgressTests: XCTestCase {
  private let since = "7"
  private let mark = "2"

  private func page(_ extent: ChangePage.Extent, next: String? = nil) -> ChangePage {
    ChangePage(extent: extent, documents: [], checkpoint: "8", next: next)
  }

  /// Each place a list can be at.
  private var starts: [(String, ListProgress)] {
    let fresh = ListProgress(after: nil)
    let after = ListProgress(after: since)
    var within = after
    _ = within.answered(.page(page(.changes, next: mark)))
    var anew = after
    _ = anew.answered(.forgot)
    return [("beginning", fresh), ("since", after), ("page", within), ("anew", anew)]
  }

  func testEachPlaceMeetsEachAnswer() {
    let (changes, all) = (page(.changes), page(.everything))
    let more = page(.everything, next: mark)
    let unasked = ListProgress.Step.giveUp(
      "it says that nothing has changed, and wasn't asked that")
    let notAll = ListProgress.Step.giveUp("it tells changes, and was asked for everything")
    let another = ListProgress.Step.giveUp("it goes on with another kind of list")
    let again = ListProgress.Step.giveUp("it forgets its list again and again")
    let answers: [ChangesAnswer] = [
      .unchanged, .forgot, .page(changes), .page(all), .page(more), .withoutLists,
    ]
    let table: [String: [ListProgress.Step]] = [
      "beginning": [
        unasked, .forget, notAll, .apply(all, isEnd: true), .apply(more, isEnd: false), .end,
      ],
      "since": [
        .end, .forget, .apply(changes, isEnd: true), .apply(all, isEnd: true),
        .apply(more, isEnd: false), .end,
      ],
      "page": [unasked, .forget, .apply(changes, isEnd: true), another, another, .end],
      "anew": [unasked, again, notAll, .apply(all, isEnd: true), .apply(more, isEnd: false), .end],
    ]
    for (name, start) in starts {
      for (answer, step) in zip(answers, table[name] ?? []) {
        var progress = start
        XCTAssertEqual(progress.answered(answer), step, "\(name), \(answer)")
      }
    }
  }

  func testPagesThatLeadInACircleEnd() {
    var progress = ListProgress(after: nil)
    _ = progress.answered(.page(page(.everything, next: mark)))
    XCTAssertEqual(progress.place, .page(mark))
    XCTAssertEqual(
      progress.answered(.page(page(.everything, next: mark))),
      .giveUp("its pages lead in a circle"))
  }

  func testAServerThatForgotIsAskedForEverything() {
    var progress = ListProgress(after: since)
    _ = progress.answered(.forgot)
    XCTAssertEqual(progress.place, .beginning)
  }
}
