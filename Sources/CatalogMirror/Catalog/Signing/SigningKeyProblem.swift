/// Why a file holds no key that signs catalogs, or tells who has signed them.
public enum SigningKeyProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// It can't be read; what the system says.
  case unreadable(reason: String)
  /// It holds no key in PEM, or not a whole one.
  case noKey
  /// Its keys are of another kind than Ed25519.
  case ofAnotherKind
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
    case .noKey:
      "holds no key in PEM; make one with 'openssl genpkey -algorithm ed25519'"
    case .ofAnotherKind:
      """
      holds a key of another kind than Ed25519; make one with 'openssl genpkey -algorithm ed25519'
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
