private import SyncText

/// How objects stand in a text.
public enum PayloadForm: Sendable, Hashable {
  /// An array of objects, or several, one behind another; one object; or, where a second value
  /// follows on an object, one object behind another.
  case automatic
  /// One object behind another, whatever the first value is (NDJSON).
  case lines
  /// An array of objects, or one, at the end of a path through objects: `data.users`; or the
  /// objects to which several such ways lead: `data.edges[].node`, `entities{}`.
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
    /// It is one of the elements of an array through which the path leads at that step.
    case each(Int)
    case element
    case passedOver
  }

  /// Takes the name of a member, and says what its value is for; `nil` when the name was there.
  mutating func take(_ name: [UInt8], _ path: PayloadPath?) -> Role? {
    guard case .step(let step) = role, let path else { return .passedOver }
    // There may be many, and one that comes twice is a row that comes twice.
    guard !path.takesAny(at: step) else { return .step(step + 1) }
    guard names.insert(name).inserted else { return nil }
    return name == path.names[step] ? .step(step + 1) : .passedOver
  }
}
