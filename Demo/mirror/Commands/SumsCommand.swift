import CatalogMirror
import Console

/// `mirror sums FOLDER`
struct SumsCommand {
  private let mirror: FolderMirror
  private let style: Invocation.Style
  private let folder: String
  private let output: String?

  init(_ invocation: Invocation) {
    mirror = FolderMirror(invocation.mirror)
    style = invocation.style
    folder = invocation.mirror.folder
    output = invocation.sumsOutput
  }

  func run() async throws -> ExitStatus {
    let text = Locked<[UInt8]>([])
    let sums = try await mirror.sums(at: output.flatMap(key)) { [style, output] sums in
      if output != nil { text.withLock { $0 += Self.text(of: sums) } }
      await Streams.telling { Self.tell(sums, style, isWritten: output != nil) }
    }
    guard sums.isMirror else {
      Streams.complain("'\(folder)' is no mirror yet; 'mirror sync' makes it one")
      return .failed
    }
    if let output {
      guard !sums.isInTheWay else {
        Streams.complain("'\(output.escaped)' belongs to the mirror; name another file")
        return .usage
      }
      try await OutputQueue().run { isCancelled in
        try OutputFile(output).write(text.withLock { $0 }) {
          OutputFile.isHopeless($0) || isCancelled()
        }
      }
    }
    return await Streams.telling { end(sums) }
  }

  /// The key of a file in the folder; `nil` for one elsewhere.
  private func key(of path: String) -> String? {
    guard let names = OutputFile(path).names, let above = OutputFile(folder).names,
      names.starts(with: above), names.count > above.count
    else { return nil }
    return names.dropFirst(above.count).joined(separator: "/")
  }

  private static func text(of sums: [MirrorSums.Sum]) -> [UInt8] {
    Array(sums.compactMap(\.line).map { $0 + "\n" }.joined().utf8)
  }

  /// Tells of some files, as they come; of those that were written, only what no list holds.
  private static func tell(
    _ sums: [MirrorSums.Sum], _ style: Invocation.Style, isWritten: Bool
  ) {
    guard style == .json else {
      if !isWritten { Streams.outPiece(text(of: sums)) }
      return
    }
    for sum in sums where !isWritten || sum.sha256 == nil {
      JSONLine.write("sum") { line in
        line.add("key", "\(sum.key)")
        if let sha256 = sum.sha256 { line.add("sha256", "\(sha256)") }
      }
    }
  }

  private func end(_ sums: MirrorSums) -> ExitStatus {
    if style == .json {
      JSONLine.write("sums") { line in
        line.add("files", sums.files)
        line.add("undigested", sums.undigested)
      }
    } else if output != nil, style == .people {
      Streams.out("written: the digests of \(Amounts.count(sums.files, "file"))")
    }
    guard let first = sums.firstUndigested else { return .done }
    Streams.error(
      """
      no SHA-256 is known of \(Amounts.count(sums.undigested, "file")), as \
      \(sums.undigested == 1 ? "it was" : "they were") adopted by size and date: \(first)\
      \(sums.undigested == 1 ? "" : " and others (--json names all)"). 'mirror verify FOLDER \
      --repair' reads them and records it.
      """)
    return .someFailed
  }
}
