import Console
import DocumentSync

extension Value {
  /// A type, and its collection if that has another name.
  static func kind(_ text: String) throws -> DocumentTypes.Kind {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty }) else {
      throw UsageError("'\(text)' is no type; write NAME or NAME=COLLECTION")
    }
    return DocumentTypes.Kind(String(parts[0]), in: String(parts[parts.count - 1]))
  }

  /// A member of a document, by the names down to it.
  static func member(_ text: String) throws -> String {
    let path: DocumentPath
    do { path = try DocumentPath(parsing: text) } catch { throw UsageError("\(error)") }
    guard !path.description.contains("[") else {
      throw UsageError("'\(text)' is no member; write NAME or NAME.NAME")
    }
    return path.description
  }

  /// A member that names documents, and their type.
  static func reference(_ text: String) throws -> (path: String, type: String) {
    guard let cut = text.lastIndex(of: "="), cut != text.startIndex,
      text.index(after: cut) != text.endIndex
    else { throw UsageError("'\(text)' is no reference; write MEMBER=TYPE") }
    return (try member(String(text[..<cut])), String(text[text.index(after: cut)...]))
  }

  /// A condition of a filter, as the server knows it.
  static func filter(_ text: String) throws -> CollectionFilter.Condition {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else {
      throw UsageError("'\(text)' is no filter; write NAME=VALUE")
    }
    return CollectionFilter.Condition(String(parts[0]), String(parts[1]))
  }

  static func condition(_ text: String) throws -> DocumentCondition {
    do { return try DocumentCondition(parsing: text) } catch { throw UsageError("\(error)") }
  }

  static func order(_ text: String) throws -> DocumentOrder {
    do { return try DocumentOrder(parsing: text) } catch { throw UsageError("\(error)") }
  }

  static func document(_ text: String) throws -> DocumentValue {
    do {
      let value = try DocumentValue(parsing: text)
      guard value.members != nil else {
        throw UsageError("a document is an object, {…}; nothing was stored")
      }
      return value
    } catch let problem as DocumentProblem {
      throw UsageError(
        "it isn't JSON that a document can hold, and nothing was stored: \(problem)")
    }
  }

  /// What decides, and what decides what that leaves open.
  static let policies: KeyValuePairs<String, [ConflictPolicy]> = [
    "server": [.serverWins], "local": [.localWins(atMost: 3), .serverWins],
    "merge": [.merge, .serverWins], "latest": [.latest], "ask": [.ask],
  ]

  static func policies(_ text: String) throws -> [ConflictPolicy] {
    try oneOf(policies, text)
  }

  /// A time from one sync to the next: at least a second.
  static func interval(_ text: String) throws -> Duration {
    let interval = try duration(text)
    guard interval >= .seconds(1) else {
      throw UsageError("'\(text)' is too short from one sync to the next; write at least 1s")
    }
    return interval
  }

  /// What becomes of what the server refuses.
  static let errors: KeyValuePairs<String, ErrorPolicy> = [
    "leave": .leave, "resign": .resign, "retry": .retry(atMost: 5), "ask": .ask,
  ]

  static func errors(_ text: String) throws -> ErrorPolicy { try oneOf(errors, text) }

  /// How many documents may be removed: a number, a share as `50%` or `0.5`, or `all`.
  static func removals(_ text: String) throws -> RemovalLimit {
    if text == "all" { return .unlimited }
    let digits = text.hasSuffix("%") ? text.dropLast() : text[...]
    if text.hasSuffix("%") || text.contains("."), let number = Double(digits) {
      let share = text.hasSuffix("%") ? number / 100 : number
      if (0...1).contains(share) { return .share(share) }
    } else if let number = Int(text), number >= 0 {
      return .count(number)
    }
    throw UsageError("'\(text.escaped)' is no limit; write 100, 20%, 0.2 or all")
  }
}
