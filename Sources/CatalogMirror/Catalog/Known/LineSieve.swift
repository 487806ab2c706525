import SyncText

/// Takes lines out of a catalog's body while it comes: those that are known, which needn't be read,
/// and those that hold a ``PlainEntry``, which are read at once. So no catalog has to be held whole
/// beside its entries, and only what is out of the common is left in the body.
///
/// Only where every line after the first is an entry by itself (NDJSON), which the first line
/// tells; any other body goes through whole. A last line without its newline is never taken out: it
/// says that the body may have been cut.
///
/// One user at a time, and for one body, which is hashed on the way.
final class LineSieve: @unchecked Sendable {  // one user at a time, by contract
  /// What is left of a body.
  struct Rest: Sendable, Hashable {
    /// The first line and every one that wasn't taken out; or the whole body.
    var bytes: [UInt8] = []
    var known: [KnownLine] = []
    var read: [ReadLine] = []
    /// The positions of the entries that are left, counted from 1; empty when none was taken out.
    var positions: [UInt32] = []
    /// The digest of the whole body.
    var digest: SHA256Digest
    /// Whether any line was taken out.
    var lacksLines: Bool { !known.isEmpty || !read.isEmpty }
  }

  // A value of which all of a piece is one change: each change of an object's own field is watched.
  private var sieving: LineSieving

  /// A sieve for one body.
  ///
  /// - Parameters:
  ///   - gate: Looks at what isn't taken out line by line.
  ///   - known: Finds the known lines; asked only if they can be of use.
  ///   - opened: Is given the first line and says how those after it are read; `nil` when they
  ///     aren't entries.
  init(
    _ known: @escaping () throws -> KnownLines, gate: PieceGate = PieceGate(CatalogLimits()),
    opened: @escaping ([UInt8]) -> CatalogLines?
  ) {
    sieving = LineSieving(gate, find: known, opened: opened)
  }

  /// Takes the next bytes of the body.
  /// - Throws: ``PieceGate/Excess``, or what finding the known lines threw.
  func take(_ bytes: UnsafeRawBufferPointer) throws { try sieving.take(bytes) }

  /// What is left, once the body has ended.
  /// - Throws: ``PieceGate/Excess``
  func finish() throws -> Rest { try sieving.finish() }
}
