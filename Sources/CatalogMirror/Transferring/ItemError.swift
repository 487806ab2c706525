import SyncText

/// Why one item could not be fetched although the server answered.
enum ItemError: Error, Equatable, CustomStringConvertible {
  /// The body goes past the size that the catalog declares.
  case longerThanDeclared(Int64)
  /// The body goes past what is allowed for an item of undeclared size.
  case largerThanAllowed(Int64)
  /// The catalog declares a size that the folder's disk doesn't have, full or empty.
  case largerThanDisk
  /// So many bytes came, and the listing says, in rounded words, something far from it.
  case farFromListed(Int64, listed: Int64)
  /// The digest by this algorithm isn't the one that the catalog declares.
  case digestDiffers(ContentDigest.Algorithm)
  /// The bytes came in a content coding, and neither size nor digest vouches for them as they are.
  case coded(String)
  /// Nothing vouches for the end of the body.
  case unframed
  /// The server says that nothing changed, and wasn't asked that.
  case unaskedNotModified
  /// The server sent another part than the rest that it was asked for.
  case otherPart
  /// A file of ours that the listing still has stands where a directory has to be, or the reverse.
  case inTheWay(String)

  /// It comes last, and something else failed.
  case heldBack
  /// It comes last, and was another one each time that the rest had been listed.
  case keepsChanging

  /// Whether a copy from elsewhere than a cache may be right.
  var mayBeStale: Bool {
    switch self {
    case .longerThanDeclared, .farFromListed, .digestDiffers, .unaskedNotModified: true
    case .largerThanAllowed, .largerThanDisk, .coded, .unframed, .otherPart, .inTheWay, .heldBack,
      .keepsChanging:
      false
    }
  }

  var advice: MirrorAdvice? {
    switch self {
    case .largerThanAllowed: .raiseItemSize
    case .unframed: .allowUnframed
    case .coded: .allowCoded
    case .longerThanDeclared, .farFromListed, .largerThanDisk, .digestDiffers, .unaskedNotModified,
      .otherPart, .inTheWay, .heldBack, .keepsChanging:
      nil
    }
  }

  var description: String {
    switch self {
    case .longerThanDeclared(let size):
      """
      more came than the \(ByteAmount.text(size)) that the catalog declares; try again, and tell \
      who publishes it if that stays so
      """
    case .farFromListed(let size, let listed):
      """
      \(ByteAmount.text(size)) came where the listing says about \(ByteAmount.text(listed)): \
      another page stands in its place, or it was changed a moment ago; try again, and look what \
      the address gives if that stays so
      """
    case .largerThanAllowed(let most):
      "more came than \(ByteAmount.text(most)); if that is right, allow larger items"
    case .largerThanDisk:
      """
      it is larger than the disk of the folder; use a larger one, or check the catalog's size of it
      """
    case .digestDiffers(let algorithm):
      """
      the bytes don't have the \(algorithm.title) digest that the catalog declares; try again, \
      and tell who publishes it if that stays so
      """
    case .coded(let coding):
      """
      the server sent it in the coding '\(CatalogKey.escape(coding.utf8))', unasked; give its size \
      or digest in the catalog, mend the server, or store such bytes as they come
      """
    case .unframed:
      """
      nothing tells whether the whole of it came; give its size or digest in the catalog, or allow \
      such bodies
      """
    case .unaskedNotModified:
      "the server says that it hasn't changed (status 304), unasked; mend the server or its cache"
    case .otherPart:
      "the server sent another part of it than was asked for; mend the server or its cache"
    case .inTheWay(let path):
      """
      '\(path)' stands in its way and stays: it is still listed, left out by a filter, or nothing \
      is removed in such a run; publish one of the two under another name, or have the other removed
      """
    case .heldBack:
      """
      what comes last was held back, and nothing was removed, since something else failed or can't \
      be listed; mend that, or leave it out by a filter
      """
    case .keepsChanging:
      """
      what comes last was published anew each time that the rest had been listed, so that it was \
      held back; run again when the source is at rest
      """
    }
  }
}
