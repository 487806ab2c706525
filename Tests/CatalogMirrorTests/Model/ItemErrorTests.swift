import XCTest

@testable import CatalogMirror

/// What is said of one item that can't be fetched.
final class ItemErrorTests: XCTestCase {
  /// Who mirrors was told to publish the catalog anew.
  func testWhoMirrorsIsToldWhatHeCanDo() {
    for error in [ItemError.digestDiffers(.sha256), .longerThanDeclared(5)] {
      XCTAssert(
        "\(error)".hasSuffix("try again, and tell who publishes it if that stays so"), "\(error)")
    }
  }
}
