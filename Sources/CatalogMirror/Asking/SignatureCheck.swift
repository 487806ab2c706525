import SyncFiles
import SyncPrograms
import SyncSystem
import SyncText

/// Checks signatures with the program `gpgv` (of GnuPG), which takes every key of a keyring for one
/// to be trusted.
struct SignatureCheck: Sendable {
  /// The file with the public keys.
  let keyring: String

  /// The date, in seconds since 1970.
  let now: Double

  /// The name of the program, or its path. Default: `gpgv`.
  var program = "gpgv"

  /// Makes sure that a text is signed by a key of the keyring: within itself, or by a signature
  /// beside it. Waits on a thread of its own, and not for long once the task is cancelled.
  /// - Throws: ``SignatureProblem``, or `CancellationError`.
  func check(_ text: [UInt8], signature: [UInt8]?) async throws {
    let stop = StopFlag()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { ended in
        SystemThread.start {
          ended.resume(with: Result { try run(text, signature, until: stop) })
        }
      }
    } onCancel: {
      stop.raise()
    }
  }

  private func run(_ text: [UInt8], _ signature: [UInt8]?, until stop: StopFlag) throws {
    // Files without names: nobody can put other bytes in their place. The options are gpgv's own.
    let files = [signature, text].compactMap(\.self).map { ProgramRun.Argument.file($0) }
    let arguments =
      [.word("--" + "status-fd"), .word("1"), .word("--" + "keyring"), .file(try keys())] + files
    let (end, status): (ProgramRun.End, [UInt8])
    do throws(StartError) {
      let output = try NamelessFile()
      defer { output.close() }
      end = try ProgramRun.run(
        program, arguments, within: .seconds(60), until: stop, output: output)
      status = output.bytes(atMost: SignatureStatus.longest)
    } catch {
      throw SignatureProblem.noProgram(error.reason)
    }
    switch end {
    // The status is that of all signatures, and one of them suffices.
    case .ended(_, let said):
      let verdict = SignatureStatus(status).verdict(at: now)
      if case .failure(let doubt) = verdict { throw SignatureProblem.doubtful(doubt) }
      guard case .success(true) = verdict else {
        throw SignatureProblem.refused(Self.words(in: said))
      }
    case .killed(let signal): throw SignatureProblem.killed(by: signal)
    case .overdue: throw SignatureProblem.overdue
    case .stopped: throw CancellationError()
    case .lost: throw SignatureProblem.lost
    }
  }

  private func keys() throws(SignatureProblem) -> [UInt8] {
    do throws(KeyringProblem) {
      return try Keyring(path: keyring).bytes
    } catch {
      throw .keyring(error)
    }
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
