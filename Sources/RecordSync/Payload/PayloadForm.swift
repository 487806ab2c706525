private import SyncText

/// How objects stand in a text.
public enum PayloadForm: Sendable, Hashable {
  /// An array of objects, or several, one behind another; one object; or, where a second value
  /// follows on an object, one object behind another.
  case automatic
  /// One object behind another, whatever the first value is (NDJSON).
  case lines
  /// An array of objects, or one, at the end of a path through objects: `data.users`.
  case items(PayloadPath)
  /// A table in text: a line of names, then a row a line.
  case csv(CSVForm)

  /// Whether its text is one object behind another, as a table's becomes.
  var isOfLines: Bool {
    switch self {
    case .lines, .csv: true
    case .automatic, .items: false
    }
  }

  var isTable: Bool { if case .csv = self { true } else { false } }

  /// The form that the name of a file tells: lines for `.ndjson` and `.jsonl`, a table for `.csv`
  /// and `.tsv`; with `.gz` behind it or without.
  init(fileName: String) {
    var name = fileName.asciiLowercased
    if name.hasSuffix(".gz") { name.removeLast(3) }
    switch name.split(separator: ".").dropFirst().last {
    case "ndjson", "jsonl": self = .lines
    case "csv": self = .csv(CSVForm())
    case "tsv": self = .csv(CSVForm(separator: .tab))
    default: self = .automatic
    }
  }
}

/// A path through the objects of a body: `data.users`. A name with dots stands in quotes:
/// `a."b.c"`; a backslash takes the next sign as it is.
public struct PayloadPath: Sendable, Hashable {
  /// The names of the members, at least one, each with at least one byte.
  let names: [[UInt8]]

  /// The path of names with dots between them; `nil` where a name is empty, and where a quote or a
  /// backslash has no end.
  public init?(_ text: String) {
    var names: [[UInt8]] = [[]]
    var (isQuoted, wasQuoted, isEscaped) = (false, false, false)
    for byte in text.utf8 {
      if isEscaped {
        names[names.count - 1].append(byte)
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\""), isQuoted || names[names.count - 1].isEmpty {
        (isQuoted, wasQuoted) = (!isQuoted, isQuoted)
      } else if byte == UInt8(ascii: "."), !isQuoted {
        names.append([])
        wasQuoted = false
      } else if wasQuoted {
        return nil
      } else {
        names[names.count - 1].append(byte)
      }
    }
    guard !isQuoted, !isEscaped, names.allSatisfy({ !$0.isEmpty }) else { return nil }
    self.names = names
  }

  /// A path of names as they are, at least one.
  init(plain names: [String]) {
    self.names = names.map { Array($0.utf8) }
  }

  /// The path up to the name of that place, that included.
  func text(through place: Int) -> String {
    names[...place].map { Self.written($0) }.joined(separator: ".")
  }

  private static func written(_ name: [UInt8]) -> String {
    let shown = ByteString.escape(name)
    return name.contains(UInt8(ascii: ".")) ? "\"\(shown)\"" : shown
  }

  /// What the path would be if its dots, from this name on, were part of a name.
  func dotted(from place: Int) -> [UInt8] {
    Array(names[place...].joined(separator: [UInt8(ascii: ".")]))
  }

  var text: String { text(through: names.count - 1) }
}

struct PayloadLevel: Sendable {
  let isObject: Bool
  /// What it is for. An array's values are for the same.
  let role: Role
  /// The names of its members so far, where it is a step of the path.
  private(set) var names: Set<[UInt8]> = []

  enum Role: Sendable, Equatable {
    /// It stands at that step of the path, counted from 0 for the whole body. What stands at the
    /// last step is an array of elements, or one.
    case step(Int)
    case element
    case passedOver
  }

  /// Takes the name of a member, and says what its value is for; `nil` when the name was there.
  mutating func take(_ name: [UInt8], _ path: PayloadPath?) -> Role? {
    guard case .step(let step) = role, let path else { return .passedOver }
    guard names.insert(name).inserted else { return nil }
    return name == path.names[step] ? .step(step + 1) : .passedOver
  }
}
