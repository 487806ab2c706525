import CatalogMirror
import SyncFiles
import SyncText

/// The private keys that a catalog is to be signed with, and what is known of their files.
struct SignKeys {
  private struct Key {
    var path: String
    /// Of its file: by it a copy among the files that are published is found.
    var digest: SHA256Digest
    var key: Ed25519PrivateKey
  }

  private let keys: [Key]

  /// Reads the files; one whose key can't be used is refused before anything is hashed.
  init(_ paths: [String]) throws(PublishError) {
    var keys: [Key] = []
    for path in paths {
      do throws(SigningKeyProblem) {
        let file = try SigningKeyFile(path: path, in: SystemFileSystem())
        keys.append(Key(path: path, digest: file.digest, key: try file.privateKey))
      } catch {
        throw .badOption(.signKey(path, error))
      }
    }
    self.keys = keys
    let count = Set(publicKeys.map(\.id)).count
    guard count <= SignedCatalog.mostSignatures else { throw .badOption(.tooManySignKeys(count)) }
  }

  var publicKeys: [Ed25519PublicKey] { keys.map(\.key.publicKey) }

  /// Signs with the keys of files that aren't published themselves, not even in a copy; `nil` where
  /// there is none.
  func signer(
    notAmong files: [PublishedFile], lifetime: Duration?
  ) throws(PublishError) -> CatalogSigner? {
    for key in keys {
      guard let published = files.first(where: { $0.digest == key.digest }) else { continue }
      throw .badOption(.signKey(key.path, .isPublished(as: published.path.description)))
    }
    return CatalogSigner(keys: keys.map(\.key), lifetime: lifetime)
  }
}
