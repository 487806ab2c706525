import CatalogMirror
import Console
import Foundation
import SyncFiles
import SyncFolder

/// `mirror publish DIR`
struct PublishCommand {
  private let publishing: PublishOptions
  private let style: Invocation.Style

  init(_ invocation: Invocation) {
    publishing = invocation.publishing
    style = invocation.style
  }

  func run() async throws -> ExitStatus {
    // What lies in a mirror's own folder is that mirror's, and goes in time.
    try MirrorFolder.requireOutsideMirrors(publishing.directory)
    let writer = CatalogWriter(folder: publishing.directory, options: options)
    do {
      if publishing.watches {
        try await writer.watch { told in
          switch told {
          case .success(let report): if report.wasReplaced { show(report) }
          case .failure(let error): Streams.complain(error)
          }
        }
      } else {
        show(try await DispatchDiskQueue().runStoppably { try writer.write(until: $0) })
      }
      return .done
    } catch PublishError.badOption(let problem) {
      throw UsageError("\(problem.option): \(problem)")
    }
  }

  private var options: CatalogWriter.Options {
    var options = CatalogWriter.Options()
    options.title = publishing.title
    options.base = publishing.base
    options.previews = publishing.previews
    options.rehashes = publishing.rehashes
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

  private func show(_ report: PublishReport) {
    if let reason = report.unremembered {
      Streams.error(
        """
        mirror: what was hashed couldn't be kept beside the catalog (\(reason)), so that everything \
        is hashed again next time.
        """)
    }
    switch style {
    case .people: tell(report)
    case .json: write(report)
    case .quiet: break
    }
  }

  private func tell(_ report: PublishReport) {
    for skipped in report.skipped { Streams.error("mirror: \(skipped)") }
    let previews = report.previews > 0 ? ", \(Amounts.count(report.previews, "preview"))" : ""
    let what = "\(Amounts.count(report.entries, "entry", "entries"))\(previews)"
    let state = report.wasReplaced ? "published" : "unchanged"
    Streams.out("\(state): \(what), \(Amounts.bytes(report.bytes)); \(report.hashed) hashed")
    if publishing.base == nil, let base = report.base {
      Streams.out(
        "the catalog says that the files are at \(base) from itself: serve both as they lie")
    }
  }

  private func write(_ report: PublishReport) {
    JSONLine.write("published") { line in
      line.add("entries", report.entries)
      line.add("previews", report.previews)
      line.add("bytes", report.bytes)
      line.add("hashed", report.hashed)
      line.add("replaced", report.wasReplaced)
      line.add("base", report.base ?? "")
      line.array("skipped") { list in
        for skipped in report.skipped {
          list.object {
            $0.add("name", skipped.name)
            $0.add("reason", "\(skipped)")
          }
        }
      }
    }
  }
}

extension PublishError.BadOption {
  /// How it is said on the command line.
  fileprivate var option: String {
    switch self {
    case .fileName: "--output"
    case .base, .baseMissing: "--base"
    case .previews, .previewsMissing, .previewsNoDirectory: "--previews"
    }
  }
}
