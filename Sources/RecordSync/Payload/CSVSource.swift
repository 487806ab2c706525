import SyncText

/// How a table in text is written (RFC 4180): a line of names, then a line a row.
public struct CSVForm: Sendable, Hashable {
  /// What stands between two fields. Default: a comma.
  public var separator: Separator
  /// What stands for null in a field without quotes. Then an empty field is an empty text, and else
  /// it is absent: the column stays as it is. Default: none.
  public var null: String?

  /// What stands between two fields.
  public enum Separator: UInt8, Sendable, Hashable {
    /// As RFC 4180 has it.
    case comma = 0x2C
    /// Where commas are decimal points.
    case semicolon = 0x3B
    /// Of a TSV.
    case tab = 0x09
  }

  /// A form; by default with commas, and no word for null.
  public init(separator: Separator = .comma, null: String? = nil) {
    (self.separator, self.null) = (separator, null)
  }
}

/// Another source with a table in text, as objects in JSON, one a line.
///
/// A field is a text, but where it is exactly how JSON would write an integer or a fraction: that
/// is a number, which as a text would be the same again. A field in quotes is always a text.
struct CSVSource: PayloadSource {
  private static let piece = 64 << 10
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private var source: any PayloadSource
  private let form: CSVForm
  private let null: [UInt8]?
  private var scan: CSVScan
  private var names: [[UInt8]] = []
  private var ready: [UInt8] = []
  private var taken = 0
  /// How many bytes of the byte order mark came; all of them where it is behind us, or isn't there.
  private var marked = 0
  private var hasRows = false
  private var isOver = false

  init(_ source: any PayloadSource, _ form: CSVForm) {
    (self.source, self.form) = (source, form)
    null = form.null.map { Array($0.utf8) }
    scan = CSVScan(separator: form.separator.rawValue)
  }

  mutating func read(
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(PayloadProblem) -> Int {
    while taken == ready.count, !isOver { try readOn() }
    let piece = ready[taken...].prefix(buffer.count)
    buffer.copyBytes(from: piece)
    taken += piece.count
    return piece.count
  }

  private mutating func readOn() throws(PayloadProblem) {
    ready.removeAll(keepingCapacity: true)
    taken = 0
    let bytes = try source.piece(of: Self.piece)
    isOver = bytes.isEmpty
    for byte in bytes { try take(byte) }
    if isOver {
      if marked < Self.mark.count { try takeAll(Self.mark.prefix(marked)) }
      if try scan.end() { try endRow() }
    }
    if isOver, names.isEmpty { throw .empty }
    // What was cut off looks so, too: only an empty array says that there is nothing.
    if isOver, !hasRows { throw .csv(.noRows, line: 1) }
  }

  /// Leaves out a byte order mark.
  private mutating func take(_ byte: UInt8) throws(PayloadProblem) {
    if marked < Self.mark.count {
      if byte == Self.mark[marked] {
        marked += 1
        return
      }
      let begun = Self.mark.prefix(marked)
      marked = Self.mark.count
      try takeAll(begun)
    }
    try takeAll([byte])
  }

  private mutating func takeAll(_ bytes: some Sequence<UInt8>) throws(PayloadProblem) {
    for byte in bytes {
      if try scan.take(byte) { try endRow() }
    }
  }

  private mutating func endRow() throws(PayloadProblem) {
    let row = scan.row
    guard !names.isEmpty else { return try takeNames(row) }
    guard row.count == names.count else {
      throw .csv(.fields(row.count, named: names.count), line: scan.lineOfRow)
    }
    hasRows = true
    ready.append(UInt8(ascii: "{"))
    var isFirst = true
    for (name, field) in zip(names, row) {
      guard let value = value(field) else { continue }
      if !isFirst { ready.append(UInt8(ascii: ",")) }
      isFirst = false
      ready += name
      ready.append(UInt8(ascii: ":"))
      ready += value
    }
    ready += "}\n".utf8
  }

  private mutating func takeNames(_ row: [CSVScan.Field]) throws(PayloadProblem) {
    let names = row.map(\.bytes)
    guard let empty = names.firstIndex(of: []) else {
      guard Set(names).count == names.count else {
        let twice = names.first { name in names.count { $0 == name } > 1 } ?? []
        throw .csv(.nameTwice(ByteString.escape(twice)), line: scan.lineOfRow)
      }
      self.names = names.map { JSONText.written($0) }
      return
    }
    throw .csv(.noName(empty + 1), line: scan.lineOfRow)
  }

  /// A field's value in JSON; `nil` where it is absent.
  private func value(_ field: CSVScan.Field) -> [UInt8]? {
    if !field.isQuoted {
      if field.bytes == null { return Array("null".utf8) }
      if field.bytes.isEmpty, null == nil { return nil }
      if Self.isPlainNumber(field.bytes) { return field.bytes }
    }
    return JSONText.written(field.bytes)
  }

  /// Whether no other text is this number: no plus, no zero before or behind, and no more digits
  /// than an integer or a double keeps.
  private static func isPlainNumber(_ bytes: [UInt8]) -> Bool {
    let digits = bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes[...]
    let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isDigit) }),
      parts[0].count == 1 || parts[0].first != UInt8(ascii: "0"), bytes != Array("-0".utf8)
    else { return false }
    switch parts.count {
    case 1: return digits.count <= 18
    case 2: return digits.count <= 16 && parts[1].last != UInt8(ascii: "0")
    default: return false
    }
  }
}
