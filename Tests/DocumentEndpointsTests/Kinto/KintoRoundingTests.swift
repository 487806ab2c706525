import DocumentSync
import XCTest

@testable import DocumentEndpoints

final class KintoRoundingTests: XCTestCase {
  private func may(_ stored: String, stem sent: String) throws -> Bool {
    KintoRounding.may(try DocumentValue(parsing: stored), stem: try DocumentValue(parsing: sent))
  }

  func testANeighbourOfANumberThatWasSentMayStemFromIt() throws {
    for (stored, sent) in [
      ("0.9745963848909008", "0.9745963848909007"), ("2.9999999999999998e+228", "3e228"),
      (#"{"b": [1, 0.9745963848909008], "a": "x"}"#, #"{"a": "x", "b": [1, 0.9745963848909007]}"#),
      (#"{"a": 1.0}"#, #"{"a": 1}"#), ("-144.02700745733495", "-144.02700745733497"),
    ] {
      XCTAssertTrue(try may(stored, stem: sent), "\(stored) \(sent)")
    }
  }

  func testWhatDiffersOtherwiseDoesNot() throws {
    for (stored, sent) in [
      ("0.97459638489091", "0.9745963848909007"), ("9007199254740993", "9007199254740992"),
      ("0.1", "-0.1"), ("0", "1e-300"), (#"{"a": 1}"#, #"{"a": 1, "b": 2}"#), ("[1, 2]", "[1]"),
      (#"{"a": 1.5, "b": 1}"#, #"{"a": 1.5, "c": 1}"#), ("[2, 1]", "[1, 2]"), (#""1""#, "1"),
      ("null", "false"), ("[]", "{}"),
    ] {
      XCTAssertFalse(try may(stored, stem: sent), "\(stored) \(sent)")
    }
  }

  func testWhatWasSentIsKnownAgainAndNothingElse() {
    let version = DocumentVersion("7")
    let stored = DocumentState.present(
      ServerCopy(value: ["n": 0.9745963848909008], version: version, time: 7))
    XCTAssertEqual(
      stored.recognising(["n": 0.9745963848909007]).copy?.value, ["n": 0.9745963848909007])
    XCTAssertEqual(stored.recognising(["n": 0.5]), stored)
    XCTAssertEqual(stored.recognising(nil), stored)
    XCTAssertEqual(DocumentState.deleted(version).recognising([:]), .deleted(version))
  }
}
