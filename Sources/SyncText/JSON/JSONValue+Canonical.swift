extension JSONValue {
  /// One text for all values that mean the same: members sorted by the bytes of their names, no
  /// blanks, numbers by ``JSONNumber/canonicalText``, strings with no escape that isn't needed.
  /// It is JSON when the value's own text is; what isn't UTF-8 in a string stays as it is.
  package var canonicalBytes: [UInt8] {
    var output: [UInt8] = []
    writeCanonically(to: &output)
    return output
  }

  /// Whether both mean the same: the order of members, blanks, and the way in which numbers and
  /// strings are written don't count.
  package func means(theSameAs other: JSONValue) -> Bool {
    written == other.written || canonicalBytes == other.canonicalBytes
  }

  private func writeCanonically(to output: inout [UInt8]) {
    if let members {
      output.append(UInt8(ascii: "{"))
      let sorted = members.sorted { $0.name.lexicographicallyPrecedes($1.name) }
      for (position, member) in sorted.enumerated() {
        if position > 0 { output.append(UInt8(ascii: ",")) }
        output += JSONText.written(member.name)
        output.append(UInt8(ascii: ":"))
        member.value.writeCanonically(to: &output)
      }
      output.append(UInt8(ascii: "}"))
    } else if let elements {
      output.append(UInt8(ascii: "["))
      for (position, element) in elements.enumerated() {
        if position > 0 { output.append(UInt8(ascii: ",")) }
        element.writeCanonically(to: &output)
      }
      output.append(UInt8(ascii: "]"))
    } else if let stringBytes {
      output += JSONText.written(stringBytes)
    } else if let number {
      output += number.canonicalText.utf8
    } else {
      output += written
    }
  }
}
