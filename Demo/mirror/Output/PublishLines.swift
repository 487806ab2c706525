import CatalogMirror
import CatalogPublishing
import Console

enum PublishLines {
  /// - Parameter isBaseKnown: Whether it was said where the files are.
  static func lines(of report: PublishReport, isBaseKnown: Bool) -> [String] {
    let previews = report.previews > 0 ? ", \(Amounts.count(report.previews, "preview"))" : ""
    let what =
      Amounts.count(report.entries, "entry", "entries") + previews
      + ", \(Amounts.bytes(report.bytes)); \(report.hashed) hashed"
    let first =
      report.wasReplaced ? "published: \(what)" : "unchanged: the folder has nothing new (\(what))"
    let known = [first] + lines(of: report.packs) + signed(of: report)
    guard !isBaseKnown, let base = report.base else { return known }
    return known + [
      "clients look for the files at \(base), seen from the catalog: serve both as they lie"
    ]
  }

  /// What to know of files that somebody may not mean to publish, a line each.
  static func remarks(on report: PublishReport) -> [String] {
    report.formerCatalogs.map {
      "'\($0)' is a catalog that was published here, and an entry like any other file; who goes by"
        + " it may see nothing new. If nobody publishes it any more, remove it"
    } + (report.packs?.hasNoID == true ? [hasNoID] : [])
  }

  private static let hasNoID = """
    no pack can be added to this catalog, as each has a number of its own, and they have run out: \
    files that aren't packed come one by one. Publish the catalog under another name
    """

  private static func signed(of report: PublishReport) -> [String] {
    let keys = report.signedBy
    guard !keys.isEmpty else { return [] }
    let end = report.expires.map { ", and may be taken until \(Moments.text(Double($0)))" } ?? ""
    let words = keys.count == 1 ? "the key" : "the keys"
    return ["signed by \(words) \(keys.joined(separator: ", "))\(end)"]
  }

  private static func lines(of packs: PublishReport.Packs?) -> [String] {
    guard let packs else { return [] }
    var parts = [
      """
      \(Amounts.count(packs.files, "small file")) in \(Amounts.count(packs.named, "pack")) in \
      \(packs.directory)
      """
    ]
    if packs.written > 0 {
      parts.append("\(packs.written) written, \(Amounts.bytes(packs.writtenBytes))")
    }
    if packs.removed > 0 { parts.append("\(packs.removed) removed") }
    if packs.waiting > 0 { parts.append("\(Amounts.count(packs.waiting, "file")) not packed yet") }
    if packs.withheld > 0 {
      parts.append("\(Amounts.count(packs.withheld, "file")) not packed, as not all may read them")
    }
    return [parts.joined(separator: "; ")]
  }

  static func write(_ report: PublishReport) {
    JSONLine.write("published") { line in
      line.add("entries", report.entries)
      line.add("previews", report.previews)
      line.add("bytes", report.bytes)
      line.add("hashed", report.hashed)
      line.add("replaced", report.wasReplaced)
      line.add("base", report.base ?? "")
      if !report.signedBy.isEmpty { line.add("signedBy", report.signedBy) }
      if let end = report.expires { line.addDate("expires", Double(end)) }
      line.add("formerCatalogs", report.formerCatalogs)
      if let packs = report.packs {
        line.object("packs") { line in
          line.add("directory", packs.directory)
          line.add("named", packs.named)
          line.add("files", packs.files)
          line.add("waiting", packs.waiting)
          line.add("withheld", packs.withheld)
          line.add("written", packs.written)
          line.add("writtenBytes", packs.writtenBytes)
          line.add("removed", packs.removed)
        }
      }
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
