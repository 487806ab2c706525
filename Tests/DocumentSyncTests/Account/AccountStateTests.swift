import TestSupport
import XCTest

@testable import DocumentSync

/// Whose credentials count: every state sees every event.
final class AccountStateTests: XCTestCase {
  private enum Start: CaseIterable {
    case signedOut, signingIn, signingInFromReady, signingInFromRefused, ready, renewing, refused
  }

  /// A state, and the number of its credentials, or of its attempt to sign in.
  private func state(_ start: Start) -> AccountState {
    var state = AccountState()
    switch start {
    case .signedOut: break
    case .signingIn: _ = state.signInBegan()
    case .signingInFromReady:
      state = self.state(.ready)
      _ = state.signInBegan()
    case .signingInFromRefused:
      state = self.state(.refused)
      _ = state.signInBegan()
    case .ready: _ = state.loaded("ann")
    case .renewing:
      state = self.state(.ready)
      _ = state.refused(1, isSecond: false)
    case .refused:
      state = self.state(.ready)
      _ = state.refused(1, isSecond: true)
    }
    return state
  }

  private func expect<Answer: Equatable>(
    _ event: (inout AccountState) -> Answer, line: UInt = #line,
    _ row: (Start) -> (Answer, AccountStatus)
  ) {
    for start in Start.allCases {
      var state = state(start)
      let answer = event(&state)
      XCTAssertEqual(answer, row(start).0, "\(start)", line: line)
      XCTAssertEqual(state.status, row(start).1, "\(start)", line: line)
    }
  }

  private func status(_ start: Start) -> AccountStatus {
    switch start {
    case .signedOut: .signedOut
    case .signingIn, .signingInFromReady, .signingInFromRefused: .signingIn
    case .ready, .renewing: .ready(name: "ann")
    case .refused: .refused(name: "ann")
    }
  }

  func testCredentialsThatWereKeptCountOnlyAtFirst() {
    expect({ $0.loaded("eve") }) { start in
      start == .signedOut ? (true, .ready(name: "eve")) : (false, status(start))
    }
    var out = AccountState()
    out.signedOut()
    XCTAssertFalse(out.loaded("eve"), "somebody signed out before they were read")
  }

  func testSigningInBeginsFromEverywhereAndTheLaterAttemptCounts() {
    expect({ $0.signInBegan() }) { start in
      switch start {
      case .signingIn, .signingInFromReady, .signingInFromRefused: (2, .signingIn)
      case .signedOut, .ready, .renewing, .refused: (1, .signingIn)
      }
    }
  }

  func testAnAttemptThatSucceededCountsUnlessAnotherOneWasMade() {
    expect({ $0.signedIn(1, as: "bob") }) { start in
      switch start {
      case .signingIn, .signingInFromReady, .signingInFromRefused: (true, .ready(name: "bob"))
      case .signedOut, .ready, .renewing, .refused: (false, status(start))
      }
    }
    expect({ $0.signedIn(7, as: "bob") }) { (false, status($0)) }
  }

  func testAnAttemptThatFailedLeavesAllAsItWas() {
    func after(_ start: Start) -> AccountStatus {
      switch start {
      case .signedOut, .signingIn: .signedOut
      case .ready, .renewing, .signingInFromReady: .ready(name: "ann")
      case .refused, .signingInFromRefused: .refused(name: "ann")
      }
    }
    expect({ $0.signInFailed(1) == () }) { (true, after($0)) }
    expect({ $0.signInFailed(7) == () }) { (true, status($0)) }
  }

  func testSigningOutEndsEverything() {
    expect({ $0.signedOut() == () }) { _ in (true, .signedOut) }
    for start in Start.allCases {
      var state = state(start)
      state.signedOut()
      XCTAssertFalse(state.isRenewing)
      XCTAssertNil(state.name)
      XCTAssertFalse(state.renewalEnded(1, .renewed), "\(start)")
      XCTAssertFalse(state.signedIn(1, as: "ann"), "\(start)")
    }
  }

