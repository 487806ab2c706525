/// An object of JSON with an index of its members, for whoever asks for many of them.
package struct JSONObject: Sendable {
  package let members: [JSONValue.Member]
  private let positions: [[UInt8]: Int]

  package init?(_ value: JSONValue) {
    guard let members = value.members else { return nil }
    self.members = members
    // The reader has refused names that come twice.
    positions = Dictionary(
      members.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { $1 })
  }

  package subscript(name: StaticString) -> JSONValue? {
    self[name.withUTF8Buffer { Array($0) }]
  }

  /// The value of the member whose name has these bytes.
  package subscript(name: [UInt8]) -> JSONValue? {
    positions[name].map { members[$0].value }
  }
}
