import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror

/// Keyrings as people have them: packets, or text.
final class KeyringTests: XCTestCase {
  private static func armoured(_ bytes: [UInt8], _ head: String = "Version: 1\n") -> String {
    """
    -----BEGIN PGP PUBLIC KEY BLOCK-----
    \(head)
    \(Data(bytes).base64EncodedString(options: .lineLength64Characters))
    =njUN
    -----END PGP PUBLIC KEY BLOCK-----

    """
  }

  func testPacketsAreTakenAsTheyAre() throws {
    for bytes: [UInt8] in [[0x99, 1, 2], [0xC6, 0x0A], [0, 0, 0, 32, 1]] {
      XCTAssertEqual(try Keyring(bytes).bytes, bytes)
    }
  }

  func testArmourIsTakenOff() throws {
    let (one, other): ([UInt8], [UInt8]) = ([0x99, 1, 2, 3], Array(repeating: 0xC6, count: 99))
    let table: [(String, [UInt8])] = [
      (Self.armoured(one), one), (Self.armoured(one, ""), one),
      (Self.armoured(one).replacing("\n", with: "\r\n"), one),
      ("\u{FEFF}" + Self.armoured(one), one),
      ("Keys of ours\n\n" + Self.armoured(other) + "and\n" + Self.armoured(one), other + one),
      (Self.armoured(one).replacing("=njUN\n", with: ""), one),
    ]
    for (text, bytes) in table { XCTAssertEqual(try Keyring(Array(text.utf8)).bytes, bytes, text) }
  }

  func testWhatIsNoKeyringIsToldAsThat() {
    let whole = Self.armoured([0x99, 1, 2, 3])
    let table: [(String, KeyringProblem)] = [
      ("", .noKeys), ("<html>Not found</html>", .noKeys),
      (whole.replacing("PUBLIC", with: "PRIVATE"), .noKeys),
      (whole.replacing("-----END", with: "-----"), .damaged),
      (whole.replacing("mQEC", with: "mQ!C"), .damaged),
      (whole.replacing("mQECAw==", with: ""), .damaged),
      (whole.replacing("Version: 1\n\n", with: ""), .damaged),
    ]
    for (text, problem) in table {
      XCTAssertThrowsError(try Keyring(Array(text.utf8)), text) { error in
        XCTAssertEqual(error as? KeyringProblem, problem, text)
      }
    }
    // Said of an empty file, too.
    XCTAssertTrue("\(KeyringProblem.noKeys)".hasPrefix("holds no public keys;"))
    assertThrows(KeyringProblem.unreadable, try Keyring(path: "/nowhere/keys.gpg"))
  }
}
