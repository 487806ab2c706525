package import SyncDatabase
private import SyncText

extension ColumnType.Affinity {
  /// What SQLite keeps of a value in a column of this affinity, to be compared with what is read.
  package func kept(_ value: StoredValue) -> StoredValue {
    switch (self, value) {
    case (.blob, _), (_, .blob), (.text, .text), (.integer, .integer), (.numeric, .integer):
      return value
    case (.text, .integer(let number)): return .text(String(number))
    case (.text, .real(let number)): return .text(number.description)
    case (.real, .integer(let number)): return .real(Double(number))
    case (.integer, .real(let number)), (.numeric, .real(let number)):
      return Self.whole(number).map { .integer($0) } ?? value
    // A zero loses its sign on its way through an integer.
    case (.real, .real(let number)): return .real(number == 0 ? 0 : number)
    case (_, .text(var text)):
      guard let number = text.withUTF8(NumericText.init)?.value else { return value }
      return kept(number)
    }
  }

  /// The integer that a column of numbers keeps in place of a double. Both ends are left out, since
  /// numbers beyond them are rounded to them.
  private static func whole(_ number: Double) -> Int64? {
    Int64(exactly: number).flatMap { $0 > .min && $0 < .max ? $0 : nil }
  }
}

/// A text that a column of numbers takes for a number: decimal, with blanks around it if need be.
private struct NumericText {
  let value: StoredValue

  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    let isBlank = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
    guard let start = bytes.firstIndex(where: { !isBlank($0) }),
      let last = bytes.lastIndex(where: { !isBlank($0) })
    else { return nil }
    let text = bytes[start...last]
    var rest = text
    if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    let whole = Self.takeDigits(&rest)
    let isWhole = rest.isEmpty
    var fraction = 0
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      fraction = Self.takeDigits(&rest)
    }
    guard whole + fraction > 0 else { return nil }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest.removeFirst()
      if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
      guard Self.takeDigits(&rest) > 0 else { return nil }
    }
    guard rest.isEmpty else { return nil }
    let written = String(decoding: text, as: UTF8.self)
    if isWhole, let number = Int64(written) {
      value = .integer(number)
    } else {
      guard let number = Double(written) else { return nil }
      value = .real(number)
    }
  }

  private static func takeDigits(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> Int {
    let count = rest.prefix(while: \.isDigit).count
    rest.removeFirst(count)
    return count
  }
}
