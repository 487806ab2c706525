/// The name that a file has in the staging area while it changes places with one in the tree. It
/// tells where in the tree, so that what a crash left is kept aside under its own path.
enum SwapName {
  private static let (slash, backslash) = (UInt8(ascii: "/"), UInt8(ascii: "\\"))
  private static let limit = 255

  /// A new name for the file at `path`. One that would be too long leaves the path out.
  static func make(for path: BeneathPath) -> [UInt8] {
    let name = Array((Staging.swapPrefix + Staging.randomName()).utf8)
    // No path of the tree holds a backslash (M7).
    let place = path.bytes.map { $0 == slash ? backslash : $0 }
    guard name.count + 1 + place.count <= limit else { return name }
    return name + [UInt8(ascii: "-")] + place
  }

  /// Where a file with this name stood; a name that doesn't tell is its own path.
  static func place(of name: [UInt8]) -> BeneathPath {
    let told = name.dropFirst(Staging.swapPrefix.utf8.count)
    guard let dash = told.firstIndex(of: UInt8(ascii: "-")),
      let path = try? RelativePath(
        CatalogKey(bytes: told[(dash + 1)...].map { $0 == backslash ? slash : $0 }))
    else { return .root.appending(name) }
    return BeneathPath(path)
  }
}
