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
    var options = CatalogWriter.Options()
    options.title = publishing.title
    options.base = publishing.base
    options.previews = publishing.previews
    if let output = publishing.output { options.fileName = try fileName(of: output) }
    let writer = CatalogWriter(folder: publishing.directory, options: options)
    let report = try await DispatchDiskQueue().runStoppably { try writer.write(until: $0) }
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
    switch style {
    case .people:
      for skipped in report.skipped { Streams.error("mirror: \(skipped)") }
      let previews = report.previews > 0 ? ", \(Amounts.count(report.previews, "preview"))" : ""
      let what = "\(Amounts.count(report.entries, "entry", "entries"))\(previews)"
      let state = report.wasReplaced ? "published" : "unchanged"
      Streams.out("\(state): \(what), \(Amounts.bytes(report.bytes))")
    case .json:
      JSONLine.write("published") { line in
        line.add("entries", report.entries)
        line.add("previews", report.previews)
        line.add("bytes", report.bytes)
        line.add("replaced", report.wasReplaced)
        line.array("skipped") { list in
          for skipped in report.skipped {
            list.object {
              $0.add("name", skipped.name); $0.add("reason", "\(skipped)")
            }
          }
        }
      }
    case .quiet: break
    }
  }
}
