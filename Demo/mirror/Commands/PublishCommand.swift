import CatalogMirror
import CatalogPublishing
import Console

/// `mirror publish DIR`
struct PublishCommand {
  private let publishing: PublishOptions
  private let style: Invocation.Style
  private let reporter: any Reporter

  init(_ invocation: Invocation) {
    publishing = invocation.publishing
    style = invocation.style
    reporter = invocation.reporter
  }

  /// Publishes; with `--watch` until a signal ends it, and SIGHUP has it published once more.
  func run(_ interruption: Interruption.State) async throws -> ExitStatus {
    // What lies in a mirror's own folder is that mirror's, and goes in time.
    for folder in [publishing.directory, options.directory].compactMap({ $0 }) {
      try FolderMirror.requireOutsideMirrors(folder)
    }
    let writer = CatalogWriter(folder: publishing.directory, options: options)
    do {
      if publishing.watches {
        try await watch(writer, interruption)
      } else {
        show(try await publish(by: writer))
      }
      return .done
    } catch is CancellationError where publishing.watches {
      return .cancelled  // that is how a watch ends, and nothing is left to go on with
    } catch PublishError.badOption(let problem) {
      throw UsageError("\(problem.option): \(problem)\(problem.advice)")
    }
  }

  private func watch(
    _ writer: CatalogWriter, _ interruption: Interruption.State
  ) async throws {
    let (trigger, isAskedFor) = (PublishTrigger(), Locked(false))
    let remarks = Locked<Set<String>>([])
    interruption.onHangup {
      isAskedFor.withLock { $0 = true }
      trigger.publish()
    }
    try await writer.watch(trigger: trigger) { told in
      let wasAskedFor = isAskedFor.withLock { isAskedFor in
        defer { isAskedFor = false }
        return isAskedFor
      }
      switch told {
      case .success(let report):
        guard report.wasReplaced || wasAskedFor else { return }
        show(report) { remark in remarks.withLock { $0.insert(remark).inserted } }
      case .failure(let error): Streams.complain(error)
      }
    }
  }

  private func publish(by writer: CatalogWriter) async throws -> PublishReport {
    let progress = Locked(MirrorProgress(publishing: nil))
    return try await showing(by: reporter, { progress.withLock { $0 } }) {
      try await writer.publish(
        progress: { told in progress.withLock { $0 = MirrorProgress(publishing: told) } },
        waits: { Streams.error("mirror: \(Summary.line(forWaitingFor: $0, "catalog")).") })
    }
  }

  private var options: CatalogWriter.Options {
    var options = CatalogWriter.Options()
    options.title = publishing.title
    options.base = publishing.base
    options.previews = publishing.previews
    options.signKeys = publishing.signKeys
    options.acceptsUnsigned = publishing.acceptsUnsigned
    options.expires = publishing.expires
    options.packs = publishing.packs
    if let time = publishing.keepPacks { options.keepPacks = time }
    options.rehashes = publishing.rehashes
    options.waitsForLock = publishing.waits
    guard let output = publishing.output else { return options }
    // A name alone is one in the folder; anything else is a path as a person sees it.
    if output.contains("/") {
      let path = URL(fileURLWithPath: output)
      options.directory = path.deletingLastPathComponent().path
      options.fileName = output.hasSuffix("/") ? "" : path.lastPathComponent
    } else {
      options.fileName = output
    }
    return options
  }

  /// - Parameter isNew: Whether a remark is to be made, of those that are true again and again.
  private func show(_ report: PublishReport, isNew: (String) -> Bool = { _ in true }) {
    Streams.endLive()
    if let reason = report.unremembered {
      Streams.complain(
        """
        what was hashed couldn't be kept beside the catalog (\(reason)), so that everything is \
        hashed again next time
        """)
    }
    if let packs = report.packs, let reason = packs.unremoved {
      Streams.complain(
        """
        packs in '\(packs.directory)' that the catalog needs no longer couldn't be removed \
        (\(reason)); the next time it is tried again
        """)
    }
    let lines = PublishLines.lines(of: report, isBaseKnown: publishing.base != nil)
    switch style {
    case .people:
      for skipped in report.skipped.map({ "\($0)" }) where isNew(skipped) {
        Streams.error("mirror: \(skipped)")
      }
      for remark in PublishLines.remarks(on: report) where isNew(remark) {
        Streams.complain(remark)
      }
      for line in lines { Streams.out(line) }
    case .json: PublishLines.write(report)
    case .quiet: break
    }
    for line in report.skipped.map(\.description) + lines { Streams.log(line) }
  }
}

extension PublishError.BadOption {
  /// The option that allows it all the same, behind the sentence.
  fileprivate var advice: String {
    if case .signKeyMissing = self { " (--unsigned)" } else { "" }
  }

  fileprivate var option: String {
    switch self {
    case .fileName, .occupied: "--output"
    case .base, .baseMissing: "--base"
    case .previews, .previewsMissing, .previewsNoDirectory: "--previews"
    case .signKey, .signKeyMissing, .tooManySignKeys: "--sign-key"
    case .unsignedAndSigned: "--unsigned"
    case .expiresUnsigned: "--expires"
    case .packsOccupied, .packsBesideNothing: "--packs"
    }
  }
}
