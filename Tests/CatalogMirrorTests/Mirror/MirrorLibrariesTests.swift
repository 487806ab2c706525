import XCTest

@testable import CatalogMirror

/// What the libraries that read catalogs are called.
final class MirrorLibrariesTests: XCTestCase {
  func testANumberIsWrittenAsAVersion() {
    XCTAssertEqual(MirrorLibraries.version("20914"), "2.9.14")
    XCTAssertEqual(MirrorLibraries.version("21207-GITv2.12.7"), "2.12.7")
    XCTAssertEqual(MirrorLibraries.version("2.15"), "2.15")
  }

  func testEachLibraryHasAVersion() {
    XCTAssertEqual(MirrorLibraries.ofCatalogs.first?.hasPrefix("libxml2 2."), true)
    for library in MirrorLibraries.ofCatalogs {
      XCTAssertEqual(library.split(separator: " ").count, 2, library)
    }
  }
}
