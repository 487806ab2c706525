import RecordSync
import SyncDatabase
import SyncText

/// Points in time: the input is a text as JSON from anywhere may hold it, and as a number where it is
/// one.
enum DateTarget {
  /// The columns that store them.
  private static let columns = [
    ColumnType(kind: .date(.text), affinity: .text),
    ColumnType(kind: .date(.milliseconds), affinity: .integer),
    ColumnType(kind: .date(.seconds), affinity: .integer),
    ColumnType(kind: .date(.seconds), affinity: .real),
    ColumnType(kind: .date(.milliseconds), affinity: .numeric),
  ]

  static func check(_ bytes: [UInt8]) throws {
    let moment = bytes.withUnsafeBufferPointer { Timestamp($0) }
    if let moment { try checkWritten(moment) }
    if let text = String(validating: bytes, as: UTF8.self) {
      var string: [UInt8] = []
      text.write(to: &string)
      try checkStored(string, isMoment: moment != nil)
    }
    guard let number = (try? JSONValue(bytes, in: 0..<bytes.count, nesting: 1))?.number else {
      return
    }
    let unix = Timestamp(unix: number)
    if let unix { try checkWritten(unix) }
    try checkStored(bytes, isMoment: unix != nil)
  }

  private static func checkWritten(_ moment: Timestamp) throws {
    try require(moment.text.utf8.count == 24, "\(moment.text) has another length")
    try require(Timestamp(moment.text) == moment, "\(moment.text) is read as another")
    try require(
      Timestamp(milliseconds: moment.milliseconds) == moment, "\(moment.text) is of no year")
  }

  /// What is stored is exported, and comes back as the same.
  private static func checkStored(_ json: [UInt8], isMoment: Bool) throws {
    for column in columns {
      guard case .stored(let value?, _) = try stored(json, column) else {
        try require(!isMoment, "\(column) doesn't take \(json.text)")
        continue
      }
      try require(isMoment, "\(column) takes \(json.text)")
      var exported: [UInt8] = []
      column.json(of: value, to: &exported)
      let again = try stored(exported, column)
      try require(
        again == .stored(value, isCoerced: false),
        "\(column) has \(value) for \(json.text), and \(again) for \(exported.text)")
    }
  }

  private static func stored(_ json: [UInt8], _ column: ColumnType) throws -> Conversion {
    var tape = JSONTape(nesting: 1)
    tape.begin(json)
    let (root, _) = try tape.append(at: 0)
    return column.stored(root, in: tape)
  }
}
