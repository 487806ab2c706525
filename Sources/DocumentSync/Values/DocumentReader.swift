import SyncText

/// Reads text as a document's value, and refuses what a document can't hold.
enum DocumentReader {
  static func read(_ bytes: [UInt8]) throws(DocumentProblem) -> JSONValue {
    if let offset = bytes.withUnsafeBytes({ UTF8Fault.first(in: $0) }) {
      throw .notText(offset: offset)
    }
    var tape = JSONTape(nesting: DocumentValue.deepestNesting)
    let root = try index(bytes, on: &tape)
    // Names and values stand on the tape one behind the other, whatever holds them.
    let end = tape.end(of: root)
    var node = root
    while node != end {
      try check(node, of: tape)
      node = tape.inside(node)
    }
    return tape.value(root)
  }

  private static func index(
    _ bytes: [UInt8], on tape: inout JSONTape
  ) throws(DocumentProblem) -> JSONTape.Node {
    tape.begin(bytes)
    // Most documents are short, and the steps in which a list grows are dear at first.
    tape.reserve(min(bytes.count / 8, 64) + 1)
    let (root, end): (JSONTape.Node, Int)
    do throws(JSONProblem) {
      (root, end) = try tape.append(at: 0)
    } catch {
      throw .notJSON(reason: error.reason, offset: error.offset)
    }
    if let more = bytes[end...].firstIndex(where: { !JSONValue.isBlank($0) }) {
      throw .notJSON(reason: "more after its end", offset: more)
    }
    return root
  }

  private static func check(
    _ node: JSONTape.Node, of tape: JSONTape
  ) throws(DocumentProblem) {
    switch tape.kind(of: node) {
    case .string:
      // Without escapes it is a part of text that was found to be UTF-8.
      guard tape.isPlain(node) || tape.string(node) != nil else {
        throw .halfCharacter(offset: tape.range(of: node).lowerBound)
      }
    case .number:
      guard tape.real(node) != nil else {
        let range = tape.range(of: node)
        throw .numberTooLarge(tape.value(node).text, offset: range.lowerBound)
      }
    case .null, .false, .true, .object, .array: break
    }
  }
}
