import DocumentSync
import TestSupport

extension SeededGenerator {
  /// An object of few names and values, so that two of them are often alike in some members.
  mutating func document(depth: Int = 2) -> DocumentValue {
    var document: DocumentValue = [:]
    for name in ["a", "b", "c", "d"] where oneIn(2) {
      document = document.with(name, value(depth: depth))
    }
    return document
  }

  mutating func value(depth: Int) -> DocumentValue {
    switch Int.random(in: 0..<8, using: &self) {
    case 0...2 where depth > 0: document(depth: depth - 1)
    case 3: [1, 2]
    case 4: .null
    default: DocumentValue(Int.random(in: 0..<4, using: &self))
    }
  }

  /// The document with another value of one member, at any depth, or without it, or with a new one.
  mutating func edit(_ document: DocumentValue, depth: Int = 2) -> DocumentValue {
    let name = ["a", "b", "c", "d"][Int.random(in: 0..<4, using: &self)]
    if let inner = document[name], inner.isObject, !oneIn(3) {
      return document.with(name, edit(inner, depth: depth - 1))
    }
    return document.with(name, oneIn(3) ? nil : value(depth: depth))
  }

  mutating func edits(_ document: DocumentValue) -> DocumentValue {
    (0..<Int.random(in: 0..<4, using: &self)).reduce(document) { document, _ in edit(document) }
  }
}

extension DocumentValue {
  /// An object with another value of a member.
  func with(_ name: String, _ value: DocumentValue?) -> DocumentValue {
    (try? setting(name, to: value)) ?? self
  }

  /// What isn't an object, by path.
  func leaves(at path: DocumentPath = .whole) -> [DocumentPath: DocumentValue] {
    guard let members else { return [path: self] }
    return members.reduce(into: [:]) { leaves, member in
      leaves.merge(member.value.leaves(at: path.appending(member.name))) { $1 }
    }
  }

  /// The paths at which this has another value than `base`, or none where `base` has one. What
  /// became an object is told by what is in it.
  func changes(since base: DocumentValue?) -> Set<DocumentPath> {
    let (before, after) = (base?.leaves() ?? [:], leaves())
    return Set(before.keys).union(after.keys).filter {
      before[$0] != after[$0] && self[$0]?.isObject != true
    }
  }
}
