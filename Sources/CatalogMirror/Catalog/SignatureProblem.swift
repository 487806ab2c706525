/// Why a catalog isn't believed to be signed.
public enum SignatureProblem: Error, Hashable, Sendable {
  /// It bears no signature.
  case none
  /// The program that checks signatures can't be started; why.
  case noProgram(String)
  /// The program says no, in these words.
  case refused(String)
}

extension SignatureProblem: CustomStringConvertible {
  /// What is wrong and what to do, as the end of a sentence.
  public var description: String {
    switch self {
    case .none:
      """
      it isn't signed, and a keyring is given to check it by; check the address, or leave the \
      keyring out
      """
    case .noProgram(let reason):
      "the program gpgv, which checks signatures, can't be started (\(reason)); install it"
    case .refused(let words):
      """
      none of the keyring's keys has signed it (gpgv says: \(words)); check the keyring, and the \
      place where the catalog is published
      """
    }
  }
}
