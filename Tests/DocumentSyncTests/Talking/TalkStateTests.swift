import XCTest

@testable import DocumentSync

/// When a server may be asked within one sync, for each thing that it may say.
final class TalkStateTests: XCTestCase {
  private let now: Int64 = 1_700_000_000_000
  private let person = SessionState.Caller()
  private let timer = SessionState.Caller(isPerson: false)

  private func talk(
    _ pause: ServerPause = ServerPause(), _ caller: SessionState.Caller? = nil
  ) -> SessionState {
    SessionState(pause: pause, caller ?? person, at: now)
  }

  private func hear(
    _ talk: inout SessionState, _ notice: ServerNotice, _ wishes: ServerWishes = ServerWishes(),
    at time: Int64? = nil
  ) {
    talk.ended(notice, wishes: wishes, sentAt: time ?? now, at: time ?? now, random: 0.5) {
      switch $0 {
      case .answers: nil
      case .isInTrouble(let trouble): DocumentSyncError(trouble)
      case .mustStop(let reason): DocumentSyncError(reason, in: "notes")
      }
    }
  }

  /// A server that was in trouble just now.
  private func troubled(_ wishes: ServerWishes = ServerWishes()) -> ServerPause {
    var pause = ServerPause()
    _ = pause.troubled(at: now, sentAt: now, wishes: wishes, random: 1)
    return pause
  }

  func testWhoMayBegin() {
    let asked = troubled(ServerWishes(retryAfter: .seconds(60)))
    let until = now + 60_000
    let overriding = SessionState.Caller(overridesWait: true)
    let rows: [(String, ServerPause, SessionState.Caller, SessionState.Next)] = [
      ("anybody, where all is well", ServerPause(), timer, .now),
      ("a person, in our own wait", troubled(), person, .now),
      ("nobody else, in our own wait", troubled(), timer, .over(.mustWait(until: now + 500))),
      ("no person, in a wait that was asked for", asked, person, .over(.mustWait(until: until))),
      ("a person who overrides it", asked, overriding, .now),
    ]
    for (name, pause, caller, turn) in rows {
      var talk = talk(pause, caller)
      XCTAssertEqual(talk.turn(at: now), turn, name)
    }
  }

  func testWhatFollowsFromAnAnswer() {
    let rows: [(String, ServerNotice, ServerWishes, SessionState.Next)] = [
      ("an answer", .answers, ServerWishes(), .now),
      ("a wish to be left alone after this sync", .answers, .init(backoff: .seconds(60)), .now),
      ("trouble", .isInTrouble(.lost), ServerWishes(), .wait(.milliseconds(375))),
      (
        "a short wait that was asked for", .isInTrouble(.status(503)),
        .init(retryAfter: .seconds(2)), .wait(.seconds(2))
      ),
      (
        "a long one", .isInTrouble(.status(503)), .init(retryAfter: .seconds(60)),
        .over(.mustWait(until: now + 60_000))
      ),
      ("no credentials", .mustStop(.unauthorized), ServerWishes(), .over(.unauthorized)),
      ("another server", .mustStop(.unexpected(302)), .init(), .over(.unexpected(status: 302))),
      (
        "a collection that can't be used",
        .mustStop(.collection(Refusal(status: 404, words: ""))), ServerWishes(), .now
      ),
    ]
    for (name, notice, wishes, turn) in rows {
      var talk = talk()
      hear(&talk, notice, wishes)
      XCTAssertEqual(talk.turn(at: now), turn, name)
    }
  }

  func testTheThirdTroubleInARowIsTheLast() {
    var talk = talk()
    hear(&talk, .isInTrouble(.status(500)))
    hear(&talk, .isInTrouble(.status(500)), at: now + 1_000)
    XCTAssertNil(talk.end)
    hear(&talk, .isInTrouble(.status(500)), at: now + 3_000)
    XCTAssertEqual(talk.turn(at: now + 9_000), .over(.inTrouble(status: 500)))
  }

  func testAPushLeavesTheLastTryToTheList() {
    var talk = talk()
    XCTAssertFalse(talk.pushLeaves(isFollowed: true), "no trouble so far")
    hear(&talk, .isInTrouble(.status(500)))
    XCTAssertFalse(talk.pushLeaves(isFollowed: true))
    hear(&talk, .isInTrouble(.status(500)), at: now + 1_000)
    XCTAssertTrue(talk.pushLeaves(isFollowed: true))
    XCTAssertTrue(talk.pushLeaves(isFollowed: false), "it's trouble of what is sent")
    hear(&talk, .isInTrouble(.lost), at: now + 1_500)
    XCTAssertFalse(talk.pushLeaves(isFollowed: false), "nobody says whose trouble it is")
  }

  func testAPushThatNothingFollowsGoesOnWhereNoAnswerSaysWhoseTroubleItIs() {
    var talk = talk()
    hear(&talk, .isInTrouble(.status(500)))
    hear(&talk, .isInTrouble(.lost), at: now + 1_000)
    XCTAssertNil(talk.end)
    XCTAssertFalse(talk.pushLeaves(isFollowed: false))
    XCTAssertTrue(talk.pushLeaves(isFollowed: true))
  }

  func testAfterMuchTroubleThePushEndsAndTheListIsAskedForAllTheSame() {
    var pause = ServerPause()
    for _ in 0..<9 { _ = pause.troubled(at: now, sentAt: now, random: 1) }
    for isFollowed in [true, false] {
      var talk = talk(pause)
      hear(&talk, .isInTrouble(.status(500)))
      XCTAssertEqual(talk.end, .inTrouble(status: 500), "our own wait is longer than a sync")
      XCTAssertTrue(talk.pushLeaves(isFollowed: isFollowed))
      XCTAssertEqual(talk.turn(at: now), .now)
    }
  }

  func testAPushOverridesNoOtherEndOfASync() {
    let ends: [(ServerNotice, ServerWishes)] = [
      (.isInTrouble(.status(503)), ServerWishes(retryAfter: .seconds(60))),
      (.mustStop(.unauthorized), ServerWishes()),
    ]
    for (notice, wishes) in ends {
      var talk = talk()
      hear(&talk, .isInTrouble(.status(500)))
      hear(&talk, notice, wishes, at: now + 1_000)
      let end = talk.end
      XCTAssertNotNil(end)
      XCTAssertFalse(talk.pushLeaves(isFollowed: true), "\(notice)")
      XCTAssertEqual(talk.end, end)
    }
  }

  func testAnAnswerBetweenTroublesBeginsTheCountAnew() {
    var talk = talk()
    for round in 0..<6 {
      let time = now + Int64(round) * 2_000
      hear(&talk, .isInTrouble(.lost), at: time)
      hear(&talk, .answers, at: time + 1_000)
    }
    XCTAssertNil(talk.end)
    XCTAssertFalse(talk.isProbing)
  }

  func testWhatEndedASyncStaysItsReason() {
    var talk = talk()
    hear(&talk, .mustStop(.unauthorized))
    hear(&talk, .answers)
    hear(&talk, .mustStop(.unexpected(302)))
    XCTAssertEqual(talk.end, .unauthorized)
  }
}
