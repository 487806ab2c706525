import Console
import RecordSync

extension Value {
  static func path(_ text: String) throws -> PayloadPath {
    guard let path = PayloadPath(text) else {
      throw UsageError(
        """
        '\(text.escaped)' is no path; write names with dots between them, [] behind an array of \
        which each element is meant, and {} behind an object of which each value is: data.users, \
        data.edges[].node, entities{}; where there are several {}, each with a name of its own in \
        it: {country}.cities{city}
        """)
    }
    return path
  }

  /// A path to one place of a body.
  static func plainPath(_ text: String) throws -> PayloadPath {
    let path = try path(text)
    guard path.isPlain else {
      throw UsageError("'\(text.escaped)' leads to many places; only --items may have [] and {}")
    }
    return path
  }

  /// The name of a member, also of one within objects, or of a column.
  static func key(_ text: String) throws -> String {
    guard PayloadPath(text)?.isPlain ?? false else {
      throw UsageError(
        """
        '\(text.escaped)' can't be a key: give the name of a member, or names with dots between \
        them: metadata.uid
        """)
    }
    return text
  }

  /// What says that rows are gone.
  static func deleted(_ text: String) throws -> DeletedMark {
    guard let mark = DeletedMark(text) else {
      throw UsageError(
        """
        '\(text.escaped)' leads nowhere; write the way to a member, with dots between names: \
        deletedAt, status=cancelled, or deleted[] for an array of keys in the body
        """)
    }
    return mark
  }

  static func dates(_ text: String) -> ExportedDates {
    switch text {
    case "rfc3339": .rfc3339
    case "seconds": .seconds
    case "milliseconds": .milliseconds
    default: .pattern(text)
    }
  }

  static func depth(_ text: String) throws -> Int {
    switch text {
    case "all": .max
    case "none": 0
    default: try count(text)
    }
  }

  static func separator(_ text: String) throws -> CSVForm.Separator {
    try oneOf(["comma": .comma, "semicolon": .semicolon, "tab": .tab], text)
  }

  static func preset(_ text: String) throws -> PagingPreset {
    if let preset = PagingPreset.named(text) { return preset }
    let known = PagingPreset.all.map(\.name).joined(separator: ", ")
    throw UsageError("'\(text.escaped)' is unknown; choose one of \(known)")
  }

  /// How many rows may be deleted: a number, a share as `50%` or `0.5`, or `all`.
  static func removalLimit(_ text: String) throws -> RemovalLimit {
    if text == "all" { return .unlimited }
    let isPercent = text.hasSuffix("%")
    let digits = isPercent ? text.dropLast() : text[...]
    let isPlain = digits.utf8.allSatisfy { $0 == UInt8(ascii: ".") || isDigit($0) }
    if isPlain, isPercent || digits.contains("."), let number = Double(digits) {
      let share = isPercent ? number / 100 : number
      if (0...1).contains(share) { return .share(share) }
    } else if isPlain, let number = Int(digits) {
      return .count(number)
    }
    throw UsageError("'\(text.escaped)' is no limit; write 100, 20%, 0.2 or all")
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }

  /// A column, and behind a colon whether its greatest value comes first.
  static func order(_ text: String) -> RecordOrder {
    text.hasSuffix(":desc") ? .descending(String(text.dropLast(5))) : .ascending(text)
  }

  /// Words for what may be done, with commas between them.
  static func operations(_ text: String, besides said: Operations?) throws -> Operations {
    guard said != .keep else { throw contradiction }
    var operations: Operations = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      operations.formUnion(try operation(String(word)))
    }
    return operations
  }

  private static func operation(_ word: String) throws -> Operations {
    if let known = operationsByWord.first(where: { $0.word == word }) { return known.meaning }
    let words = operationsByWord.map(\.word)
    let hint =
      Suggestion.nearest(to: word, among: words).map { "did you mean '\($0)'?" }
      ?? "choose among \(words.joined(separator: ", "))"
    throw UsageError("'\(word.escaped)' is no operation; \(hint)")
  }

  static func style(_ text: String) throws -> NameStyle {
    NameStyle(rawValue: try oneOf(["snake", "camel"], text)) ?? .snake
  }

  static func relations(_ text: String) throws -> ExportOptions.Relations {
    let word = try oneOf(["arrays", "nested", "keys", "none"], text)
    return ExportOptions.Relations(rawValue: word) ?? .arrays
  }

  /// That rows are added and changed, and nothing is deleted or unlinked.
  static func keep(besides said: Operations?) throws -> Operations {
    guard said == nil || said == .keep else { throw contradiction }
    return .keep
  }

  private static let contradiction = UsageError(
    "--operations and --keep contradict each other; say one of them")

  private static let operationsByWord: [(word: String, meaning: Operations)] = [
    ("insert", .insert), ("update", .update), ("delete", .delete),
    ("insert-relations", .insertRelations), ("update-relations", .updateRelations),
    ("delete-relations", .deleteRelations), ("all", .all),
  ]
}
