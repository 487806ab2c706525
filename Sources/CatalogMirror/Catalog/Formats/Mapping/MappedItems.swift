import SyncText

/// Goes through the items of a document, one after the other.
struct MappedItems {
  let most: Int

  /// More items than there may be.
  struct TooMany: Error {}
  /// The document has no list at that path: how far it leads, and what is there.
  struct NoList: Error {
    var steps: Int
    var value: JSONValue
  }

  /// Goes through what a path leads to. `nil` stands for a list that is missing within another.
  func walk(
    _ path: JSONPath, in document: JSONValue, _ onItem: (MappedPlace?) -> Void
  ) throws {
    var left = most
    try walk(path.stepsToItems[...], from: MappedPlace(document: document)) { place in
      left -= 1
      if left < 0 { throw TooMany() }
      onItem(place)
    }
  }

  private typealias Taking = (MappedPlace?) throws -> Void

  private func walk(
    _ steps: ArraySlice<JSONPath.Step>, from place: MappedPlace, isInside: Bool = false,
    _ take: Taking
  ) throws {
    guard let step = steps.first else { return try take(place) }
    guard let inner = try inner(step, of: place.item) else {
      // Of one list of several, the others are good; a document without any is another one.
      guard isInside else { throw NoList(steps: steps.startIndex, value: place.item) }
      return try take(nil)
    }
    let isInside = isInside || step.isMany
    for place in place.places(of: inner) {
      try walk(steps.dropFirst(), from: place, isInside: isInside, take)
    }
  }

  /// Where a step leads; `nil` where there is no such thing.
  private func inner(
    _ step: JSONPath.Step, of value: JSONValue
  ) throws -> [(name: [UInt8]?, value: JSONValue)]? {
    if step.isMany, value.holds(moreThan: most) { throw TooMany() }
    switch step {
    case .member(let name): return JSONPath.member(name, of: value).map { [(nil, $0)] }
    case .members: return value.members?.map { ($0.name, $0.value) }
    case .elements: return value.elements?.map { (nil, $0) }
    case .matching(let name, let wanted):
      return value.elements?.filter { JSONPath.matches($0, name, wanted) }.map { (nil, $0) }
    }
  }
}

extension JSONPath.Step {
  fileprivate var isMany: Bool { if case .member = self { false } else { true } }
}
