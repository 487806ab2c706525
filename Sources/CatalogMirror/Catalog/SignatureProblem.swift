/// Why a catalog isn't believed to be signed.
public enum SignatureProblem: Hashable, Sendable, CustomStringConvertible {
  /// It bears no signature.
  case none
  /// Nothing in its format bears one.
  case unsignable
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
      it isn't signed, and a keyring is given to check it by; check the address, or leave the \
      keyring out
      """
    case .unsignable:
      """
      lists in its format bear no signatures, and a keyring is given to check it by; of a Debian \
      repository, give the address of a suite and name the format '\(CatalogFormatName.debian)'; \
      else leave the keyring out
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
