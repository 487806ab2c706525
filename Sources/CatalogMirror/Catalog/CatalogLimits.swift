/// How much a catalog may hold. Past a limit the listing is an error, not a cut list.
public struct CatalogLimits: Hashable, Sendable {
  /// Bytes of all pages together, after decompression; default 1 GiB. Whoever fetches enforces it
  /// while the bytes arrive; the decoders look once more at each page.
  public var bytes = 1 << 30
  /// Entries of all pages together; default 10,000,000.
  public var entries = 10_000_000
  /// Pages and directories together; default 100,000.
  public var pages = 100_000
  /// Pages of a chain, one after the other, that only lead to a next one; default 1,000.
  public var emptyPages = 1_000
  /// Levels of directories below the first; default 32.
  public var depth = 32
  /// Levels of arrays and objects in JSON; default 64. Whatever is said here, elements of XML and
  /// HTML may nest 256 deep, and one of XML that is read at once may hold 1,000,000 elements and
  /// attributes and 10,000,000 bytes.
  public var nesting = 64
  /// Bytes of one key; default 65,536. A key that is only too long for a path fails as one item.
  public var keyLength = 65_536
  /// Bytes of one value, name, text, comment or line, as sent; default 1 MiB. What holds others may
  /// be larger.
  public var pieceBytes = 1 << 20
  /// Bytes of one tag of XML or HTML; default 64 KiB.
  public var tagBytes = 64 << 10
  /// Attributes of one tag; default 1,000.
  public var attributes = 1_000

  /// The defaults.
  public init() {}
}
