/// Writes JSON (RFC 8259) in its compact form, members in the order in which they are added.
///
/// The calls have the shape of the text: what fills an object can only add members, what fills an
/// array only elements, and each call adds exactly one value. Nobody looks for a name that is added
/// twice, but every reader of ours refuses it.
package enum JSONWriter {
  /// The text of an object. When `fill` throws, so does this.
  package static func object<Failure: Error>(
    _ fill: (inout Members) throws(Failure) -> Void
  ) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    try write(to: &bytes, after: 0, fill)
    return bytes
  }

  /// The text of an array. When `fill` throws, so does this.
  package static func array<Failure: Error>(
    _ fill: (inout Elements) throws(Failure) -> Void
  ) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    try write(to: &bytes, after: 0, fill)
    return bytes
  }

  /// Appends an object. When `fill` throws, nothing is appended.
  package static func object<Failure: Error>(
    to output: inout [UInt8], _ fill: (inout Members) throws(Failure) -> Void
  ) throws(Failure) {
    try write(to: &output, after: output.count, fill)
  }

  /// Appends an array. When `fill` throws, nothing is appended.
  package static func array<Failure: Error>(
    to output: inout [UInt8], _ fill: (inout Elements) throws(Failure) -> Void
  ) throws(Failure) {
    try write(to: &output, after: output.count, fill)
  }

  package static func value(_ value: some JSONWritable) -> [UInt8] {
    var bytes: [UInt8] = []
    value.write(to: &bytes)
    return bytes
  }

  package struct Members: JSONScope {
    static let opening = UInt8(ascii: "{")
    static let closing = UInt8(ascii: "}")
    var bytes: [UInt8] = []

    package init() {}

    package mutating func add(_ name: JSONText, _ value: some JSONWritable) {
      begin(name)
      value.write(to: &bytes)
    }

    /// Adds a member that is an object. When `fill` throws, nothing is added.
    package mutating func object<Failure: Error>(
      _ name: JSONText, _ fill: (inout Members) throws(Failure) -> Void
    ) throws(Failure) {
      let start = bytes.count
      begin(name)
      try JSONWriter.write(to: &bytes, after: start, fill)
    }

    /// Adds a member that is an array. When `fill` throws, nothing is added.
    package mutating func array<Failure: Error>(
      _ name: JSONText, _ fill: (inout Elements) throws(Failure) -> Void
    ) throws(Failure) {
      let start = bytes.count
      begin(name)
      try JSONWriter.write(to: &bytes, after: start, fill)
    }

    private mutating func begin(_ name: JSONText) {
      separate()
      name.write(to: &bytes)
      bytes.append(UInt8(ascii: ":"))
    }
  }

  package struct Elements: JSONScope {
    static let opening = UInt8(ascii: "[")
    static let closing = UInt8(ascii: "]")
    var bytes: [UInt8] = []

    package init() {}

    package mutating func add(_ value: some JSONWritable) {
      separate()
      value.write(to: &bytes)
    }

    /// Adds an object. When `fill` throws, nothing is added.
    package mutating func object<Failure: Error>(
      _ fill: (inout Members) throws(Failure) -> Void
    ) throws(Failure) {
      let start = bytes.count
      separate()
      try JSONWriter.write(to: &bytes, after: start, fill)
    }

    /// Adds an array. When `fill` throws, nothing is added.
    package mutating func array<Failure: Error>(
      _ fill: (inout Elements) throws(Failure) -> Void
    ) throws(Failure) {
      let start = bytes.count
      separate()
      try JSONWriter.write(to: &bytes, after: start, fill)
    }
  }

  /// Lends the bytes to a scope, which fills them, and takes them back; none is copied.
  /// - Parameter start: How many bytes stay when `fill` throws.
  fileprivate static func write<Scope: JSONScope, Failure: Error>(
    to bytes: inout [UInt8], after start: Int,
    _ fill: (inout Scope) throws(Failure) -> Void
  ) throws(Failure) {
    bytes.append(Scope.opening)
    var scope = Scope()
    swap(&scope.bytes, &bytes)
    do throws(Failure) {
      try fill(&scope)
    } catch {
      swap(&scope.bytes, &bytes)
      bytes.removeSubrange(start...)
      throw error
    }
    swap(&scope.bytes, &bytes)
    bytes.append(Scope.closing)
  }
}

private protocol JSONScope {
  static var opening: UInt8 { get }
  static var closing: UInt8 { get }
  /// All that was written so far; lent by the scope around this one.
  var bytes: [UInt8] { get set }
  init()
}

extension JSONScope {
  /// No value ends with the byte with which a scope begins.
  fileprivate mutating func separate() {
    if bytes.last != Self.opening { bytes.append(UInt8(ascii: ",")) }
  }
}
