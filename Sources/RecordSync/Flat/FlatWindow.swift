import SyncDatabase
import SyncText

/// The elements of a window, told apart by what has to be done for them.
struct FlatWindow {
  /// The row numbers of those whose rows are as they say.
  private(set) var same: [Int64] = []
  /// Those without a row, by the order of their keys; each gives a key of its own.
  private(set) var new: [New] = []
  /// What those give, one behind the other.
  private(set) var members: ContiguousArray<FlatReader.Member> = []
  /// Those whose rows hold something else, with their row numbers.
  private(set) var changed: [(element: Int, row: Int64)] = []
  private(set) var rest: [Int] = []
  /// The row numbers of those, as far as they have rows.
  private var different: [Int64] = []
  /// Whether one of the others has no row.
  private var hasOtherNew = false

  /// An element without a row.
  struct New {
    var element: Int
    var key: FlatKey
    /// What it gives: its part of the window's members.
    var members: Range<Int>
  }

  /// An element whose row is as it says.
  mutating func addSame(_ row: Int64) { same.append(row) }

  /// An element without a row.
  mutating func addNew(
    _ element: Int, _ key: FlatKey, _ given: ContiguousArray<FlatReader.Member>
  ) {
    let start = members.count
    members += given
    new.append(New(element: element, key: key, members: start..<members.count))
  }

  /// An element whose row holds something else.
  mutating func addChanged(_ element: Int, row: Int64) {
    changed.append((element, row))
    different.append(row)
  }

  /// An element for which there is more to do.
  mutating func addOther(_ element: Int, row: Int64? = nil) {
    rest.append(element)
    if let row { different.append(row) } else { hasOtherNew = true }
  }

  /// Whether so many elements have more to be done for them that looking at them first hardly paid.
  var isHopeless: Bool { rest.count > same.count + new.count + changed.count }

  /// Brings new rows into the order of their keys. `false` if several elements may mean one row:
  /// then they have to be merged.
  ///
  /// - Parameter keepsOrder: Whether no new row may come before another that has to be written.
  mutating func order(_ text: UnsafeBufferPointer<UInt8>, keepsOrder: Bool = false) -> Bool {
    guard Self.areDistinct(same + different) else { return false }
    guard !new.isEmpty else { return true }
    // The key of another new one may be that of one of these, told in another way.
    if hasOtherNew || keepsOrder && !rest.isEmpty {
      rest = (rest + new.map(\.element)).sorted()
      new = []
      return true
    }
    func isSorted() -> Bool {
      zip(new, new.dropFirst()).allSatisfy { $0.key.precedes($1.key, in: text) }
    }
    guard !isSorted() else { return true }
    new.sort { $0.key.precedes($1.key, in: text) }
    return isSorted()
  }

  /// Elements that can't be written as they stand: of their values there is more to be told, or
  /// the database refuses them.
  mutating func refuse(_ elements: [Int]) {
    guard !elements.isEmpty else { return }
    rest = (rest + elements).sorted()
  }

  private static func areDistinct(_ numbers: [Int64]) -> Bool {
    func isAscending(_ numbers: [Int64]) -> Bool {
      zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
    }
    return isAscending(numbers) || isAscending(numbers.sorted())
  }
}
