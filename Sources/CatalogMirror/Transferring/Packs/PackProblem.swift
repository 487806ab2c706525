import SyncText
import SyncTransport

/// Why a pack, or a part of one, isn't of use. No item fails for it: the files in it are fetched
/// from their own addresses.
package enum PackProblem: Error, Equatable, CustomStringConvertible {
  /// It came in a content coding.
  case coded(String)
  /// The server says that it is what is held, of which nothing was said.
  case notModified
  /// Another part came than was asked for.
  case otherPart
  /// It isn't there, as its server says in these words.
  case gone(String)
  /// It has another size than the catalog says.
  case otherSize(Int64)
  /// The whole of it came where a part was asked for, and little of that is wanted.
  case unasked
  /// Several files in it have other digests than the catalog says.
  case differs
  /// It was cut once more after it had been gone on with.
  case broke

  /// Why a pack isn't of use after an error, as the end of a sentence that named it.
  static func reason(_ error: any Error) -> String {
    guard let error = error as? TransportError else { return "\(error)" }
    let isGone = [404, 410].contains { error.code == .status($0) }
    return isGone ? "\(gone(error.event))" : error.reason
  }

  /// What happened, as the end of a sentence that named the pack.
  package var description: String {
    switch self {
    case .coded(let coding):
      "it came in the coding '\(CatalogKey.escape(coding.utf8))'; have it served as it is"
    case .notModified:
      "its server says that it hasn't changed (status 304), though it was asked for without a"
        + " condition; mend the server or its cache"
    case .otherPart: "another part of it came than was asked for; mend the server or its cache"
    case .gone(let event): "\(event); put it beside the catalog, or publish the folder again"
    case .otherSize(let size):
      "it has \(ByteAmount.text(size)), which isn't what the catalog says; put it beside the"
        + " catalog once more, or publish the folder again"
    case .unasked: "its server doesn't give parts of it, and most of it isn't wanted"
    case .differs:
      "files in it don't have the digests that the catalog declares; publish the folder"
        + " again, with every file and pack read anew"
    case .broke: "it was cut twice"
    }
  }
}
