import XCTest

@testable import DocumentSync

/// Whether a server can be reached: every state sees every event.
final class ConnectivityTests: XCTestCase {
  private enum Start: CaseIterable { case online, doubtful, offline, rested, probing }

  private let now = Duration.seconds(100)

  private func state(_ start: Start) -> Connectivity {
    var state = Connectivity()
    switch start {
    case .online: break
    case .doubtful: state.showed(.silent, at: now, random: 1)
    case .offline: state.showed(.unreachable, at: now, random: 1)
    case .rested: state.showed(.unreachable, at: .seconds(90), random: 1)
    case .probing:
      state.showed(.unreachable, at: .seconds(90), random: 1)
      state.syncBegan()
    }
    return state
  }

  private func expect(
    _ event: (inout Connectivity) -> Void, line: UInt = #line,
    _ row: (Start) -> Connectivity.Phase
  ) {
    for start in Start.allCases {
      var state = state(start)
      event(&state)
      XCTAssertEqual(state.phase, row(start), "\(start)", line: line)
    }
  }

  func testAnyAnswerMeansThatItCanBeReached() {
    expect({ [now] in $0.showed(.answered, at: now, random: 1) }) { _ in .online(silences: 0) }
  }

  func testAServerThatIsntReachedIsLeftAlone() {
    expect({ [now] in $0.showed(.unreachable, at: now, random: 1) }) { start in
      switch start {
      case .online, .doubtful, .offline: .offline(tries: 1, until: .seconds(105))
      case .rested: .offline(tries: 1, until: .seconds(95))
      case .probing: .offline(tries: 2, until: .seconds(110))
      }
    }
  }

  func testOneAnswerThatDoesntComeSaysLittle() {
    expect({ [now] in $0.showed(.silent, at: now, random: 1) }) { start in
      switch start {
      case .online: .online(silences: 1)
      case .doubtful, .offline: .offline(tries: 1, until: .seconds(105))
      case .rested: .offline(tries: 1, until: .seconds(95))
      case .probing: .offline(tries: 2, until: .seconds(110))
      }
    }
  }

  func testWhenTheNetworkIsBackOneProbeIsMadeAtOnce() {
    expect({ [now] in $0.networkReturned(at: now) }) { start in
      switch start {
      case .online, .doubtful: .online(silences: 0)
      case .offline, .rested: .offline(tries: 1, until: .seconds(100))
      case .probing: .probing(tries: 1)
      }
    }
  }

  func testASyncIsTheProbe() {
    expect({ $0.syncBegan() }) { start in
      switch start {
      case .online: .online(silences: 0)
      case .doubtful: .online(silences: 1)
      case .offline, .rested, .probing: .probing(tries: 1)
      }
    }
  }

  func testAProbeThatShowedNothingRestsAgain() {
    expect({ [now] in $0.syncEnded(at: now, random: 1) }) { start in
      switch start {
      case .online: .online(silences: 0)
      case .doubtful: .online(silences: 1)
      case .offline: .offline(tries: 1, until: .seconds(105))
      case .rested: .offline(tries: 1, until: .seconds(95))
      case .probing: .offline(tries: 1, until: .seconds(105))
      }
    }
  }

  func testWhoMaySync() {
    for start in Start.allCases {
      let expected: Connectivity.Permission =
        switch start {
        case .online, .doubtful: .open
        case .offline: .rest(until: .seconds(105))
        case .rested: .probe
        case .probing: .rest(until: nil)
        }
      XCTAssertEqual(state(start).permission(at: now), expected, "\(start)")
    }
  }

  func testPausesGrowUpToALimit() {
    var (state, at, pauses) = (Connectivity(), Duration.zero, [Duration]())
    for _ in 0..<10 {
      state.syncBegan()
      state.showed(.unreachable, at: at, random: 1)
      guard case .offline(_, let until) = state.phase else { return XCTFail("\(state)") }
      pauses.append(until - at)
      at = until
    }
    XCTAssertEqual(pauses.map(\.components.seconds), [5, 10, 20, 40, 80, 160, 300, 300, 300, 300])
    state.networkReturned(at: at)
    state.syncBegan()
    state.showed(.unreachable, at: at, random: 0)
    XCTAssertEqual(state.phase, .offline(tries: 11, until: at + .seconds(150)))
  }
}
