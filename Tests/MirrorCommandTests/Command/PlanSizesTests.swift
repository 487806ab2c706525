import Foundation
import TestSupport
import XCTest

/// How much a plan says that will come.
final class PlanSizesTests: MirrorTestCase {
  /// It said "at most 0 B".
  func testWhatHasNoSizeIsNotCountedAsNothing() throws {
    let table: [(String, fetched: String, second: String)] = [
      (
        #"{"key":"a"}"# + "\n" + #"{"key":"b"}"#, "of unknown size",
        "would ask about 2 (of unknown size, if they have changed)\n"
      ),
      (
        #"{"key":"a","size":5}"# + "\n" + #"{"key":"b"}"#, "5 B and 1 of unknown size",
        "would ask about 1 (of unknown size, if they have changed)\n"
      ),
      (#"{"key":"a","size":5}"# + "\n" + #"{"key":"b","size":4}"#, "9 B", "unchanged"),
    ]
    for (entries, fetched, words) in table {
      try publish([
        "a": "alpha", "b": "beta",
        "list": #"{"catalog":1,"complete":true}"# + "\n" + entries + "\n",
      ])
      let address = try serve().url + "list"
      let first = try mirror("plan", address, copy.path)
      XCTAssert(first.printed.contains("would fetch 2 items (\(fetched))\n"), first.printed)
      assertEnd(try sync(address), 0)
      let second = try mirror("plan", address, copy.path)
      XCTAssert(second.printed.contains(words), second.printed)
      try FileManager.default.removeItem(at: copy)
    }
  }
}
