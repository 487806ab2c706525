import CatalogMirror
import Console

enum ScopeLines {
  /// That they aren't those of the last run, and what that means; `nil` when they are.
  static func line(isNew: Bool, outside: Int) -> String? {
    guard isNew else { return nil }
    guard outside > 0 else { return "the filters changed since the last run" }
    let items = Amounts.count(outside, "item")
    return outside == 1
      ? "the filters changed: 1 item that is held lies outside now, and stays (--remove-excluded)"
      : "the filters changed: \(items) that are held lie outside now, and stay (--remove-excluded)"
  }

  static func lines(of plan: MirrorPlan) -> [String] {
    plan.leftOutCounts.map { reason, items, directories in
      var counted: [String] = []
      if items > 0 { counted.append(Amounts.count(items, "item")) }
      if directories > 0 {
        counted.append(Amounts.count(directories, "directory", "directories"))
      }
      return "leaves out \(counted.joined(separator: " and ")): \(reason)"
    }
  }

  static func write(_ plan: MirrorPlan, to elements: inout JSONElements) {
    for (reason, items, directories) in plan.leftOutCounts {
      elements.object { line in
        line.add("reason", "\(reason)")
        line.add("items", items)
        line.add("directories", directories)
      }
    }
  }
}
