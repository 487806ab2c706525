import XCTest

@testable import DocumentSync

/// How long a server is left alone: a row for every pair of a state and an event.
final class ServerPauseTests: XCTestCase {
  private typealias Permission = ServerPause.Permission

  /// The states of a pause, at the time 100,000. Own waits last 1 s there; what the server asked
  /// for lasts 60 s, and 90 s if it was asked in passing.
  private enum Start: CaseIterable {
    case none, own, ownOver, asked, backoff, ownAndBackoff, askedAndBackoff

    static let now: Int64 = 100_000

    var pause: ServerPause {
      let rule = ServerPause.Rule(
        first: .seconds(1), longest: .seconds(8), longestAsked: .seconds(100))
      var pause = ServerPause(rule: rule)
      let asked = ServerPause.Wishes(retryAfter: .seconds(60))
      let inPassing = ServerPause.Wishes(backoff: .seconds(90))
      switch self {
      case .none: break
      case .own: trouble(&pause)
      case .ownOver: trouble(&pause, at: Self.now - 2_000)
      case .asked: trouble(&pause, wishes: asked)
      case .backoff: pause.answered(at: Self.now, wishes: inPassing)
      case .ownAndBackoff:
        pause.answered(at: Self.now, wishes: inPassing)
        trouble(&pause)
      case .askedAndBackoff:
        pause.answered(at: Self.now, wishes: inPassing)
        trouble(&pause, wishes: asked)
      }
      return pause
    }

    private func trouble(
      _ pause: inout ServerPause, at now: Int64 = now, wishes: ServerPause.Wishes = .init()
    ) {
      _ = pause.troubled(at: now, sentAt: now - 50, wishes: wishes, random: 1)
    }
  }

  private let own = Permission.ownWait(.seconds(1))
  private let asked = Permission.asked(until: Start.now + 60_000)
  private let inPassing = Permission.asked(until: Start.now + 90_000)

  func testSomebodyWantsToSend() {
    expect({ _ in }) {
      switch $0 {
      case .none, .ownOver: (.open, .open)
      case .own: (self.own, self.own)
      case .asked: (self.asked, self.asked)
      case .backoff: (.open, self.inPassing)
      case .ownAndBackoff: (self.own, self.inPassing)
      case .askedAndBackoff: (self.asked, self.inPassing)
      }
    }
  }

  func testATroubleIsMet() {
    expect({ _ = $0.troubled(at: Start.now, sentAt: Start.now, random: 1) }) {
      switch $0 {
      case .none: (self.own, self.own)
      case .own, .ownOver: (.ownWait(.seconds(2)), .ownWait(.seconds(2)))
      case .asked: (self.asked, self.asked)
      case .backoff: (self.own, self.inPassing)
      case .ownAndBackoff: (.ownWait(.seconds(2)), self.inPassing)
      case .askedAndBackoff: (self.asked, self.inPassing)
      }
    }
  }

  func testATroubleOfARequestIsMetThatWasUnderWayWhenTroubleBegan() {
    for start in Start.allCases {
      var pause = start.pause
      let before = pause
      _ = pause.troubled(at: Start.now, sentAt: Start.now - 5_000, random: 1)
      switch start {
      case .none, .backoff: XCTAssertEqual(pause.troubles, 1, "\(start)")
      case .own, .ownOver, .asked, .ownAndBackoff, .askedAndBackoff:
        XCTAssertEqual(pause, before, "\(start)")
      }
    }
  }

  func testTheServerAsksToBeLeftAlone() {
    let wishes = ServerPause.Wishes(retryAfter: .seconds(70))
    let longer = Permission.asked(until: Start.now + 70_000)
    expect({ _ = $0.troubled(at: Start.now, sentAt: Start.now, wishes: wishes, random: 1) }) {
      switch $0 {
      case .none, .own, .ownOver, .asked: (longer, longer)
      case .backoff, .ownAndBackoff, .askedAndBackoff: (longer, self.inPassing)
      }
    }
  }

  func testAnAnswerComes() {
    expect({ $0.answered(at: Start.now) }) {
      switch $0 {
      case .none, .own, .ownOver: (.open, .open)
      case .asked: (self.asked, self.asked)
      case .backoff, .ownAndBackoff: (.open, self.inPassing)
      case .askedAndBackoff: (self.asked, self.inPassing)
      }
    }
  }

  func testAnAnswerComesThatAsksForABreak() {
    let longer = Permission.asked(until: Start.now + 95_000)
    expect({ $0.answered(at: Start.now, wishes: .init(backoff: .seconds(95))) }) {
      switch $0 {
      case .none, .own, .ownOver, .backoff, .ownAndBackoff: (.open, longer)
      case .asked, .askedAndBackoff: (self.asked, longer)
      }
    }
  }

  func testTheNetworkIsBack() {
    expect({ $0.networkReturned() }) {
      switch $0 {
      case .none, .own, .ownOver: (.open, .open)
      case .asked: (self.asked, self.asked)
      case .backoff, .ownAndBackoff: (.open, self.inPassing)
      case .askedAndBackoff: (self.asked, self.inPassing)
      }
    }
  }

  func testAPersonWantsToSendNow() {
    expect({ $0.overridden() }) { _ in (.open, .open) }
  }

  func testAllWaitsAreOverInTime() {
    for start in Start.allCases {
      var pause = start.pause
      XCTAssertEqual(pause.permission(at: Start.now + 90_000, isUnderWay: false), .open, "\(start)")
      XCTAssertNil(pause.retryAfter)
      XCTAssertNil(pause.backoff)
    }
  }

  func testAPauseThatAStoreKeptIsTheSame() {
    for start in Start.allCases {
      let pause = start.pause
      let kept = ServerPause(
        troubles: pause.troubles, own: pause.own, retryAfter: pause.retryAfter,
        backoff: pause.backoff, rule: pause.rule)
      XCTAssertEqual(kept, pause, "\(start)")
    }
  }

  func testAClockThatWasPutBackMakesNoWaitLonger() {
    for start in Start.allCases {
      var pause = start.pause
      _ = pause.permission(at: 0, isUnderWay: false)
      let left = pause.permission(at: 90_000, isUnderWay: false)
      XCTAssertEqual(left, .open, "\(start)")
    }
  }

  /// Whom the pause lets send after an event: in a pass under way, and in one that would begin.
  private func expect(
    _ event: (inout ServerPause) -> Void, line: UInt = #line,
    _ row: (Start) -> (underWay: Permission, new: Permission)
  ) {
    for start in Start.allCases {
      var pause = start.pause
      event(&pause)
      let row = row(start)
      let underWay = pause.permission(at: Start.now, isUnderWay: true)
      XCTAssertEqual(underWay, row.underWay, "\(start)", line: line)
      let new = pause.permission(at: Start.now, isUnderWay: false)
      XCTAssertEqual(new, row.new, "\(start)", line: line)
    }
  }
}
