import XCTest

@testable import SyncTransport

/// When bodies may be asked for under a limit of the rate.
final class TokenBucketTests: XCTestCase {
  func testBodiesAreAskedForOnlyWhereTheRateHasRoomForThem() {
    var bucket = TokenBucket(bytesPerSecond: 32_768)
    for _ in 0..<3 { XCTAssertEqual(bucket.admit(at: .zero), .now(deposit: 16_384)) }
    XCTAssertEqual(bucket.admit(at: .zero), .later(.milliseconds(500)))
    XCTAssertEqual(bucket.admit(at: .milliseconds(250)), .later(.milliseconds(250)))
    bucket.end(received: 0, unused: 16_384)
    guard case .now = bucket.admit(at: .milliseconds(250)) else {
      return XCTFail("what wasn't used is there for others")
    }
  }

  func testWhatIsSetAsideFollowsWhatBodiesHad() {
    var bucket = TokenBucket(bytesPerSecond: 1_000_000)
    for _ in 0..<50 { bucket.end(received: 2_000, unused: 0) }
    guard case .now(let deposit) = bucket.admit(at: .zero) else { return XCTFail("it is full") }
    XCTAssertEqual(Double(deposit), 2_000, accuracy: 5)
    for _ in 0..<50 { bucket.end(received: 1 << 40, unused: 0) }
    guard case .now(let most) = bucket.admit(at: .seconds(100)) else {
      return XCTFail("it is full")
    }
    XCTAssertLessThanOrEqual(most, 1_000_000, "a second's worth at the most")
  }
}
