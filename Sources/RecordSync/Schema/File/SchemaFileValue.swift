import SyncText

struct SchemaFileValue {
  private let value: JSONValue
  private let path: [String]

  init(_ value: JSONValue, path: [String]) {
    self.value = value
    self.path = path
  }

  private func fault(_ fault: SchemaProblem.FileFault) -> SchemaProblem {
    .file(fault, at: path.joined(separator: "."))
  }

  /// That a member isn't known.
  func unknown(_ name: String) -> SchemaProblem { fault(.unknownMember(name)) }

  func members() throws(SchemaProblem) -> [(name: String, value: SchemaFileValue)] {
    guard let members = value.members else { throw fault(.expected("an object")) }
    var named: [(name: String, value: SchemaFileValue)] = []
    for member in members {
      guard let name = String(validating: member.name, as: UTF8.self) else {
        throw fault(.expected("a member with a name in UTF-8"))
      }
      named.append((name, SchemaFileValue(member.value, path: path + [name])))
    }
    return named
  }

  func flag() throws(SchemaProblem) -> Bool {
    guard let flag = value.bool else { throw fault(.expected("true or false")) }
    return flag
  }

  func string() throws(SchemaProblem) -> String {
    guard let string = value.string else { throw fault(.expected("a text")) }
    return string
  }

  func strings() throws(SchemaProblem) -> [String] {
    guard let elements = value.elements else { throw fault(.expected("a list of texts")) }
    var strings: [String] = []
    for element in elements {
      guard let string = element.string else { throw fault(.expected("a list of texts")) }
      strings.append(string)
    }
    return strings
  }

  /// A list, or its only element.
  func stringOrStrings() throws(SchemaProblem) -> [String] {
    if let string = value.string { return [string] }
    guard let strings = try? strings(), !strings.isEmpty else {
      throw fault(.expected("a text or a list of texts"))
    }
    return strings
  }

  func word<Meaning>(
    among known: [(name: String, meaning: Meaning)]
  ) throws(SchemaProblem) -> Meaning {
    let word = try string()
    guard let found = known.first(where: { $0.name == word }) else {
      throw fault(.unknownWord(word, known: known.map(\.name)))
    }
    return found.meaning
  }

  /// As ``word(among:)``, for cases that have the words for their raw values.
  func word<Meaning: RawRepresentable<String>>(
    _: Meaning.Type, _ known: [Meaning]
  ) throws(SchemaProblem) -> Meaning {
    try word(among: known.map { ($0.rawValue, $0) })
  }
}
