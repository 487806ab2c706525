import SyncText

/// Where a scope ends, at the moment of a run: what it leaves out, and why.
package struct ScopeBoundary: Hashable, Sendable {
  package let scope: Scope
  /// What is modified before this is too old, in seconds since 1970.
  private let oldest: Double?
  /// If there are any, a key that fits none of them is outside.
  private var only: [KeyPattern] = []
  private let isOpen: Bool
  private let onlyIncludes: Bool

  package static let none = ScopeBoundary(Scope(), at: 0)

  /// The boundary of a scope.
  /// - Parameter now: In seconds since 1970.
  package init(_ scope: Scope, at now: Double) {
    self.scope = scope
    oldest = scope.maximumAge.map { now - $0 / .seconds(1) }
    isOpen = scope.isEverything
    onlyIncludes = !scope.rules.isEmpty && scope.rules.allSatisfy(\.includes)
  }

  /// What of the scope fits one of these patterns.
  func within(_ patterns: [KeyPattern]) -> ScopeBoundary {
    var inner = self
    inner.only = patterns
    return inner
  }

  var isEverywhere: Bool { isOpen && only.isEmpty }

  /// Whether more than its key decides of an entry.
  var asksForMoreThanKeys: Bool {
    scope.minimumSize != nil || scope.maximumSize != nil || oldest != nil
  }

  /// Why an entry is outside; `nil` when it is inside.
  func reason(toLeaveOut entry: CatalogEntry) -> LeftOutReason? {
    if isEverywhere { return nil }
    if let reason = reason(toLeaveOut: entry.key) { return reason }
    if let size = entry.size ?? entry.estimatedSize {
      if let least = scope.minimumSize, size < least { return .tooSmall }
      if let most = scope.maximumSize, size > most { return .tooLarge }
    }
    if let oldest, let modified = entry.modified, modified < oldest { return .tooOld }
    return nil
  }

  /// Why everything of this key is outside, whatever else is known of it.
  func reason(toLeaveOut key: CatalogKey) -> LeftOutReason? {
    if isEverywhere { return nil }
    if let names = scope.names, !names.contains(key) { return .notNamed }
    guard fitsOnly(key, isDirectory: false) == .whole else { return .notIncluded }
    for rule in scope.rules where rule.pattern.fit(key.bytes, isDirectory: false) == .whole {
      return rule.includes ? nil : .excluded(by: rule.pattern)
    }
    return onlyIncludes ? .notIncluded : nil
  }

  /// Why everything in a directory is outside; `nil` when something in it may be inside.
  /// - Parameter directory: Its path, without a slash at its end.
  func reason(toLeaveOutDirectory directory: [UInt8]) -> LeftOutReason? {
    if isEverywhere { return nil }
    let key = CatalogKey(bytes: directory)
    if let names = scope.names, !names.reaches(key) { return .notNamed }
    guard fitsOnly(key, isDirectory: true) != .none else { return .notIncluded }
    var mayBeIncluded = false
    for rule in scope.rules {
      let fit = rule.pattern.fit(directory, isDirectory: true)
      if rule.includes {
        if fit == .whole { return nil }
        mayBeIncluded = mayBeIncluded || fit == .below
      } else if fit == .whole || rule.pattern.fitsAll(in: directory) {
        return mayBeIncluded ? nil : .excluded(by: rule.pattern)
      }
    }
    return onlyIncludes && !mayBeIncluded ? .notIncluded : nil
  }

  private func fitsOnly(_ key: CatalogKey, isDirectory: Bool) -> KeyPattern.Fit {
    guard !only.isEmpty else { return .whole }
    let fits = only.map { $0.fit(key.bytes, isDirectory: isDirectory) }
    if fits.contains(.whole) { return .whole }
    return fits.contains(.below) ? .below : .none
  }
}

extension Scope {
  /// Whether everything in a directory is outside, whatever comes to be in it.
  /// - Parameter directory: Its path below the folder, without a slash at its end.
  public func leavesOut(directory: String) -> Bool {
    ScopeBoundary(self, at: 0).reason(toLeaveOutDirectory: Array(directory.utf8)) != nil
  }
}

extension [KeyPattern] {
  func fit(_ key: CatalogKey) -> Bool {
    contains { $0.fit(key.bytes, isDirectory: false) == .whole }
  }
}

/// Why something isn't part of what is mirrored.
public enum LeftOutReason: Hashable, Sendable, CustomStringConvertible {
  /// This pattern excludes it.
  case excluded(by: KeyPattern)
  /// No pattern includes it, and all of them only include.
  case notIncluded
  /// It isn't among the keys that were named.
  case notNamed
  /// It is smaller than wanted.
  case tooSmall
  /// It is larger than wanted.
  case tooLarge
  /// It was modified too long ago.
  case tooOld

  /// The reason, as the end of a sentence that began with what is left out.
  public var description: String {
    switch self {
    case .excluded(let pattern): "excluded by '\(pattern)'"
    case .notIncluded: "included by no pattern"
    case .notNamed: "not among the names that were given"
    case .tooSmall: "too small"
    case .tooLarge: "too large"
    case .tooOld: "too old"
    }
  }
}

/// Something that a listing has and that a scope leaves out.
package struct LeftOut: Hashable, Sendable {
  /// The key of an item; of a directory that wasn't listed, its path with a slash at its end.
  package var key: CatalogKey
  package var reason: LeftOutReason

  var isDirectory: Bool { key.bytes.last == UInt8(ascii: "/") }

  /// Whether the key alone doesn't tell: another state of the item may be inside.
  var dependsOnState: Bool {
    switch reason {
    case .tooSmall, .tooLarge, .tooOld: true
    case .excluded, .notIncluded, .notNamed: false
    }
  }
}
