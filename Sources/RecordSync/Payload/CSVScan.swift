/// Takes a table in text apart, byte by byte (RFC 4180, section 2).
struct CSVScan: Sendable {
  struct Field: Sendable, Equatable {
    var bytes: [UInt8] = []
    var isQuoted = false
  }

  private enum Place {
    /// Before the first byte of a field, in one without quotes, in quotes.
    case start, plain, quoted
    /// Behind a quote that ends the field, or stands for one.
    case quote
  }

  private let separator: UInt8
  private var place = Place.start
  private var field = Field()
  private var fields: [Field] = []
  private var line = 1
  private var wasReturn = false
  /// The row that ended last, and the line in which it begins.
  private(set) var row: [Field] = []
  private(set) var lineOfRow = 1
  private var lineOfNext = 1

  init(separator: UInt8) {
    self.separator = separator
  }

  /// Takes a byte; says whether a row has ended with it. Empty lines are none.
  mutating func take(_ byte: UInt8) throws(PayloadProblem) -> Bool {
    let isLineEnd = byte == 10 && !(wasReturn && place == .start && fields.isEmpty) || byte == 13
    if byte == 10 && !wasReturn || byte == 13 { line += 1 }
    defer { wasReturn = byte == 13 }
    switch place {
    case .quoted:
      if byte == UInt8(ascii: "\"") { place = .quote } else { field.bytes.append(byte) }
      return false
    case .start, .plain, .quote:
      if byte == separator {
        endField()
        return false
      }
      if byte == 10 || byte == 13 { return isLineEnd && endRow() }
      try takeInField(byte)
      return false
    }
  }

  private mutating func takeInField(_ byte: UInt8) throws(PayloadProblem) {
    switch (place, byte) {
    case (.start, UInt8(ascii: "\"")): (place, field.isQuoted) = (.quoted, true)
    case (.quote, UInt8(ascii: "\"")):
      field.bytes.append(byte)
      place = .quoted
    case (.quote, _): throw .csv(.behindQuote, line: line)
    default:
      field.bytes.append(byte)
      place = .plain
    }
  }

  /// Ends the text; says whether a last row ended with it.
  mutating func end() throws(PayloadProblem) -> Bool {
    guard place != .quoted else { throw .csv(.openQuote, line: lineOfNext) }
    return endRow()
  }

  private mutating func endField() {
    fields.append(field)
    (field, place) = (Field(), .start)
  }

  private mutating func endRow() -> Bool {
    defer { lineOfNext = line }
    guard !(fields.isEmpty && place == .start) else { return false }
    endField()
    (row, fields, lineOfRow) = (fields, [], lineOfNext)
    return true
  }
}
