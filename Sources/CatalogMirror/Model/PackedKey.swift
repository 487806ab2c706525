import SyncText

/// The key of a packed entry where it lies: a list is gone through several times by its keys, and
/// would else make each anew every time.
struct PackedKey: Hashable, Sendable {
  let block: EntryBlock
  let place: UInt32

  var key: CatalogKey { CatalogKey(bytes: Array(bytes)) }

  var bytes: ArraySlice<UInt8> { block.key(at: place) }

  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    block.withKey(at: place, body)
  }

  /// Equal bytes.
  static func == (one: PackedKey, other: PackedKey) -> Bool {
    one.withBytes { bytes in other.withBytes { bytes.elementsEqual($0) } }
  }

  /// As the key hashes them.
  func hash(into hasher: inout Hasher) { withBytes { hasher.combine(bytes: $0) } }
}
