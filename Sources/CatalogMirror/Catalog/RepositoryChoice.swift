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

  private struct List {
    var architecture: String
    /// By both of its names, where it is of the installer's packages of a component.
    var components: Set<String>

    /// That at this path, as seen from the suite; `nil` where the path doesn't tell.
    init?(_ path: [UInt8]) {
      let names = path.split(separator: UInt8(ascii: "/")).dropLast()
        .map { String(decoding: $0, as: UTF8.self) }
      guard let binary = names.last, binary.hasPrefix("binary-") else { return nil }
      architecture = String(binary.dropFirst(7))
      let directory = names.dropLast()
      components = [directory.joined(separator: "/")]
      if directory.last == "debian-installer" {
        components.insert(directory.dropLast().joined(separator: "/"))
      }
    }
  }

  /// Whether the list of packages at this path, as seen from the suite, is of the choice. A
  /// repository without architectures or components in its paths is held as a whole.
  func holds(_ path: [UInt8]) -> Bool {
    guard let list = List(path) else { return true }
    return (architectures.isEmpty || architectures.contains(list.architecture))
      && (components.isEmpty || !components.isDisjoint(with: list.components))
  }

  /// Why none of the lists at these paths is of the choice.
  func problem(ofNoneAmong paths: [[UInt8]]) -> CatalogError.Finding {
    for (part, asked, offered) in parts(of: paths) where asked.isDisjoint(with: offered) {
      return .noSuchPart(part, asked: asked.sorted(), offered: offered.sorted())
    }
    return .noPackages
  }

  /// What of the choice isn't there, where some of it is. Packages for all architectures stand in
  /// the list of each one: not all repositories have a list of them alone.
  func remarks(among paths: [[UInt8]]) -> [ListingRemark] {
    parts(of: paths).flatMap { part, asked, offered in
      asked.subtracting(offered).subtracting(part == .architecture ? ["all"] : []).sorted()
        .map { .noSuchPart(part, $0, offered: offered.sorted()) }
    }
  }

  /// What was asked for, and what the lists at these paths are of; not where all was asked for, or
  /// the paths don't tell.
  private func parts(
    of paths: [[UInt8]]
  ) -> [(part: Part, asked: Set<String>, offered: Set<String>)] {
    let lists = paths.compactMap { List($0) }
    guard !lists.isEmpty else { return [] }
    return [
      (.architecture, architectures, Set(lists.map(\.architecture))),
      (.component, components, Set(lists.flatMap(\.components))),
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
