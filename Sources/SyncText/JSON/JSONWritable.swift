/// What ``JSONWriter`` takes as a value. All of it can be written: what can't be isn't one of these
/// types (``JSONNumber`` for a `Double`, ``JSONText`` for bytes). A type of one's own that is one
/// can write itself as an object or an array, with ``JSONWriter``, and so a tree of any shape.
package protocol JSONWritable {
  /// Appends the value's text: exactly one JSON value, without blanks between its parts.
  func write(to output: inout [UInt8])
}

/// The null of JSON. No optional is written as it: that would leave open whether a member that has
/// no value is to be null or left out.
package struct JSONNull: JSONWritable {
  package init() {}

  /// `null`.
  package func write(to output: inout [UInt8]) {
    output += "null".utf8
  }
}

extension String: JSONWritable {
  package func write(to output: inout [UInt8]) {
    var text = self
    text.withUTF8 { JSONText.write($0, to: &output) }
  }
}

extension JSONText: JSONWritable {
  package func write(to output: inout [UInt8]) {
    bytes.withUnsafeBufferPointer { Self.write($0, to: &output) }
  }
}

extension Bool: JSONWritable {
  /// `true` or `false`.
  package func write(to output: inout [UInt8]) {
    output += (self ? "true" : "false").utf8
  }
}

extension Int: JSONWritable {
  package func write(to output: inout [UInt8]) {
    output += String(self).utf8
  }
}

extension Int64: JSONWritable {
  package func write(to output: inout [UInt8]) {
    output += String(self).utf8
  }
}

extension JSONNumber: JSONWritable {
  package func write(to output: inout [UInt8]) {
    output += text.utf8
  }
}

extension JSONValue: JSONWritable {
  /// The value as it was written, but for the blanks between its parts, so that it never breaks a
  /// line.
  package func write(to output: inout [UInt8]) {
    var isInString = false
    var isEscaped = false
    for byte in written {
      if !isInString, Self.isBlank(byte) { continue }
      output.append(byte)
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\"") {
        isInString.toggle()
      } else {
        isEscaped = isInString && byte == UInt8(ascii: "\\")
      }
    }
  }
}
