import CatalogMirror
import Console

/// What went wrong, for people: the first failures, and how many more there are.
enum FailureLines {
  /// How many are named one by one.
  static let mostNamed = 20
  /// How many are listed in an object of JSON.
  static let mostListed = 1_000

  /// The lines of a report. What made the run fail as a whole is always among them.
  static func lines(of report: MirrorReport) -> [String] {
    let items = report.failures.filter { $0.key != nil }.prefix(mostNamed)
    let whole = report.failures.filter { $0.key == nil }
    let heldBack = items.count { $0.kind == .heldBack }
    return items.map(\.line)
      + rest(report.failed - report.heldBack - (items.count - heldBack))
      + rest(report.heldBack - heldBack, "held back, too") + whole.map(\.line)
  }

  static func lines(of found: MirrorVerification) -> [String] {
    let named = found.problems.prefix(mostNamed)
    return named.map { "mirror: \($0.key ?? ""): \($0.told)" }
      + rest(found.problems.count - named.count)
  }

  /// The first reasons of many, and how many more there are.
  static func first(of reasons: [PartialReason]) -> [String] {
    let count = reasons.count - mostNamed
    return reasons.prefix(mostNamed).map(\.told)
      + (count > 0 ? ["there are \(count) more reasons."] : [])
  }

  /// Failures that one sentence tells of, and what they are of.
  struct Group {
    var sentence: String
    var keys: [String]

    /// The first three of what they are of, and how many more there are.
    var named: String {
      let more = keys.count - 3
      return keys.prefix(3).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }
  }

  /// Failures by their sentences, in the order of the first of each.
  static func groups(
    of failures: [MirrorReport.Failure], by sentence: (MirrorReport.Failure) -> String
  ) -> [Group] {
    var groups: [Group] = []
    var places: [String: Int] = [:]
    for failure in failures {
      let (told, key) = (sentence(failure), failure.key ?? "")
      if let place = places[told] {
        groups[place].keys.append(key)
      } else {
        places[told] = groups.count
        groups.append(Group(sentence: told, keys: [key]))
      }
    }
    return groups
  }

  private static func rest(_ count: Int, _ what: String = "failed") -> [String] {
    count > 0 ? ["mirror: \(count) more \(what)."] : []
  }
}

extension MirrorReport.Failure {
  var line: String {
    let subject = key.map { $0.isEmpty ? "" : "\($0): " } ?? ""
    return Sentence.ending("mirror: \(subject)\(told)")
  }
}
