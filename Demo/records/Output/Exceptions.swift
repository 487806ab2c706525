import Console
import RecordSync

/// What of a payload the tables don't have as it came, though no row was refused.
struct Exceptions {
  /// A part of a sentence for each kind of it; empty where all is as it came.
  let words: [String]

  init(_ report: RecordReport) {
    let tables = report.tables.values
    let count = { (one: (TableReport) -> Int) in tables.reduce(0) { $0 + one($1) } }
    let kinds: [(count: Int, noun: String, one: String, several: String)] = [
      (
        count { $0.mismatched.count }, "value", "that its column can't hold",
        "that their columns can't hold"
      ),
      (count { $0.unknown.count }, "member", "that nothing takes", "that nothing takes"),
      (count { $0.skipped }, "object", "without a usable key", "without usable keys"),
      (
        count { $0.unresolved.count }, "reference", "that leads nowhere", "that lead nowhere"
      ),
      (
        count { $0.keptEdits.count + $0.stayed.count }, "row", "that stays as it is",
        "that stay as they are"
      ),
      (
        count { $0.twins.count }, "key", "that several rows share", "that several rows share each"
      ),
    ]
    words = kinds.filter { $0.count > 0 }.map { kind in
      "\(Amounts.count(kind.count, kind.noun)) \(kind.count == 1 ? kind.one : kind.several)"
    }
  }
}
