package import SyncFiles
package import SyncText

/// A file with keys of Ed25519 in PEM, as OpenSSL writes them (RFC 7468, RFC 8410).
package struct SigningKeyFile {
  private let bytes: [UInt8]
  private let isOpenToOthers: Bool

  /// The most bytes that are read of one.
  private static let most = 1 << 16

  /// Reads the file at a path of the user's own.
  package init(path: String, in fileSystem: any FileSystem) throws(SigningKeyProblem) {
    let status: FileStatus
    do throws(Errno) {
      let file = try Descriptor.open(userPath: path, [.reading, .withoutWaiting], in: fileSystem)
      // Of the very file that is read.
      status = try file.status()
      bytes = status.kind == .file ? try file.readStart(limit: Self.most) : []
    } catch {
      throw .unreadable(reason: error.text)
    }
    guard status.kind == .file else { throw .notAFile }
    isOpenToOthers = status.mode & 0o077 != 0
  }

  /// The digest of what was read: by it the file is found among others.
  package var digest: SHA256Digest { SHA256Digest(of: bytes) }

  /// The public keys, of which there is one at least.
  package var publicKeys: [Ed25519PublicKey] {
    get throws(SigningKeyProblem) {
      let blocks = PEMText(bytes).blocks
      guard !blocks.contains(where: { $0.label.hasSuffix("PRIVATE KEY") }) else {
        throw .isPrivate
      }
      let keys = blocks.compactMap { Ed25519PublicKey($0) }
      guard keys.count == blocks.count, !keys.isEmpty else {
        throw blocks.isEmpty ? .noPublicKey : .publicOfAnotherKind
      }
      return keys
    }
  }

  /// The private key, if its owner alone may read it.
  package var privateKey: Ed25519PrivateKey {
    get throws(SigningKeyProblem) {
      let blocks = PEMText(bytes).blocks
      if let key = blocks.lazy.compactMap({ Ed25519PrivateKey($0) }).first {
        guard !isOpenToOthers else { throw .openToOthers }
        return key
      }
      switch blocks.first?.label {
      case nil: throw .noKey
      case "ENCRYPTED PRIVATE KEY"?: throw .locked
      case "PUBLIC KEY"?: throw .isPublic
      default: throw .ofAnotherKind
      }
    }
  }
}
