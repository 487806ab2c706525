// How a payload begins, and how it ends.

extension PayloadScan {
  /// Takes a byte order mark away. `false` when more text is wanted to know.
  mutating func begin(_ text: inout PayloadText) throws(PayloadProblem) -> Bool {
    guard text.left >= 3 || text.isLast else { return false }
    let start = text.bytes.prefix(3)
    if start.elementsEqual([0xEF, 0xBB, 0xBF]) { text.position = 3 }
    // Of a text in UTF-16, one of the first two bytes is 0, or both are its mark.
    let isWide = start.prefix(2).contains(0) || start.prefix(2).allSatisfy { $0 >= 0xFE }
    if isWide, start.count >= 2 { throw .utf16 }
    expected = .root
    return true
  }

  func checkEnd(_ text: PayloadText) throws(PayloadProblem) {
    switch expected {
    case .start, .root: throw text.offset + text.bytes.count == 0 ? .empty : .blank
    case .afterValue where levels.isEmpty:
      guard notes.lacking > 0, !isReached, let path else { return }
      throw .items(path: path.text, .absent(path.text))
    default: throw .cut(place(in: text))
    }
  }
}
