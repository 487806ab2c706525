/// The rules under which the last run worked in a folder.
public struct MirrorRules: Sendable, Equatable {
  /// How many items it might remove at once.
  public var maximumRemoval: MirrorOptions.MaximumRemoval
  /// How long removed files are kept.
  public var keepRemoved: Duration
  /// What it left out, in words: none, the default, for nothing.
  public var filters: [String] = []

  /// Those of a run with these options.
  init(_ options: MirrorOptions) {
    maximumRemoval = options.maximumRemoval
    keepRemoved = options.keepRemoved
    filters = options.scope.words
  }
}

extension MirrorRules {
  /// What the index keeps of the last run; `nil` where none has kept any.
  init?(in index: some IndexAccess) throws {
    guard let removal = try index.value(.removalRule).flatMap(MirrorOptions.MaximumRemoval.init),
      let seconds = try index.value(.keepingRule).flatMap({ Int64($0) })
    else { return nil }
    (maximumRemoval, keepRemoved) = (removal, .seconds(seconds))
    filters = try index.value(.filterRules)?.split(separator: "\n").map(String.init) ?? []
  }

  /// Has the index keep them, unless it does.
  func keep(in index: MirrorIndex) async throws {
    guard try await index.read({ try MirrorRules(in: $0) }) != self else { return }
    let seconds = keepRemoved.components.seconds
    let filters = filters.isEmpty ? nil : filters.joined(separator: "\n")
    try await index.write { [maximumRemoval] writer in
      try writer.setValue(maximumRemoval.stored, for: .removalRule)
      try writer.setValue("\(seconds)", for: .keepingRule)
      try writer.setValue(filters, for: .filterRules)
    }
  }
}

extension MirrorOptions.MaximumRemoval {
  /// The limit as the index keeps it: a word, and a number where it has one.
  var stored: String {
    switch self {
    case .guarded: "guarded"
    case .count(let most): "count \(most)"
    case .share(let most): "share \(most)"
    case .all: "all"
    case .never: "never"
    }
  }

  /// The limit that was kept; `nil` for anything else.
  init?(stored text: String) {
    let parts = text.split(separator: " ").map(String.init)
    switch (parts.first, parts.dropFirst().first) {
    case ("guarded", nil): self = .guarded
    case ("all", nil): self = .all
    case ("never", nil): self = .never
    case ("count", let number?):
      guard let most = Int(number) else { return nil }
      self = .count(most)
    case ("share", let number?):
      guard let most = Double(number) else { return nil }
      self = .share(most)
    default: return nil
    }
  }
}
