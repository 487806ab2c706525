import XCTest

@testable import DocumentSync

final class CompanyTests: XCTestCase {
  func testWhatAServerBreaksOverStandsAloneInTheEnd() {
    var company = Company.any
    var sizes: [Int] = []
    while company != .last {
      let size = min(100, company.capacity)
      sizes.append(size)
      company = .broken(in: size)
    }
    XCTAssertEqual(sizes, [100, 50, 25, 12, 6, 3, 1])
    XCTAssertEqual(company.capacity, 1)
    XCTAssertEqual(Company.broken(in: 1), .last)
  }

  func testARefusedBatchIsHalvedDownToOne() {
    XCTAssertEqual(Company.refused(in: 100), .atMost(50))
    XCTAssertEqual(Company.refused(in: 3), .atMost(1))
    XCTAssertEqual(Company.refused(in: 1), .atMost(1))
    XCTAssertEqual(Company.atMost(0).capacity, 1)
    XCTAssertEqual(Company.any.capacity, .max)
  }
}
