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
    let sums = try await mirror.sums()
    guard sums.isMirror else {
      Streams.complain("'\(folder)' is no mirror yet; 'mirror sync' makes it one")
      return .failed
    }
    if let output {
      if let key = key(of: output),
        key.split(separator: "/").first == ".mirror" || sums.hasItem(key)
      {
        Streams.complain("'\(output.escaped)' belongs to the mirror; name another file")
        return .usage
      }
      let text = sums.files.map { $0.line + "\n" }.joined()
      try await OutputQueue().run { isCancelled in
        try OutputFile(output).write(Array(text.utf8)) {
          OutputFile.isHopeless($0) || isCancelled()
        }
      }
    }
    return await Streams.telling { tell(sums) }
  }

  /// The key of a file in the folder; `nil` for one elsewhere.
  private func key(of path: String) -> String? {
    guard let names = OutputFile(path).names, let above = OutputFile(folder).names,
      names.starts(with: above), names.count > above.count
    else { return nil }
    return names.dropFirst(above.count).joined(separator: "/")
  }

  private func tell(_ sums: MirrorSums) -> ExitStatus {
    if style == .json {
      write(sums)
    } else if output == nil {
      Streams.outLines { tell in for file in sums.files { tell(file.line) } }
    } else if style == .people {
      Streams.out("written: the digests of \(Amounts.count(sums.files.count, "file"))")
    }
    for key in sums.undigested {
      Streams.error(
        """
        \(key): no SHA-256 is known, as it was adopted by its size and date; move it away and \
        sync, and it comes with one
        """)
    }
    return sums.undigested.isEmpty ? .done : .someFailed
  }

  private func write(_ sums: MirrorSums) {
    if output == nil {
      for file in sums.files {
        JSONLine.write("sum") { line in
          line.add("key", "\(file.key)")
          line.add("sha256", "\(file.sha256)")
        }
      }
    }
    JSONLine.write("sums") { line in
      line.add("files", sums.files.count)
      line.add("undigested", sums.undigested)
    }
  }
}
