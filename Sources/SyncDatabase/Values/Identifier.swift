/// The name of a table, a column or another thing of a schema, for statements whose names are only
/// known at run time.
///
/// In an ``SQL`` it stands quoted, so that no name, whoever chose it, is read as anything but a
/// name. It is quoted with grave accents (sqlite.org, "SQLite Keywords"): what stands between
/// double quotes and names nothing SQLite takes for a text, so that a wrong column would be no
/// error.
package struct Identifier: Hashable, Sendable {
  package let name: String

  /// A name; `nil` for what no schema can hold: nothing at all, or a NUL within.
  package init?(_ name: String) {
    guard !name.isEmpty, !name.utf8.contains(0) else { return nil }
    self.name = name
  }

  var quoted: String { "`" + name.replacing("`", with: "``") + "`" }
}

extension Identifier: ExpressibleByStringLiteral {
  package init(stringLiteral name: StaticString) {
    guard let checked = Identifier(name.description) else {
      preconditionFailure("a name of a schema is empty or holds NUL")
    }
    self = checked
  }
}
