import Foundation

/// The targets of a package's manifest that others are built on or that are run, without its tests.
struct Manifest {
  struct Target: Equatable {
    var name: String
    /// Below the package's folder.
    var folder: String
    var dependencies: [String]
    /// Whether it may use what is declared for this package alone.
    var seesPackage = true
  }

  let targets: [Target]

  /// - Parameter text: `Package.swift`, formatted as all sources are.
  init(_ text: String) {
    targets = text.split(separator: "\n    .").compactMap { part in
      guard part.hasPrefix("target(") || part.hasPrefix("executableTarget(") else { return nil }
      guard let name = Self.literals(in: Self.text(in: part, behind: "name: ")).first else {
        return nil
      }
      let path = Self.literals(in: Self.text(in: part, behind: "path: ")).first
      return Target(
        name: name, folder: path ?? "Sources/\(name)",
        dependencies: Self.literals(in: Self.list(in: part, behind: "dependencies: [")),
        seesPackage: !part.contains("packageAccess: false"))
    }
  }

  private static func text(in part: Substring, behind label: String) -> Substring {
    part.range(of: label).map { part[$0.upperBound...] } ?? ""
  }

  /// What stands between the brackets, with lists within it.
  private static func list(in part: Substring, behind label: String) -> Substring {
    let rest = text(in: part, behind: label)
    var depth = 1
    let end = rest.firstIndex { character in
      if character == "[" { depth += 1 }
      if character == "]" { depth -= 1 }
      return depth == 0
    }
    return rest[..<(end ?? rest.endIndex)]
  }

  private static func literals(in text: Substring) -> [String] {
    let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
    return stride(from: 1, to: parts.count, by: 2).map { String(parts[$0]) }
  }
}
