import SyncDatabase
import SyncText
import XCTest
@testable import RecordSync

/// What a column of one declared type makes of values of JSON.
struct ColumnVectors {
  let declared: String
  let rows: [(json: String, conversion: Conversion)]

  init(_ declared: String, _ rows: [(String, Conversion)]) {
    self.declared = declared
    self.rows = rows.map { (json: $0.0, conversion: $0.1) }
  }

  /// Many values that all become the same.
  init(_ declared: String, _ conversion: Conversion, _ values: [String]) {
    self.init(declared, values.map { ($0, conversion) })
  }

  /// Many strings that stay as they are.
  init(_ declared: String, unchanged strings: [String]) {
    self.init(declared, strings.map { ("\"\($0)\"", .kept(.text($0))) })
  }

  /// Many strings that can't be stored.
  init(_ declared: String, refused strings: [String]) {
    self.init(declared, strings.map { ("\"\($0)\"", .mismatch) })
  }
}

extension Conversion {
  static func kept(_ value: StoredValue?) -> Conversion { .stored(value, isCoerced: false) }
  static func coerced(_ value: StoredValue?) -> Conversion { .stored(value, isCoerced: true) }
}

extension ColumnType {
  init(_ declared: String) { self.init(declared: declared, isStrict: false) }

  /// What a value of JSON becomes.
  func stored(_ json: String) throws -> Conversion {
    let (tape, node) = try JSONTape.of(json)
    return stored(node, in: tape)
  }

  func exported(_ stored: StoredValue?) -> String {
    var output: [UInt8] = []
    json(of: stored, to: &output)
    return String(decoding: output, as: UTF8.self)
  }
}

extension JSONTape {
  static func of(_ json: String) throws -> (JSONTape, Node) {
    var tape = JSONTape(nesting: 512)
    tape.begin(Array(json.utf8))
    let (root, end) = try tape.append(at: 0)
    XCTAssertEqual(end, json.utf8.count, json)
    return (tape, root)
  }
}
