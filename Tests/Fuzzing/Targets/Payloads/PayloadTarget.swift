import RecordSync
import SyncText

/// The reader of payloads: the first byte says their form and how they are cut into pieces, the rest
/// is the payload.
enum PayloadTarget {
  private static let path = ["data", "users"]

  static func check(_ bytes: [UInt8]) throws {
    guard let first = bytes.first else { return }
    let text = Array(bytes.dropFirst())
    let form = form(of: first)
    try checkJSON(PayloadReader(text, form: form), of: text, form)
    // What is passed over in parts is the same parts in both.
    var bounds = PayloadBounds()
    bounds.passedOver = 24
    let whole = Reading(PayloadReader(text, form: form, bounds: bounds))
    bounds.window = 1 + Int(first >> 2) * 3
    bounds.nodes = 1 + Int(first >> 3)
    let source = Pieces(bytes: text, length: 1 + Int(first >> 5))
    let pieces = Reading(PayloadReader(from: source, form: form, bounds: bounds))
    try require(pieces.problem == whole.problem, "\(pieces.problem as Any) only in pieces")
    try require(
      whole.problem != nil || pieces.elements == whole.elements, "other elements in pieces")
  }

  private static func form(of byte: UInt8) -> PayloadForm {
    switch byte & 3 {
    case 0: .lines
    case 1: PayloadPath(path.joined(separator: ".")).map { .items($0) } ?? .lines
    default: .automatic
    }
  }

  /// Holds what was read against the values of the whole body.
  private static func checkJSON(
    _ reader: PayloadReader, of text: [UInt8], _ form: PayloadForm
  ) throws {
    let reading = Reading(reader)
    if let problem = reading.problem { try requirePrintable(problem.description, "a problem") }
    let start = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let body = try? JSONValue(text, in: start..<text.count, nesting: 513)
    switch form {
    case .automatic:
      let isOne = body?.isArray == true || body?.isObject == true
      let isText = String(validating: text, as: UTF8.self) != nil
      try require(!isOne || !isText || reading.problem == nil, "\(reading.problem as Any) in JSON")
      try require(isText || reading.problem != nil, "what is no UTF-8 was taken")
      let isLines = reading.elements.count > 1 && reading.elements.first?.first == 0x7B
      let begin = text[start...].first { !JSONValue.isBlank($0) }
      let isJoined = body == nil && begin == UInt8(ascii: "[")
      guard reading.problem == nil, body != nil || !(isLines || isJoined) else { return }
      try require(isOne, "what is no JSON was taken")
      try require(reading.elements == elements(of: body), "other elements than the body's")
    case .items:
      guard reading.problem == nil else { return }
      let value = path.reduce(body) { value, name in value?[Array(name.utf8)] }
      try require(value != nil, "what is no JSON was taken")
      try require(reading.elements == elements(of: value), "other elements than the body's")
    case .lines, .csv:
      for element in reading.elements {
        try require(
          (try? JSONValue(element, in: 0..<element.count, nesting: 512)) != nil, "no element")
      }
    }
  }

  private static func elements(of value: JSONValue?) -> [[UInt8]] {
    guard let value else { return [] }
    return (value.elements ?? [value]).map { Array($0.written) }
  }

  private struct Reading {
    var elements: [[UInt8]] = []
    var problem: PayloadProblem?

    init(_ reader: PayloadReader) {
      var reader = reader
      var window = PayloadWindow()
      do throws(PayloadProblem) {
        while try reader.next(&window) {
          elements += window.elements.map { Array(window.tape.value($0).written) }
        }
      } catch {
        problem = error
      }
    }
  }

  private struct Pieces: PayloadSource {
    let bytes: [UInt8]
    let length: Int
    var position = 0

    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
      let piece = bytes[position...].prefix(min(buffer.count, length))
      buffer.copyBytes(from: piece)
      position += piece.count
      return piece.count
    }
  }
}
