import SyncFiles

/// The places that a file may come back to, the first of which is its own: it never takes one where
/// something stands.
enum ReturnName {
  private static let longest = 255
  private static let most = 100

  /// The file's own path; then others in the same directory, that tell when it was moved away:
  /// `report.restored-20250131T120000Z.txt`.
  static func candidates(for path: BeneathPath, of batch: String) -> [BeneathPath] {
    let others = (1...most).map { number in
      let mark = ".restored-\(batch)" + (number == 1 ? "" : "-\(number)")
      return path.parent.appending(marked(path.name, with: Array(mark.utf8)))
    }
    return [path] + others
  }

  /// A name with a mark before its ending, cut so that it isn't too long.
  private static func marked(_ name: [UInt8], with mark: [UInt8]) -> [UInt8] {
    let dot = name.dropFirst().lastIndex(of: UInt8(ascii: "."))
    var stem = name[..<(dot ?? name.endIndex)]
    var ending = name[(dot ?? name.endIndex)...]
    // What is that long is no ending.
    if ending.count > 32 { (stem, ending) = (name[...], []) }
    while stem.count + mark.count + ending.count > longest {
      // Never amid a character of UTF-8.
      repeat {
        stem.removeLast()
      } while !stem.isEmpty && stem.endIndex < name.endIndex
        && name[stem.endIndex] & 0xC0 == 0x80
    }
    return Array(stem) + mark + Array(ending)
  }
}
