import SyncSystem
import SyncText

/// Checks signatures with the program `gpgv` (of GnuPG), which takes every key of a keyring for one
/// to be trusted.
struct SignatureCheck: Sendable {
  /// The file with the public keys, as `gpg --export` writes it.
  let keyring: String

  /// Makes sure that a text is signed by a key of the keyring: within itself, or by a signature
  /// beside it. Waits on a thread of its own.
  func check(_ text: [UInt8], signature: [UInt8]?) async throws(SignatureProblem) {
    let result: Result<Void, SignatureProblem> = await withCheckedContinuation { ended in
      SystemThread.start {
        ended.resume(
          returning: Result { () throws(SignatureProblem) in try run(text, signature) })
      }
    }
    try result.get()
  }

  private func run(_ text: [UInt8], _ signature: [UInt8]?) throws(SignatureProblem) {
    let end: ProgramRun.End
    do throws(ProgramRun.Problem) {
      // Files without names: nobody can put other bytes in their place. The option is gpgv's own.
      let files = [signature, text].compactMap(\.self)
      end = try ProgramRun.run(["gpgv", "--" + "keyring", absoluteKeyring], reading: files)
    } catch {
      throw .noProgram(error.reason)
    }
    guard end.status == 0 else { throw .refused(Self.words(in: end.said)) }
  }

  /// A name without a slash would be looked for among the user's own keys.
  private var absoluteKeyring: String {
    keyring.contains("/") ? keyring : "./" + keyring
  }

  /// What the program says, each thing once, but for whose signature it looked at.
  static func words(in said: [UInt8]) -> String {
    let lines = String(decoding: said, as: UTF8.self).split(whereSeparator: \.isNewline)
      .map { $0.hasPrefix("gpgv: ") ? $0.dropFirst(6) : $0[...] }
      .filter { !$0.hasPrefix(" ") && !$0.lowercased().hasPrefix("signature made") }
    let once = lines.enumerated().filter { !lines[..<$0.offset].contains($0.element) }
    let words = String(once.map(\.element).joined(separator: "; ").prefix(300))
    return words.isEmpty ? "nothing" : ByteString.escape(words.utf8)
  }
}
