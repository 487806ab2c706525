import SyncText

/// The paragraphs of a file of control data: fields by their names, blank lines between paragraphs
/// (Debian Policy Manual, section 5.1; deb822(5)). The name of a field is printable ASCII without
/// blanks.
struct ControlText {
  private var rest: ArraySlice<UInt8>
  private var number = 0
  /// The line that can't be read, counted from 1; after it there are no paragraphs.
  private(set) var brokenLine: Int?

  /// The paragraphs in these bytes; lines may end as on Windows.
  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  struct Paragraph {
    fileprivate(set) var fields: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] = []
    fileprivate(set) var further: [Int: [ArraySlice<UInt8>]] = [:]

    /// The value of a field in its first line, without blanks around it; names are told apart
    /// without regard to case. Of several of one name, the first.
    subscript(name: StaticString) -> ArraySlice<UInt8>? {
      place(of: name).map { fields[$0].value }
    }

    func text(_ name: StaticString) -> String? {
      self[name].flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// The further lines of a field, each split at its blanks; `nil` where there is no such field.
    func rows(_ name: StaticString) -> [[ArraySlice<UInt8>]]? {
      place(of: name).map { place in
        (further[place] ?? []).map { $0.split(whereSeparator: JSONValue.isBlank) }
      }
    }

    private func place(of name: StaticString) -> Int? {
      name.withUTF8Buffer { wanted in
        fields.firstIndex { field in
          field.name.count == wanted.count
            && zip(field.name, wanted).allSatisfy { Self.lower($0) == Self.lower($1) }
        }
      }
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
  }

  /// The next paragraph; `nil` when there is none, or a line of it can't be read.
  mutating func paragraph() -> Paragraph? {
    var paragraph = Paragraph()
    while brokenLine == nil, let line = line() {
      let text = Self.trimmed(line)
      if text.isEmpty {
        if paragraph.fields.isEmpty { continue }
        break
      }
      if line.first == UInt8(ascii: "#") { continue }
      if let first = line.first, JSONValue.isBlank(first) {
        guard !paragraph.fields.isEmpty else { return breakOff() }
        paragraph.further[paragraph.fields.count - 1, default: []].append(text)
        continue
      }
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
        line[..<colon].allSatisfy({ (0x21...0x7E).contains($0) })
      else { return breakOff() }
      paragraph.fields.append((line[..<colon], Self.trimmed(line[(colon + 1)...])))
    }
    return paragraph.fields.isEmpty ? nil : paragraph
  }

  private mutating func breakOff() -> Paragraph? {
    brokenLine = number
    return nil
  }

  private mutating func line() -> ArraySlice<UInt8>? {
    guard !rest.isEmpty else { return nil }
    let end = rest.firstIndex(of: UInt8(ascii: "\n"))
    defer { rest = end.map { rest[($0 + 1)...] } ?? [] }
    number += 1
    return rest[..<(end ?? rest.endIndex)]
  }

  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let rest = line.drop(while: JSONValue.isBlank)
    return rest.prefix(rest.count - rest.reversed().prefix(while: JSONValue.isBlank).count)
  }
}
