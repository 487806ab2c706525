import Foundation
import SyncTransport
import TransportTesting

@testable import CatalogMirror

/// A file as nginx serves it: its text, and when it was modified, to the second.
struct ServedFile: Equatable, Sendable {
  var text: String
  var modified = "Sat, 01 Jan 2022 00:00:00 GMT"
}

extension Site {
  /// Publishes a tree as nginx does, which lists each directory in JSON; what was there before is
  /// gone at the same moment. Paths in `forbidden` are directories that answer 403.
  func serveTree(_ files: [String: ServedFile], forbidden: Set<String> = []) throws {
    var answers: [String: Answer] = [:]
    var directories: [String: [String: Any?]] = ["": [:]]
    for (path, file) in files {
      answers[RunTestCase.root + path] = .text(
        file.text, ("Last-Modified", file.modified), ("Date", Self.today),
        ("ETag", "\"\(file.modified)-\(file.text.hashValue)\""))
      var parts = path.split(separator: "/").map(String.init)
      let name = parts.removeLast()
      directories[parts.joined(separator: "/"), default: [:]][name] = file
      while !parts.isEmpty {
        let name = parts.removeLast()
        directories[parts.joined(separator: "/"), default: [:]].updateValue(nil, forKey: name)
      }
    }
    for (path, members) in directories {
      answers[RunTestCase.root + (path.isEmpty ? "" : path + "/")] =
        forbidden.contains(path)
        ? .status(403)
        : .text(
          try Self.page(members), ("Content-Type", "application/json"), ("Date", Self.today))
    }
    try publish(answers)
  }

  static let today = "Fri, 31 Jan 2025 12:00:00 GMT"

  private static func page(_ members: [String: Any?]) throws -> String {
    let lines = try members.sorted { $0.key < $1.key }.map { name, member in
      let quoted = try JSONSerialization.data(withJSONObject: [name])
      let shown = String(decoding: quoted, as: UTF8.self).dropFirst().dropLast()
      guard let file = member as? ServedFile else {
        return #"{ "name":\#(shown), "type":"directory", "mtime":"\#(today)" }"#
      }
      return """
        { "name":\(shown), "type":"file", "mtime":"\(file.modified)", \
        "size":\(file.text.utf8.count) }
        """
    }
    return "[\n" + lines.joined(separator: ",\n") + "\n]"
  }
}

extension RunTestCase {
  /// As of the site.
  func serveTree(_ files: [String: ServedFile], forbidden: Set<String> = []) throws {
    try site.serveTree(files, forbidden: forbidden)
  }

  /// Options for the tree.
  func tree(_ options: inout MirrorOptions) { options.catalog = Self.root }
}

/// A scope as a file of filters has it.
func scope(_ lines: String...) throws -> Scope {
  var scope = Scope()
  scope.rules = try ScopeRule.rules(inLines: Array(lines.joined(separator: "\n").utf8))
  return scope
}
