import SyncText

/// Which part of a Debian repository is mirrored.
public struct RepositoryChoice: Hashable, Sendable {
  /// The architectures, such as `amd64` and `all`; empty, the default, for all of them.
  public var architectures: Set<String> = []
  /// The components, such as `main`; empty, the default, for all of them.
  public var components: Set<String> = []

  /// All of it.
  public init() {}

  /// Whether nothing is left out.
  var isEverything: Bool { architectures.isEmpty && components.isEmpty }

  /// By what lists of packages are divided.
  public enum Part: Hashable, Sendable {
    /// The machines that they are for.
    case architecture
    /// What they are, such as `main`.
    case component
  }

  /// Whether an index is of the choice. A repository without architectures or components in its
  /// paths is held as a whole.
  func holds(_ index: IndexPlace) -> Bool {
    (architectures.isEmpty || index.architecture.map(architectures.contains) ?? true)
      && (components.isEmpty || index.components.map { !components.isDisjoint(with: $0) } ?? true)
  }

  /// Why none of these lists of packages is of the choice.
  func problem(ofNoneAmong lists: [IndexPlace]) -> CatalogError.Finding {
    for (part, asked, offered) in parts(of: lists) where asked.isDisjoint(with: offered) {
      return .noSuchPart(part, asked: asked.sorted(), offered: offered.sorted())
    }
    return .noPackages
  }

  /// What of the choice isn't there, where some of it is. Packages for all architectures stand in
  /// the list of each one: not all repositories have a list of them alone.
  func remarks(among lists: [IndexPlace]) -> [ListingRemark] {
    parts(of: lists).flatMap { part, asked, offered in
      asked.subtracting(offered).subtracting(part == .architecture ? ["all"] : []).sorted()
        .map { .noSuchPart(part, $0, offered: offered.sorted()) }
    }
  }

  /// What was asked for, and what these lists of packages are of; not where all was asked for, or
  /// their paths don't tell.
  private func parts(
    of lists: [IndexPlace]
  ) -> [(part: Part, asked: Set<String>, offered: Set<String>)] {
    let lists = lists.filter { $0.architecture != nil }
    guard !lists.isEmpty else { return [] }
    return [
      (.architecture, architectures, Set(lists.compactMap(\.architecture))),
      (.component, components, Set(lists.flatMap { $0.components ?? [] })),
    ].filter { !$0.1.isEmpty }
  }

  var words: [String] {
    architectures.sorted().map { "architecture \($0)" }
      + components.sorted().map { "component \($0)" }
  }

  /// Names for a sentence: the first twenty.
  static func words(_ names: [String]) -> String {
    let words = names.prefix(20).map { ByteString.escape($0) }.joined(separator: ", ")
    return names.count > 20 ? words + " and others" : words
  }
}
