package import SyncFiles

extension BeneathPath {
  /// The hidden folder that holds what isn't mirrored.
  package static let control = BeneathPath.root.appending(".mirror")
  /// Where downloads are written before they are checked.
  static let staging = control.appending("staging")
  static let previews = control.appending("previews")

  /// The place of a key that was checked.
  package init(_ path: RelativePath) {
    self.init(checked: path.bytes)
  }

  /// What stands under a name that we made up ourselves: letters, digits, `-`, `_` and `.`, not
  /// beginning with a dot, 200 bytes at most. Anything else is refused.
  func appending(plain name: String) throws -> BeneathPath {
    let path = appending(name)
    guard (1...200).contains(name.utf8.count), name.utf8.allSatisfy(Self.plain.contains),
      !name.hasPrefix(".")
    else { throw FolderError(.failed, path.description, reason: "not a plain name") }
    return path
  }

  private static let plain = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.".utf8)
}
