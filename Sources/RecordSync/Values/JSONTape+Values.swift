internal import SyncText

extension JSONTape {
  /// Lends the bytes of a string, escapes resolved; `nil` for any other value.
  func withString<Result>(
    _ node: Node, _ body: (UnsafeBufferPointer<UInt8>) -> Result?
  ) -> Result? {
    if isPlain(node) {
      let range = range(of: node)
      return bytes.withUnsafeBufferPointer { bytes in
        body(UnsafeBufferPointer(rebasing: bytes[range.lowerBound + 1..<range.upperBound - 1]))
      }
    }
    return stringBytes(node)?.withUnsafeBufferPointer(body)
  }

  /// The integer of a number's value: `3.0` and `1e2` have one, too.
  func wholeNumber(_ node: Node) -> Int64? { integer(node) ?? number(node)?.integer }

  /// A value's text without blanks between its parts; `nil` if it isn't UTF-8.
  func compactText(_ node: Node) -> String? {
    var text: [UInt8] = []
    let value = value(node)
    text.reserveCapacity(value.written.count)
    value.write(to: &text)
    return String(validating: text, as: UTF8.self)
  }
}
