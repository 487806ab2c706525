import CatalogMirror
import Console

/// How the last runs of all mirrors went, as Prometheus reads it.
struct MirrorMetrics: Equatable {
  /// The last run of one mirror, and the last one that went well.
  struct Row: Equatable {
    var values: [Family: Double] = [:]
    var outcome = ""
  }

  /// Each number that is told, but for the outcome.
  enum Family: String, CaseIterable {
    case success = "mirror_last_success_timestamp_seconds"
    case run = "mirror_last_run_timestamp_seconds"
    case duration = "mirror_last_run_duration_seconds"
    case items = "mirror_last_run_items"
    case bytes = "mirror_last_run_fetched_bytes"
    case copied = "mirror_last_run_copied_bytes"
    case packed = "mirror_last_run_packed_files"
    case packRequests = "mirror_last_run_pack_requests"
    case changed = "mirror_last_run_changed_items"
    case removed = "mirror_last_run_removed_items"
    case failures = "mirror_last_run_failed_items"
    case flaws = "mirror_last_run_known_flaws"
    case unread = "mirror_last_run_unread_directories"
    case source = "mirror_source_modified_timestamp_seconds"

    var help: String {
      switch self {
      case .success: "When the last run that went well ended."
      case .run: "When the last run ended."
      case .duration: "How long the last run took."
      case .items: "Items in the listing, as the last run that got one found it."
      case .bytes: "Bytes that the last run fetched."
      case .copied: "Bytes that the last run took from files that it had, and didn't fetch."
      case .packed: "Files that the last run fetched many with a request, in packs."
      case .packRequests: "Requests of the last run that brought many files each."
      case .changed: "Items that the last run added, updated or repaired."
      case .removed: "Items that the last run removed."
      case .failures: "Items that failed in the last run."
      case .flaws: "Items that couldn't be had of the source, as in the run before."
      case .unread: "Directories of the listing that the last run couldn't read."
      case .source: "When the catalog was modified, as its server says."
      }
    }
  }

  private static let outcomeName = "mirror_last_run_outcome"
  private static let outcomeHelp = "How the last run ended: 1 for the outcome that it had."
  private static let outcomes = [
    "done", "some failed", "failed", "refused", "locked", "cancelled",
    MirrorReport.Outcome.outOfTime,
  ]

  private(set) var rows: [String: Row] = [:]

  init() {}

  /// What a file says that was written before; `nil` where something else is in it.
  init?(_ families: [MetricFamily]) {
    for family in families {
      for sample in family.samples {
        guard let name = sample["mirror"] else { return nil }
        if let known = Family(rawValue: family.name) {
          rows[name, default: Row()].values[known] = sample.value
        } else if family.name == Self.outcomeName, let outcome = sample["outcome"] {
          if sample.value == 1 { rows[name, default: Row()].outcome = outcome }
        } else {
          return nil
        }
      }
    }
  }

  mutating func note(_ name: String, _ end: RunEnd) {
    var values = rows[name]?.values ?? [:]
    let endedAt = (end.startedAt + end.duration / .seconds(1)).rounded()
    values[.run] = endedAt
    if end.status == .done { values[.success] = endedAt }
    values[.duration] = (end.duration / .milliseconds(1)).rounded() / 1_000
    let report = end.report
    if let report { values[.items] = Double(report.listed) }
    values[.bytes] = Double(report?.bytes ?? 0)
    values[.copied] = Double(report?.copiedBytes ?? 0)
    values[.packed] = Double(report?.packed ?? 0)
    values[.packRequests] = Double(report?.packRequests ?? 0)
    values[.changed] = Double(
      (report?.added ?? 0) + (report?.updated ?? 0) + (report?.repaired ?? 0))
    values[.removed] = Double(report?.removed ?? 0)
    values[.failures] = Double(report?.failed ?? 0)
    values[.flaws] = Double(report?.flaws.count ?? 0)
    values[.unread] = Double(report?.unreadable.count ?? 0)
    if let modified = report?.sourceModified { values[.source] = modified }
    rows[name] = Row(values: values, outcome: end.word)
  }

  mutating func keep(_ names: Set<String>) {
    rows = rows.filter { names.contains($0.key) }
  }

  var text: String {
    let names = rows.keys.sorted()
    let families = Family.allCases.map { family in
      MetricFamily(
        family.rawValue, family.help,
        names.compactMap { name in
          rows[name]?.values[family].map { .init([.init("mirror", name)], $0) }
        })
    }
    let outcomes = MetricFamily(
      Self.outcomeName, Self.outcomeHelp,
      names.flatMap { name in
        Self.outcomes.map { outcome in
          .init(
            [.init("mirror", name), .init("outcome", outcome)],
            rows[name]?.outcome == outcome ? 1 : 0)
        }
      })
    return (families + [outcomes]).map(\.text).joined()
  }
}
