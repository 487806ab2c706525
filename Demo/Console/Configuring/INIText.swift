/// What a text in INI form says: sections with keys and values, in their order, each with its line.
///
/// ```
/// # A remark: a line that begins with # or ;
/// [pictures]
/// folder = /srv/pictures
/// header = X-Note: every character to the end of the line # this, too
/// ```
///
/// What stands before the first `=` of a line is the key, without blanks around it. What stands
/// after it, but for the blanks right behind it, is the value: there are no quotes and no escapes.
/// A key may be there several times; a section only once.
public struct INIText: Equatable, Sendable {
  /// A key and its value.
  public struct Entry: Equatable, Sendable {
    public var key: String
    public var value: String
    public var line: Int
  }

  /// What stands below a name in brackets.
  public struct Section: Equatable, Sendable {
    public var name: String
    public var line: Int
    public var entries: [Entry] = []
  }

  /// In the order of the text.
  public private(set) var sections: [Section] = []

  /// The most bytes of a text: 1 MiB.
  public static let mostBytes = 1 << 20

  /// Reads a text: UTF-8, its lines ended by LF or CRLF, the last one perhaps not.
  public init(_ bytes: [UInt8]) throws(INIProblem) {
    guard bytes.count <= Self.mostBytes else { throw INIProblem(line: 1, .tooLarge) }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      try read(line.last == UInt8(ascii: "\r") ? line.dropLast() : line, at: index + 1)
    }
  }

  private mutating func read(_ bytes: ArraySlice<UInt8>, at number: Int) throws(INIProblem) {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw INIProblem(line: number, .notUTF8)
    }
    guard !bytes.contains(0) else { throw INIProblem(line: number, .holdsNUL) }
    let line = bytes.drop(while: Self.isBlank)
    switch line.first {
    case nil, UInt8(ascii: "#"), UInt8(ascii: ";"): return
    case UInt8(ascii: "["): try begin(line, at: number)
    default: try addEntry(line, at: number)
    }
  }

  private mutating func begin(_ line: ArraySlice<UInt8>, at number: Int) throws(INIProblem) {
    let inside = line.dropFirst().prefix { $0 != UInt8(ascii: "]") }
    let rest = line.dropFirst(inside.count + 2)
    let name = Self.trimmed(inside)
    guard line.count >= inside.count + 2, rest.allSatisfy(Self.isBlank), !name.isEmpty,
      !inside.contains(UInt8(ascii: "["))
    else { throw INIProblem(line: number, .badSection) }
    if let first = sections.first(where: { $0.name == name }) {
      throw INIProblem(line: number, .sectionTwice(name, first: first.line))
    }
    sections.append(Section(name: name, line: number))
  }

  private mutating func addEntry(_ line: ArraySlice<UInt8>, at number: Int) throws(INIProblem) {
    let key = line.prefix { $0 != UInt8(ascii: "=") }
    let name = Self.trimmed(key)
    guard key.endIndex < line.endIndex, !name.isEmpty else {
      throw INIProblem(line: number, .noEntry)
    }
    guard !sections.isEmpty else { throw INIProblem(line: number, .outsideOfSections) }
    let value = line[key.endIndex...].dropFirst().drop(while: Self.isBlank)
    sections[sections.count - 1].entries.append(
      Entry(key: name, value: String(decoding: value, as: UTF8.self), line: number))
  }

  /// Bytes, not characters: a combining mark behind a sign would make it another one.
  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
    var bytes = bytes.drop(while: isBlank)
    while let last = bytes.last, isBlank(last) { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}
