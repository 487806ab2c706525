/// Why a file holds no key that signs catalogs, or tells who has signed them.
public enum SigningKeyProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// It can't be read; what the system says.
  case unreadable(reason: String)
  /// It is no regular file, as a pipe.
  case notAFile
  /// It holds no private key in PEM, or not a whole one.
  case noKey
  /// It holds something else than a private key of Ed25519 in the form that is read here, or the
  /// system's library has no such keys.
  case ofAnotherKind
  /// It holds no public key in PEM, or not a whole one.
  case noPublicKey
  /// It holds something else than public keys of Ed25519.
  case publicOfAnotherKind
  /// Its private key is locked by a passphrase.
  case locked
  /// It holds a private key, and a public one is wanted.
  case isPrivate
  /// It holds a public key, and a private one is wanted.
  case isPublic
  /// Others than its owner may read the private key in it.
  case openToOthers
  /// The private key lies among the files that are published, under this key.
  case isPublished(as: String)

  /// What is wrong and what to do, as the end of a sentence that named the file.
  public var description: String {
    switch self {
    case .unreadable(let reason): "can't be read (\(reason)); check its name and its rights"
    case .notAFile: "is no regular file; put the key into one"
    case .noKey:
      "holds no key in PEM; make one with 'openssl genpkey -algorithm ed25519'"
    case .ofAnotherKind:
      """
      holds something else than a private key of Ed25519 that can be used here (PKCS #8, version \
      1); make one with 'openssl genpkey -algorithm ed25519'
      """
    case .noPublicKey:
      """
      holds no key in PEM; get the public one from who signs the catalog, as 'openssl pkey \
      -pubout' writes it
      """
    case .publicOfAnotherKind:
      """
      holds something else than public keys of Ed25519; get them from who signs the catalog, as \
      'openssl pkey -pubout' writes them
      """
    case .locked:
      """
      holds a private key that is locked by a passphrase; take that off with 'openssl pkey' and \
      keep the file from others
      """
    case .isPrivate:
      """
      holds a private key, which is its signer's alone; give the public one, as 'openssl pkey \
      -pubout' writes it
      """
    case .isPublic: "holds a public key; give the private one, as 'openssl genpkey' writes it"
    case .openToOthers:
      "may be read by others than its owner; take their rights from it (chmod 600)"
    case .isPublished(let key):
      """
      lies among the files that are published, as '\(key)', and everybody could sign with it; \
      move it away
      """
    }
  }
}
