import CatalogMirror
import Console

/// `mirror restore FOLDER [KEY…]`
struct RestoreCommand {
  private let mirror: FolderMirror
  private let options: RestoreOptions
  private let folder: String
  private let style: Invocation.Style

  init(_ invocation: Invocation) {
    mirror = FolderMirror(invocation.mirror)
    options = invocation.restoring
    folder = invocation.mirror.folder
    style = invocation.style
  }

  func run() async throws -> ExitStatus {
    let files: [MirrorRestorable]
    do {
      files = try await mirror.restorable()
    } catch MirrorError.folder(let error) where error.code == .notAMirror {
      // What else could be said of it helps only who syncs.
      Streams.complain("'\(folder)' is no mirror, and so nothing can be brought back to it")
      return .failed
    }
    guard let selection = options.selection else {
      return await Streams.telling { list(files) }
    }
    let choice = selection.choose(from: files)
    let restoration = try await mirror.restore(choice.files, copyingTo: options.directory)
    return await Streams.telling { tell(restoration, choice) }
  }

  private func list(_ files: [MirrorRestorable]) -> ExitStatus {
    switch style {
    case .people: show(files)
    case .json:
      for file in files {
        JSONLine.write("restorable") { line in
          line.add("key", file.key)
          line.add("cause", file.cause.rawValue)
          line.add("run", file.batch)
          line.addDate("movedAt", file.movedAt)
          line.add("bytes", file.size)
        }
      }
      JSONLine.write("restorables") { line in
        line.add("files", files.count)
        line.add("bytes", files.reduce(Int64(0)) { $0 + $1.size })
      }
    case .quiet: break
    }
    return .done
  }

  private func show(_ files: [MirrorRestorable]) {
    let sizes = files.map { Amounts.bytes($0.size) }
    let width = sizes.map(\.count).max() ?? 0
    for (file, size) in zip(files, sizes) {
      let cause = file.cause == .removed ? "removed  " : "displaced"
      let blanks = String(repeating: " ", count: width - size.count)
      Streams.out("\(file.batch)  \(cause)  \(blanks)\(size)  \(file.key)")
    }
    if files.isEmpty {
      Streams.out("nothing lies in quarantine or among the displaced files")
    } else {
      Streams.out(
        """
        \(Amounts.count(files.count, "file")); 'mirror restore \(folder) KEY' brings one back, and \
        --all, --from RUN or --displaced several
        """)
    }
  }

  private func tell(
    _ restoration: MirrorRestoration, _ choice: RestoreSelection.Choice
  ) -> ExitStatus {
    for line in complaints(of: choice) { Streams.complain(line) }
    for failure in restoration.failures { Streams.error(failure.line) }
    let isMet = choice.unknown.isEmpty && choice.batchProblem == nil
    switch style {
    case .people where restoration.restored.isEmpty && !isMet: break
    case .people: show(restoration, choice)
    case .json: write(restoration, choice)
    case .quiet: break
    }
    if restoration.failures.isEmpty, isMet { return .done }
    return restoration.restored.isEmpty ? .failed : .someFailed
  }

  private func complaints(of choice: RestoreSelection.Choice) -> [String] {
    let run = options.batch ?? ""
    switch choice.batchProblem {
    case .unknown?:
      return ["nothing lies there from a run '\(run)'; 'mirror restore \(folder)' lists them"]
    case .otherCauses? where options.takesDisplaced:
      return ["the run '\(run)' displaced nothing that lies there; leave --displaced out"]
    case .otherCauses?:
      return ["what lies there from the run '\(run)' was displaced; say --displaced, too"]
    case nil:
      return choice.unknown.map {
        "'\($0)' doesn't lie there; 'mirror restore \(folder)' lists what does"
      }
    }
  }

  private func show(_ restoration: MirrorRestoration, _ choice: RestoreSelection.Choice) {
    for file in restoration.restored where file.place != file.key {
      Streams.out("\(file.key) is now \(file.place), since something stands in its place")
    }
    let bytes = restoration.restored.reduce(Int64(0)) { $0 + $1.size }
    let verb = options.directory == nil ? "restored" : "copied"
    let count = Amounts.count(restoration.restored.count, "file")
    let older = choice.older > 0 ? "; \(choice.older) older of the same keys stay" : ""
    Streams.out("\(verb): \(count), \(Amounts.bytes(bytes))\(older)")
  }

  private func write(_ restoration: MirrorRestoration, _ choice: RestoreSelection.Choice) {
    for file in restoration.restored {
      JSONLine.write("restored") { line in
        line.add("key", file.key)
        line.add("to", file.place)
        line.add("bytes", file.size)
      }
    }
    JSONLine.write("restoration") { line in
      line.add("restored", restoration.restored.count)
      line.add("copied", options.directory != nil)
      line.add("older", choice.older)
      line.add("unknown", choice.unknown)
      line.addFailures("failures", restoration.failures.map { ($0.key, $0.told) })
    }
  }
}
