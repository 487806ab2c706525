import Foundation
import SyncText

@testable import DocumentSync

/// What a query finds, by looking at each document in turn: slow, and plain to see.
struct NaiveQuery {
  let query: DocumentQuery

  /// The ids of those that are so.
  func ids(among documents: [DocumentID: DocumentValue]) -> [DocumentID] {
    let found = documents.filter { holds(query.condition ?? .and([]), $0.value) }
    let sorted = found.sorted { one, other in
      for order in query.order {
        let way = rank(one.value, order.path).order(beside: rank(other.value, order.path))
        if way != .orderedSame {
          return way == (order.isDescending ? .orderedDescending : .orderedAscending)
        }
      }
      return one.key < other.key
    }
    return sorted.map(\.key).dropFirst(query.offset).prefix(query.limit ?? .max).map { $0 }
  }

  private func value(_ document: DocumentValue, _ path: DocumentPath) -> DocumentValue? {
    path.steps.reduce(document) { value, step in
      switch step {
      case .member(let name): value?[name]
      case .element(let place):
        value?.elements.flatMap { $0.indices.contains(place) ? $0[place] : nil }
      }
    }
  }

  private func holds(_ condition: DocumentCondition, _ document: DocumentValue) -> Bool {
    switch condition {
    case .equal(let path, let other): value(document, path) == other
    case .not(let path, let other): value(document, path).map { $0 != other } ?? false
    case .less(let path, let other): compare(document, path, other) == .orderedAscending
    case .lessOrEqual(let path, let other):
      [.orderedAscending, .orderedSame].contains(compare(document, path, other))
    case .greater(let path, let other): compare(document, path, other) == .orderedDescending
    case .greaterOrEqual(let path, let other):
      [.orderedDescending, .orderedSame].contains(compare(document, path, other))
    case .among(let path, let others): value(document, path).map { others.contains($0) } ?? false
    case .like(let path, let pattern):
      value(document, path)?.string.map { isLike($0[...], pattern[...]) } ?? false
    case .matches: false  // nobody asks it
    case .null(let path): value(document, path)?.isNull ?? false
    case .exists(let path): value(document, path) != nil
    case .missing(let path): value(document, path) == nil
    case .and(let parts): parts.allSatisfy { holds($0, document) }
    case .or(let parts): parts.contains { holds($0, document) }
    }
  }

  /// For patterns without escapes.
  private func isLike(_ text: Substring, _ pattern: Substring) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    if first == "%" {
      return isLike(text, pattern.dropFirst())
        || !text.isEmpty && isLike(text.dropFirst(), pattern)
    }
    guard let next = text.first, first == "_" || first == next else { return false }
    return isLike(text.dropFirst(), pattern.dropFirst())
  }

  private func compare(
    _ document: DocumentValue, _ path: DocumentPath, _ other: DocumentValue
  ) -> ComparisonResult? {
    guard let value = value(document, path) else { return nil }
    switch (Rank(value), Rank(other)) {
    case (.bool, .bool), (.number, .number), (.string, .string):
      return Rank(value).order(beside: Rank(other))
    default: return nil
    }
  }

  private func rank(_ document: DocumentValue, _ path: DocumentPath) -> Rank {
    value(document, path).map { Rank($0) } ?? .missing
  }
}

/// Where a value stands among all.
private enum Rank {
  case missing, null
  case bool(Bool)
  case number(Decimal)
  case string(String)
  case array(String), object(String)

  init(_ value: DocumentValue) {
    self =
      if let bool = value.bool {
        .bool(bool)
      } else if let string = value.string {
        .string(string)
      } else if value.double != nil, let number = Decimal(string: value.text) {
        .number(number)
      } else if value.isObject {
        .object(String(decoding: value.json.canonicalBytes, as: UTF8.self))
      } else {
        value.isNull ? .null : .array(String(decoding: value.json.canonicalBytes, as: UTF8.self))
      }
  }

  private var type: Int {
    switch self {
    case .missing: 0
    case .null: 1
    case .bool: 2
    case .number: 3
    case .string: 4
    case .array: 5
    case .object: 6
    }
  }

  func order(beside other: Rank) -> ComparisonResult {
    switch (self, other) {
    case (.bool(let one), .bool(let two)): order(one ? 1 : 0, two ? 1 : 0)
    case (.number(let one), .number(let two)): order(one, two)
    case (.string(let one), .string(let two)), (.array(let one), .array(let two)),
      (.object(let one), .object(let two)):
      order(ByteString(one), ByteString(two))
    default: order(type, other.type)
    }
  }

  private func order<Value: Comparable>(_ one: Value, _ two: Value) -> ComparisonResult {
    one < two ? .orderedAscending : one > two ? .orderedDescending : .orderedSame
  }
}