  func testTheFirstRefusalAsksForNewerCredentials() {
    expect({ $0.refused(1, isSecond: false) }) { start in
      switch start {
      case .signedOut, .refused: (.giveOn, status(start))
      case .signingIn, .signingInFromReady, .signingInFromRefused: (.waitForSignIn, .signingIn)
      case .ready: (.renew, .ready(name: "ann"))
      case .renewing: (.waitForRenewal, .ready(name: "ann"))
      }
    }
  }

  func testARefusalUnderOldCredentialsSaysNothingOfTheNewOnes() {
    expect({ $0.refused(0, isSecond: false) }) { start in
      switch start {
      case .signedOut, .refused: (.giveOn, status(start))
      case .signingIn, .signingInFromReady, .signingInFromRefused: (.waitForSignIn, .signingIn)
      case .ready, .renewing: (.again, .ready(name: "ann"))
      }
    }
    expect({ $0.refused(0, isSecond: true) }) { (.giveOn, status($0)) }
  }

  func testTheSecondRefusalIsGivenOnAndEndsTheCredentials() {
    expect({ $0.refused(1, isSecond: true) }) { start in
      (.giveOn, start == .ready ? .refused(name: "ann") : status(start))
    }
  }

  func testWhatARenewalBroughtCountsOnlyWhereItWasBegun() {
    expect({ $0.renewalEnded(1, .renewed) }) { ($0 == .renewing, status($0)) }
    expect({ $0.renewalEnded(1, .failed) }) { ($0 == .renewing, status($0)) }
    expect({ $0.renewalEnded(1, .refused) }) { start in
      start == .renewing ? (true, .refused(name: "ann")) : (false, status(start))
    }
    var state = state(.renewing)
    XCTAssertTrue(state.renewalEnded(1, .renewed))
    XCTAssertEqual(state.number, 2)
    XCTAssertFalse(state.isRenewing)
  }

  func testAChangedPasswordMakesTheAccountReady() {
    expect({ $0.replaced(1) }) { start in
      switch start {
      case .signedOut, .signingIn: (false, status(start))
      case .ready, .renewing, .refused: (true, .ready(name: "ann"))
      case .signingInFromReady, .signingInFromRefused: (true, .signingIn)
      }
    }
    expect({ $0.replaced(7) }) { (false, status($0)) }
  }

  func testARenewalThatIsRefusedWhileSomebodySignsInIsKnownWhenThatFails() {
    var state = state(.renewing)
    let attempt = state.signInBegan()
    XCTAssertTrue(state.renewalEnded(1, .refused))
    XCTAssertEqual(state.status, .signingIn)
    state.signInFailed(attempt)
    XCTAssertEqual(state.status, .refused(name: "ann"))
  }

  func testARandomWalkNeverLosesWhoIsSignedIn() {
    var numbers = SeededGenerator(seed: 38)
    for _ in 0..<2_000 {
      var state = AccountState()
      var last = state.number
      for _ in 0..<30 {
        let attempt = Int.random(in: 1...4, using: &numbers)
        let number = Int.random(in: max(0, last - 1)...last, using: &numbers)
        switch Int.random(in: 0..<9, using: &numbers) {
        case 0: _ = state.loaded("ann")
        case 1: _ = state.signInBegan()
        case 2: _ = state.signedIn(attempt, as: "bob")
        case 3: state.signInFailed(attempt)
        case 4: state.signedOut()
        case 5: _ = state.refused(number, isSecond: false)
        case 6: _ = state.refused(number, isSecond: true)
        case 7: _ = state.renewalEnded(number, .renewed)
        default: _ = state.renewalEnded(number, .refused)
        }
        XCTAssertGreaterThanOrEqual(state.number, last)
        last = state.number
        if state.phase == .ready || state.phase == .refused { XCTAssertNotNil(state.name) }
        if state.phase == .signedOut { XCTAssertNil(state.name) }
        if state.isRenewing { XCTAssertNotNil(state.name) }
      }
    }
  }
}
