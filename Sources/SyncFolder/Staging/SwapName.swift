import SyncFiles
import SyncText

/// The name that a file has in the staging area while it changes places with one in the tree. It
/// tells where in the tree, so that what a crash left is kept aside under its own path.
///
/// Of letters that every file system takes: a separator is written `%2F`, and nothing else is added
/// to what stands in the tree's own names.
enum SwapName {
  private static let (slash, percent) = (UInt8(ascii: "/"), UInt8(ascii: "%"))
  private static let limit = 255

  /// New names for the file at `path`, each to be taken where the file system refuses the one
  /// before it: some take fewer bytes than 255, and the last one of letters and digits leaves the
  /// path out.
  static func candidates(for path: BeneathPath) -> [[UInt8]] {
    let name = Array((Staging.swapPrefix + RandomName.make()).utf8)
    let telling = name + [UInt8(ascii: "-")] + escaped(path.bytes)
    return telling.count <= limit ? [telling, name] : [name]
  }

  /// Where a file with this name stood; a name that doesn't tell is its own path.
  static func place(of name: [UInt8]) -> BeneathPath {
    let told = name.dropFirst(Staging.swapPrefix.utf8.count)
    guard let dash = told.firstIndex(of: UInt8(ascii: "-")),
      let path = try? RelativePath(ByteString(bytes: unescaped(told[(dash + 1)...])))
    else { return .root.appending(name) }
    return BeneathPath(path)
  }

  private static func escaped(_ bytes: [UInt8]) -> [UInt8] {
    bytes.flatMap { byte in
      switch byte {
      case slash: Array("%2F".utf8)
      case percent: Array("%25".utf8)
      default: [byte]
      }
    }
  }

  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var (rest, result) = (bytes, [UInt8]())
    while let byte = rest.popFirst() {
      guard byte == percent else {
        result.append(byte)
        continue
      }
      result.append(rest.starts(with: "2F".utf8) ? slash : percent)
      rest = rest.dropFirst(2)
    }
    return result
  }
}

extension Errno {
  /// Whether a file system may answer it to a name that it doesn't take.
  var mayRefuseName: Bool {
    [.nameTooLong, .invalid, .absent, .notPermitted, .noRights, .illegalBytes].contains(self)
  }
}
