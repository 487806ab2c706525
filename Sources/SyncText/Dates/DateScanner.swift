/// A cursor over the bytes of a date.
struct DateScanner {
  private let text: UnsafeBufferPointer<UInt8>
  private var position = 0

  init(_ text: UnsafeBufferPointer<UInt8>) {
    self.text = text
  }

  var isAtEnd: Bool { position == text.count }

  var next: UInt8? { position < text.count ? text[position] : nil }

  /// Takes one of these bytes.
  mutating func take(_ allowed: StaticString) -> Bool {
    guard let next, allowed.withUTF8Buffer({ $0.contains(next) }) else { return false }
    position += 1
    return true
  }

  mutating func takeBlanks() -> Bool {
    guard take(" ") else { return false }
    while take(" ") {}
    return true
  }

  mutating func number(_ digits: Int) -> Int? {
    guard text.count - position >= digits else { return nil }
    var number = 0
    for place in position..<position + digits {
      guard text[place].isDigit else { return nil }
      number = number * 10 + Int(text[place] - 0x30)
    }
    position += digits
    return number
  }

  mutating func digits() -> Slice<UnsafeBufferPointer<UInt8>> {
    let start = position
    while let next, next.isDigit { position += 1 }
    return text[start..<position]
  }

  mutating func letters() -> Slice<UnsafeBufferPointer<UInt8>> {
    let start = position
    while let next, next.isSmall || next.isCapital { position += 1 }
    return text[start..<position]
  }

  /// A month as headers name it, January being 1.
  mutating func month() -> Int? {
    guard text.count - position >= 3 else { return nil }
    let name = text[position..<position + 3]
    guard let index = CivilTime.months.firstIndex(where: { $0.utf8.elementsEqual(name) })
    else { return nil }
    position += 3
    return index + 1
  }
}
