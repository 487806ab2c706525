import SyncPrograms
import SyncSystem
import SyncText

/// Checks signatures with the program `gpgv` (of GnuPG), which takes every key of a keyring for one
/// to be trusted.
struct SignatureCheck: Sendable {
  /// The file with the public keys.
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
    // Files without names: nobody can put other bytes in their place. The option is gpgv's own.
    let files = [signature, text].compactMap(\.self).map { ProgramRun.Argument.file($0) }
    let arguments = [.word("--" + "keyring"), .file(try keys())] + files
    let end: ProgramRun.End
    do throws(StartError) {
      end = try ProgramRun.run(Self.program, arguments, within: .seconds(60))
    } catch {
      throw .noProgram(error.reason)
    }
    switch end {
    case .ended(status: 0, _): return
    case .ended(_, let said): throw .refused(Self.words(in: said))
    case .overdue: throw .overdue
    }
  }

  private func keys() throws(SignatureProblem) -> [UInt8] {
    do throws(KeyringProblem) {
      return try Keyring(path: keyring).bytes
    } catch {
      throw .keyring(error)
    }
  }

  private static let program = "gpgv"

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
