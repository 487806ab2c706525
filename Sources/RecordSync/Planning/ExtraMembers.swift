package import SyncDatabase
private import SyncText

/// Members of an object that no column of its table takes, but for the one that keeps these as
/// JSON.
package struct ExtraMembers: Sendable, Equatable {
  package let column: Int
  private var names: [[UInt8]] = []
  /// The values as JSON, by the names.
  private var values: [[UInt8]: [UInt8]] = [:]

  package init(in column: Int) {
    self.column = column
  }

  /// Adds a member, whose value replaces an earlier one of that name.
  package mutating func add(_ name: [UInt8], _ json: [UInt8]) {
    if values.updateValue(json, forKey: name) == nil { names.append(name) }
  }

  /// Adds those that came later.
  mutating func add(_ later: ExtraMembers) {
    for name in later.names { add(name, later.values[name] ?? []) }
  }

  /// What the column is to hold.
  ///
  /// - Parameters:
  ///   - given: What the object itself has under the column's name.
  ///   - held: What the column holds, of which members stay that this object doesn't have.
  package func stored(over given: DraftRow.Given, _ held: StoredValue?) -> StoredValue? {
    var before = held
    if case .value(let value) = given { before = value }
    var all = ExtraMembers(in: column)
    if case .text(let text)? = before {
      let bytes = Array(text.utf8)
      let object = try? JSONValue(bytes, in: bytes.indices, nesting: PayloadWindow.nesting)
      for member in object?.members ?? [] { all.add(member.name, Array(member.value.written)) }
    }
    all.add(self)
    return all.text.map { .text($0) }
  }

  /// As an object of JSON; `nil` if it isn't UTF-8.
  private var text: String? {
    var output = [UInt8(ascii: "{")]
    for name in names {
      guard let text = String(validating: name, as: UTF8.self) else { return nil }
      if output.count > 1 { output.append(UInt8(ascii: ",")) }
      text.write(to: &output)
      output.append(UInt8(ascii: ":"))
      output += values[name] ?? []
    }
    output.append(UInt8(ascii: "}"))
    return String(validating: output, as: UTF8.self)
  }
}
