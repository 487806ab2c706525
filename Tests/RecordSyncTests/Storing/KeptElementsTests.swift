import SyncDatabase
import TestSupport
import XCTest

@testable import RecordSync

/// Elements that wait for each other were held in memory and read in one go, however many they were:
/// 43 MB of them took 350 MB, and no cancellation was heard meanwhile.
final class KeptElementsTests: XCTestCase {
  /// The numbers of rows that elements have in common, by element: two chains, and one alone.
  private static let rows: [[Int32]] = [[0], [1], [0, 2], [3], [1], [2], [0]]

  private static func kept(_ connection: Connection) throws -> KeptElements {
    var aside = SetAside()
    aside.add(Set(0..<4))
    var kept = try KeptElements(of: aside, on: connection)
    for (number, rows) in rows.enumerated() {
      let text = Array(#"{"id": \#(number)}"#.utf8)
      try kept.keep(text[...], number: number, for: rows)
    }
    return kept
  }

  private static func connection() throws -> Connection {
    try Connection(in: .memory, named: "test")
  }

  func testThoseThatHaveARowInCommonStandInOneWindowInTheirOrder() throws {
    for (bytes, expected) in [
      (1, [[0, 2, 5, 6], [1, 4], [3]]), (60, [[0, 1, 2, 4, 5, 6], [3]]),
      (1 << 20, [[0, 1, 2, 3, 4, 5, 6]]),
    ] {
      let connection = try Self.connection()
      var (kept, windows) = (try Self.kept(connection), [[Int]]())
      try kept.forEachWindow(of: bytes) { window, numbers in
        windows.append(numbers)
        for (element, number) in zip(window.elements, numbers) {
          XCTAssertEqual(window.tape.compactText(element), #"{"id":\#(number)}"#)
        }
        XCTAssertEqual(window.elements.count, numbers.count)
      }
      XCTAssertEqual(windows, expected, "\(bytes)")
      let tables = try connection.rows("SELECT name FROM temp.sqlite_master") { try $0.text(0) }
      XCTAssertEqual(tables, [])
    }
  }

  func testACancellationIsHeardBeforeTheNextIsRead() async {
    await assertEqual(Task { KeptElementsTests.windowsUntilCancelled() }.value, 1)
  }

  /// How many windows come where the first one cancels the task; `nil` if that isn't heard.
  private static func windowsUntilCancelled() -> Int? {
    var count = 0
    do {
      var kept = try kept(connection())
      try kept.forEachWindow(of: 1) { _, _ in
        count += 1
        withUnsafeCurrentTask { $0?.cancel() }
      }
      return nil
    } catch {
      return error is CancellationError ? count : nil
    }
  }
}
