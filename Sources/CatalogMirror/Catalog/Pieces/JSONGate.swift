/// Looks at JSON: one value, or one in each line.
struct JSONGate {
  private let limits: CatalogLimits
  /// Bytes since the last sign that isn't part of a value: of a string, a number or blanks.
  private var length = 0
  private var isInString = false
  private var isEscaped = false
  private var depth = 0
  /// Bytes of the line that is under way, once a line has ended between two values: from there on
  /// each value stands in a line of its own.
  private var line: Int?

  init(_ limits: CatalogLimits) {
    self.limits = limits
  }

  mutating func take(_ bytes: UnsafeRawBufferPointer) throws(PieceGate.Excess) {
    var place = 0
    var lineStart = 0
    while place < bytes.count {
      if isInString {
        try takeString(bytes, &place)
        continue
      }
      let byte = bytes[place]
      place += 1
      switch byte {
      case UInt8(ascii: "\""): (isInString, length) = (true, 0)
      case UInt8(ascii: ","), UInt8(ascii: ":"): length = 0
      case UInt8(ascii: "{"), UInt8(ascii: "["): (depth, length) = (depth + 1, 0)
      case UInt8(ascii: "}"), UInt8(ascii: "]"): (depth, length) = (max(0, depth - 1), 0)
      case UInt8(ascii: "\n") where depth == 0:
        try checkLine(adding: place - 1 - lineStart)
        (line, lineStart, length) = (0, place, 0)
      default:
        length += 1
        guard length <= limits.pieceBytes else { throw .init(.pieceBytes, limits) }
      }
    }
    try checkLine(adding: place - lineStart)
    line = line.map { $0 + place - lineStart }
  }

  /// Takes a string up to its end, or to that of the bytes.
  private mutating func takeString(
    _ bytes: UnsafeRawBufferPointer, _ place: inout Int
  ) throws(PieceGate.Excess) {
    let start = place
    let end = min(bytes.count, place + limits.pieceBytes + 1 - length)
    while place < end {
      let byte = bytes[place]
      place += 1
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        (isInString, length) = (false, 0)
        return
      }
    }
    length += place - start
    guard length <= limits.pieceBytes else { throw .init(.pieceBytes, limits) }
  }

  private func checkLine(adding count: Int) throws(PieceGate.Excess) {
    guard let line, line + count > limits.pieceBytes else { return }
    throw .init(.pieceBytes, limits)
  }
}
