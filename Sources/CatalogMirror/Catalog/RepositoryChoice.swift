/// Which part of a Debian repository is mirrored.
public struct RepositoryChoice: Hashable, Sendable {
  /// The architectures, such as `amd64` and `all`; empty, the default, for all of them.
  public var architectures: Set<String> = []
  /// The components, such as `main`; empty, the default, for all of them.
  public var components: Set<String> = []

  /// All of it.
  public init() {}

  /// Whether the list of packages at this path, as seen from the suite, is of the choice. A
  /// repository without architectures or components in its paths is held as a whole.
  func holds(_ path: [UInt8]) -> Bool {
    let names = path.split(separator: UInt8(ascii: "/")).dropLast()
      .map { String(decoding: $0, as: UTF8.self) }
    guard let binary = names.last, binary.hasPrefix("binary-") else { return true }
    let component = names.dropLast().joined(separator: "/")
    let isOfComponent = components.contains {
      component == $0 || component == $0 + "/debian-installer"
    }
    return (architectures.isEmpty || architectures.contains(String(binary.dropFirst(7))))
      && (components.isEmpty || isOfComponent)
  }
}

extension RepositoryChoice {
  /// What tells it from others; nothing for all.
  var words: [String] {
    architectures.sorted().map { "architecture \($0)" }
      + components.sorted().map { "component \($0)" }
  }
}
