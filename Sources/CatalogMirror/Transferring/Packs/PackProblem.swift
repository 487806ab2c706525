import SyncText

/// Why a pack, or a part of one, isn't of use. No item fails for it: the files in it are fetched
/// from their own addresses.
enum PackProblem: Error, Equatable, CustomStringConvertible {
  /// It came in a content coding.
  case coded(String)
  /// The server says that it is what is held, of which nothing was said.
  case notModified
  /// Another part came than was asked for.
  case otherPart
  /// It has another size than the catalog says.
  case otherSize(Int64)
  /// The whole of it came where a part was asked for, and little of that is wanted.
  case unasked
  /// Several files in it have other digests than the catalog says.
  case differs
  /// It was cut once more after it had been gone on with.
  case broke

  /// What happened, as the end of a sentence that named the pack.
  var description: String {
    switch self {
    case .coded(let coding):
      "it came in the coding '\(CatalogKey.escape(coding.utf8))'; have it served as it is"
    case .notModified:
      "its server says that it hasn't changed (status 304), though it was asked for without a"
        + " condition; mend the server or its cache"
    case .otherPart: "another part of it came than was asked for; mend the server or its cache"
    case .otherSize(let size):
      "it has \(ByteAmount.text(size)), which isn't what the catalog says; publish it again"
    case .unasked: "its server doesn't give parts of it, and few files of it are wanted"
    case .differs:
      "files in it don't have the digests that the catalog declares; publish it again"
    case .broke: "it was cut twice"
    }
  }
}
