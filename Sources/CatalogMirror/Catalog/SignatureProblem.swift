/// Why a catalog isn't believed to be signed.
public enum SignatureProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// It bears no signature.
  case none
  /// Nothing in its format bears one.
  case unsignable
  /// It is no catalog of format 1 in lines and on one page, and only those bear signatures of
  /// Ed25519.
  case notInLines
  /// What stands in the place of its signature is none, or isn't the last of its header.
  case damaged
  /// It is signed by keys of these ids, and none of them is one that was given.
  case unknownKeys([String])
  /// What claims to be its signature by the key of this id is none.
  case badSignature(String)
  /// Its lines aren't those that the key of this id has signed.
  case otherLines(String)
  /// It is signed by the key of this id, and has no revision that is a number, so that nobody can
  /// tell it from an older one.
  case unordered(String)
  /// The program that checks signatures can't be started; why.
  case noProgram(String)
  /// The program hasn't come to its end in time.
  case overdue
  /// The program was ended by this signal.
  case killed(by: Int32)
  /// The program has ended, and nobody can tell how: this process ignores the ends of its children.
  case lost
  /// The keyring can't be used any more; it could when the run began.
  case keyring(KeyringProblem)
  /// The program says no, in these words.
  case refused(String)
  /// The keyring says that the key of these hexadecimal digits, which has signed it, is revoked.
  case revokedKey(String)
  /// The time of that key is over.
  case expiredKey(String)
  /// The time of its signature by that key is over.
  case expired(String)
  /// That key signed it at a date that hasn't come yet, in seconds since 1970, and the date.
  case ofTheFuture(String, date: Int64, now: Int64)

  /// What is wrong and what to do, as the end of a sentence.
  public var description: String {
    switch self {
    case .none:
      """
      it isn't signed, and keys are given to check it by; check the address, and tell who \
      publishes it
      """
    case .unsignable:
      """
      lists in its format bear no signatures, and a keyring is given to check it by; of a Debian \
      repository, give the address of a suite and name the format '\(CatalogFormatName.debian)'; \
      else leave the keyring out
      """
    case .notInLines:
      """
      only catalogs of format 1 in lines and on one page are signed for the keys that are given; \
      of a Debian repository, give a keyring instead; else check the address, and tell who \
      publishes it
      """
    case .damaged:
      "its signature can't be read; tell who publishes it"
    case .unknownKeys(let keys):
      """
      it is signed by \(keys.isEmpty ? "no key of Ed25519" : Self.words(keys)), and by none that \
      is given; if the signer has a new key, get it from him in another way than from this server
      """
    case .badSignature(let key):
      """
      its header isn't the one that the key \(key) has signed: it was changed after that; tell \
      who publishes it
      """
    case .otherLines(let key):
      """
      its lines aren't those that the key \(key) has signed: they were changed after that, or \
      something on the way joined two states; try again, and tell who publishes it if that stays so
      """
    case .unordered(let key):
      """
      it is signed by the key \(key), and has no revision that is a number, so that nobody can \
      tell it from an older one; tell who publishes it
      """
    case .noProgram(let reason):
      "the program gpgv, which checks signatures, can't be started (\(reason)); install it"
    case .overdue:
      """
      the program gpgv, which checks signatures, was still at it after a minute; check the \
      keyring, and run gpgv by hand
      """
    case .killed(let signal):
      """
      the program gpgv, which checks signatures, was ended by signal \(signal); check the \
      keyring, and run gpgv by hand
      """
    case .lost:
      """
      the program gpgv, which checks signatures, has ended, and nobody can tell how; see to it \
      that SIGCHLD isn't ignored where this program is started
      """
    case .revokedKey(let key):
      "the key \(key) that has signed it is revoked; get the signer's new key from him"
    case .expiredKey(let key):
      """
      the key \(key) that has signed it has expired; get the signer's key anew, who may have \
      prolonged it
      """
    case .expired(let key): "its signature by the key \(key) has expired; check the source"
    case .ofTheFuture(let key, let date, let now):
      """
      its signature by the key \(key) is of \(CatalogError.shown(date)), and now it is \
      \(CatalogError.shown(now)); check the clock here, and then the source
      """
    case .keyring(let problem): "the keyring \(problem)"
    case .refused(let words):
      """
      gpgv doesn't take its signature for good (it says: \(words)): it was changed after it was \
      signed, or the keyring lacks the signer's key; check both
      """
    }
  }
}

extension SignatureProblem {
  private static func words(_ keys: [String]) -> String {
    let shown = keys.prefix(4).joined(separator: ", ")
    return (keys.count == 1 ? "the key " : "the keys ") + shown + (keys.count > 4 ? ", …" : "")
  }
}

/// Why a file is no keyring.
public enum KeyringProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// It can't be read.
  case unreadable
  /// It is empty, or a text without the armour of public keys: something else, or a private key.
  case noKeys
  /// The armour of its keys isn't whole.
  case damaged

  /// What is wrong and what to do, as the end of a sentence that named the file.
  public var description: String {
    switch self {
    case .unreadable: "can't be read; check its name and its rights"
    case .noKeys:
      "holds no public keys; export them with gpg, armoured or not"
    case .damaged:
      "is armoured, and its armour isn't whole; fetch it again, or have gpg take off the armour"
    }
  }
}
