/// Which mirror a folder is: 128 random bits, written into its marker and into its index.
package struct FolderID: Hashable, Sendable {
  /// 32 hexadecimal digits in lower case.
  package let text: String

  /// An id that nobody else has.
  package static func random(
    using generator: inout some RandomNumberGenerator
  ) -> FolderID {
    let halves = [generator.next(), generator.next()]
    let text = halves.map { half in
      let digits = String(half, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    return FolderID(unchecked: text.joined())
  }

  /// An id as the index keeps it; `nil` unless it is 32 hexadecimal digits in lower case.
  package init?(text: String) {
    let digits = Set("0123456789abcdef".utf8)
    guard text.utf8.count == 32, text.utf8.allSatisfy(digits.contains) else { return nil }
    self.text = text
  }

  private init(unchecked text: String) {
    self.text = text
  }

  /// What the marker of a folder holds.
  package var marker: [UInt8] { Self.markerStart + Array("\(text)\n".utf8) }

  /// What stands before the id in every marker.
  static let markerStart = Array("mirror-folder 1\nid ".utf8)

  /// The id that a marker holds; `nil` when it isn't one.
  package init?(marker: [UInt8]) {
    let lines = String(decoding: marker, as: UTF8.self).split(separator: "\n")
    guard lines.count >= 2, lines[0] == "mirror-folder 1", lines[1].hasPrefix("id ") else {
      return nil
    }
    self.init(text: String(lines[1].dropFirst(3)))
  }
}
