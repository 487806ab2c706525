import CatalogMirror
import Console
import Foundation
import SyncFiles
import SyncLock

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

  func run() async throws -> ExitStatus {
    var options = CatalogWriter.Options()
    options.title = publishing.title
    options.base = publishing.base
    options.previews = publishing.previews
    if let output = publishing.output { options.fileName = try fileName(of: output) }
    let writer = CatalogWriter(folder: publishing.directory, options: options)
    let progress = Locked(MirrorProgress(publishing: nil))
    let report = try await showing(by: reporter, { progress.withLock { $0 } }) {
      try await DispatchDiskQueue().runStoppably { stop in
        try writer.write(until: stop) { told in
          progress.withLock { $0 = MirrorProgress(publishing: told) }
        }
      }
    }
    show(report)
    return .done
  }

  /// The catalog lies in the folder that it speaks of; its path may be given as a person sees it.
  private func fileName(of output: String) throws -> String {
    guard output.contains("/") else { return output }
    let path = URL(fileURLWithPath: output).standardizedFileURL
    let folder = URL(fileURLWithPath: publishing.directory).standardizedFileURL
    guard path.deletingLastPathComponent().path == folder.path else {
      throw UsageError(
        "--output: '\(output)' doesn't lie in '\(publishing.directory)'; "
          + "the catalog has to be in the folder that it speaks of")
    }
    return path.lastPathComponent
  }

  private func show(_ report: PublishReport) {
    Streams.endLive()
    let line = Self.summary(of: report)
    switch style {
    case .people:
      for skipped in report.skipped { Streams.error("mirror: \(skipped)") }
      Streams.out(line)
    case .json: write(report)
    case .quiet: break
    }
    for skipped in report.skipped { Streams.log("\(skipped)") }
    Streams.log(line)
  }

  private static func summary(of report: PublishReport) -> String {
    let previews = report.previews > 0 ? ", \(Amounts.count(report.previews, "preview"))" : ""
    let what =
      Amounts.count(report.entries, "entry", "entries") + previews
      + ", \(Amounts.bytes(report.bytes))"
    return report.wasReplaced
      ? "published: \(what)" : "unchanged: the folder has nothing new (\(what))"
  }

  private func write(_ report: PublishReport) {
    JSONLine.write("published") { line in
      line.add("entries", report.entries)
      line.add("previews", report.previews)
      line.add("bytes", report.bytes)
      line.add("replaced", report.wasReplaced)
      line.array("skipped") { list in
        for skipped in report.skipped {
          list.object { entry in
            entry.add("name", skipped.name)
            entry.add("reason", "\(skipped)")
          }
        }
      }
    }
  }
}
