import SyncText

/// An object of JSON that is being written, its members in the order in which they are added.
public struct JSONMembers {
  private var members = JSONWriter.Members()

  /// The text of an object.
  public static func text(_ fill: (inout JSONMembers) -> Void) -> String {
    String(decoding: JSONWriter.object { lend(&$0, fill) }, as: UTF8.self)
  }

  /// Adds a member that is a text.
  public mutating func add(_ name: String, _ text: String) { members.add(JSONText(name), text) }

  /// Adds a member that is a text, or null where there is none.
  public mutating func add(_ name: String, orNull text: String?) {
    if let text { add(name, text) } else { members.add(JSONText(name), JSONNull()) }
  }

  /// Adds a member that is true or false.
  public mutating func add(_ name: String, _ flag: Bool) { members.add(JSONText(name), flag) }

  /// Adds a member that is a whole number.
  public mutating func add(_ name: String, _ number: some FixedWidthInteger) {
    add(name, json: Array("\(number)".utf8))
  }

  /// Adds a member that is a number; none where it is infinite or none at all.
  public mutating func add(_ name: String, _ number: Double) {
    if let number = JSONNumber(number) { members.add(JSONText(name), number) }
  }

  /// Adds a member that is a list of texts.
  public mutating func add(_ name: String, _ texts: some Sequence<String>) {
    array(name) { elements in
      for text in texts { elements.add(text) }
    }
  }

  /// Adds a member that is written in JSON already.
  public mutating func add(_ name: String, json: [UInt8]) {
    members.add(JSONText(name), WrittenJSON(bytes: json))
  }

  /// Adds a member that is an object.
  public mutating func object(_ name: String, _ fill: (inout JSONMembers) -> Void) {
    members.object(JSONText(name)) { Self.lend(&$0, fill) }
  }

  /// Adds a member that is an array.
  public mutating func array(_ name: String, _ fill: (inout JSONElements) -> Void) {
    members.array(JSONText(name)) { JSONElements.lend(&$0, fill) }
  }

  /// Adds a moment, in seconds since 1970: a text in the form that all moments have.
  public mutating func addDate(_ name: String, _ seconds: Double) {
    add(name, Moments.text(seconds))
  }

  /// Adds a time that passed, in seconds and thousandths.
  public mutating func addSeconds(_ name: String, _ duration: Duration) {
    add(name, (duration / .milliseconds(1)).rounded() / 1_000)
  }

  /// Has `fill` write into what another one began; nothing is copied.
  fileprivate static func lend(
    _ members: inout JSONWriter.Members, _ fill: (inout JSONMembers) -> Void
  ) {
    var object = JSONMembers()
    swap(&object.members, &members)
    fill(&object)
    swap(&object.members, &members)
  }
}

/// An array of JSON that is being written.
public struct JSONElements {
  private var elements = JSONWriter.Elements()

  /// Adds a text.
  public mutating func add(_ text: String) { elements.add(text) }

  /// Adds a whole number.
  public mutating func add(_ number: some FixedWidthInteger) { add(json: Array("\(number)".utf8)) }

  /// Adds what is written in JSON already.
  public mutating func add(json: [UInt8]) { elements.add(WrittenJSON(bytes: json)) }

  /// Adds an object.
  public mutating func object(_ fill: (inout JSONMembers) -> Void) {
    elements.object { JSONMembers.lend(&$0, fill) }
  }

  /// Adds an array.
  public mutating func array(_ fill: (inout JSONElements) -> Void) {
    elements.array { Self.lend(&$0, fill) }
  }

  fileprivate static func lend(
    _ elements: inout JSONWriter.Elements, _ fill: (inout JSONElements) -> Void
  ) {
    var array = JSONElements()
    swap(&array.elements, &elements)
    fill(&array)
    swap(&array.elements, &elements)
  }
}

/// A value that is written already.
private struct WrittenJSON: JSONWritable {
  let bytes: [UInt8]

  /// Without the blanks between its parts, which may be breaks of lines.
  func write(to output: inout [UInt8]) {
    let hasBlanks = bytes.contains { $0 <= UInt8(ascii: " ") }
    if hasBlanks, let value = try? JSONValue(bytes, in: bytes.indices, nesting: 512) {
      value.write(to: &output)
    } else {
      output += bytes
    }
  }
}
