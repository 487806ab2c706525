import XCTest

/// Three replicas and a server, whatever goes wrong: at rest all have the same, nothing that was
/// saved is nowhere, and one more sync does nothing. One of them may hold only a part.
final class ConvergenceTests: XCTestCase {
  func testReplicasConvergeWhateverGoesWrong() async throws {
    let problems = try await SeededStories.problems { seed in
      var story = ConvergenceStory(seed: seed)
      try await story.run()
      return (story.problems, story.log)
    }
    XCTAssertEqual(problems, [])
  }

  /// Two devices on which two people sign in and out: nobody sees what is another's, and none of it
  /// is sent for another, or merged.
  func testAccountsConvergeAndAreApartWhateverGoesWrong() async throws {
    let problems = try await SeededStories.problems { seed in
      var story = AccountsStory(seed: seed)
      try await story.run()
      return (story.problems, story.log)
    }
    XCTAssertEqual(problems, [])
  }
}
