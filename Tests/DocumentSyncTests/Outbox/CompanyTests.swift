import XCTest

@testable import DocumentSync

final class CompanyTests: XCTestCase {
  func testWhatAServerBreaksOverStandsAloneInTheEnd() {
    var batchShare = BatchShare.any
    var sizes: [Int] = []
    while batchShare != .last {
      let size = min(100, batchShare.capacity)
      sizes.append(size)
      batchShare = .broken(in: size)
    }
    XCTAssertEqual(sizes, [100, 50, 25, 12, 6, 3, 1])
    XCTAssertEqual(batchShare.capacity, 1)
    XCTAssertEqual(BatchShare.broken(in: 1), .last)
  }

  func testARefusedBatchIsHalvedDownToOne() {
    XCTAssertEqual(BatchShare.refused(in: 100), .atMost(50))
    XCTAssertEqual(BatchShare.refused(in: 3), .atMost(1))
    XCTAssertEqual(BatchShare.refused(in: 1), .atMost(1))
    XCTAssertEqual(BatchShare.atMost(0).capacity, 1)
    XCTAssertEqual(BatchShare.any.capacity, .max)
  }
}
