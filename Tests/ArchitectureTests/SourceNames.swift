/// What a source declares, uses and imports, as far as its words tell.
struct SourceNames {
  /// Types that stand in no other. A nested one goes with its outer one.
  private(set) var declared: Set<String> = []
  /// Every word that begins as a type's name does.
  private(set) var used: Set<String> = []
  private(set) var imported: Set<String> = []
  let lineCount: Int

  private static let kinds: Set<String> = [
    "struct", "class", "enum", "protocol", "actor", "typealias",
  ]

  init(_ text: String) {
    let code = CodeBytes(text).bytes
    lineCount = code.count { $0 == UInt8(ascii: "\n") }
    var depth = 0
    var last = ""
    var index = 0
    while index < code.count {
      let byte = code[index]
      if byte == UInt8(ascii: "{") { depth += 1 }
      if byte == UInt8(ascii: "}") { depth -= 1 }
      guard byte.isWordByte else {
        index += 1
        continue
      }
      let start = index
      while index < code.count, code[index].isWordByte { index += 1 }
      let word = String(decoding: code[start..<index], as: UTF8.self)
      note(word, after: last, depth: depth)
      // What follows in `import struct Module.Type` is the module all the same.
      if last != "import" || !Self.kinds.contains(word) { last = word }
    }
  }

  private mutating func note(_ word: String, after last: String, depth: Int) {
    if last == "import", !Self.kinds.contains(word) { imported.insert(word) }
    guard let first = word.utf8.first, first.isCapital else { return }
    used.insert(word)
    if depth == 0, Self.kinds.contains(last) { declared.insert(word) }
  }
}

extension UInt8 {
  fileprivate var isCapital: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }

  fileprivate var isWordByte: Bool {
    isCapital || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) || self == UInt8(ascii: "_")
      || self >= 0x80
  }
}
