import TestSupport
import XCTest

/// What the system loads before the program begins: most of a short run's time.
final class LoadedLibrariesTests: RecordsTestCase {
  func testTheProgramLoadsTheSmallFoundationAlone() throws {
    #if os(Linux)
      let libraries = try Programs.libraries(of: Programs.records, records: folder)
      XCTAssertTrue(libraries.contains("libc.so.6"), "\(libraries.sorted())")
      XCTAssertEqual(libraries.filter { $0.contains("Foundation") }, ["libFoundationEssentials.so"])
    #else
      throw XCTSkip("elsewhere there is one Foundation, and it is loaded already")
    #endif
  }
}
