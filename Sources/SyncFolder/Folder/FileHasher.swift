package import SyncText

/// Hashes a file by SHA-256, and by what else is asked for, as its bytes come. Not thread-safe.
struct FileHasher: ~Copyable {
  private var sha256 = SHA256Hasher()
  private let others: [ContentHasher]

  /// A hasher that has seen nothing yet. An algorithm that the system refuses is left out.
  init(_ algorithms: Set<ContentDigest.Algorithm> = []) {
    others =
      algorithms.isEmpty
      ? [] : algorithms.subtracting([.sha256]).compactMap { ContentHasher($0) }
  }

  /// Takes the next bytes of the file.
  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    sha256.update(bytes)
    for other in others { other.update(bytes) }
  }

  /// The digests of everything taken.
  consuming func finish() -> FileDigests {
    let further = others.compactMap { $0.finish() }
    return FileDigests(sha256: sha256.finish(), further: further)
  }
}

package struct FileDigests: Hashable, Sendable {
  /// By SHA-256.
  package let sha256: SHA256Digest
  /// By what else was asked for, as far as the system has it.
  package let further: [ContentDigest]

  /// The first of these that is another one than the file's. One by an algorithm that the file
  /// wasn't hashed by tells nothing.
  package func mismatch(among wanted: [ContentDigest]) -> ContentDigest? {
    let own = [ContentDigest(sha256)] + further
    return wanted.first { wanted in
      own.contains { $0.algorithm == wanted.algorithm && $0 != wanted }
    }
  }

  /// Whether the file is the one that has this digest, and no other can be.
  package func prove(_ digest: ContentDigest) -> Bool {
    digest.algorithm.provesEquality && ([ContentDigest(sha256)] + further).contains(digest)
  }
}
