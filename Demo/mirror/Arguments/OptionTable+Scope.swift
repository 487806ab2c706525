import CatalogMirror
import Console

private typealias Option = Console.Option<Invocation>

extension Invocation {
  /// Together they are one list, of which the first that fits decides: a stronger place replaces
  /// all of it, or what a weaker one says would come first and win.
  private static let rules: Set = ["include", "exclude", "filter-from"]

  /// What is mirrored, and in which order.
  static let filters: [Console.Option<Invocation>] = [
    Option(
      "include", for: [.sync, .plan, .verify],
      "take in what fits; of several filters the first that fits decides", isRepeatable: true,
      rivals: rules,
      .value("PATTERN") {
        $0.mirror.scope.rules.append(.include(try Value.pattern($1)))
      }),
    Option(
      "exclude", for: [.sync, .plan, .verify], "leave out what fits", isRepeatable: true,
      rivals: rules,
      .value("PATTERN") {
        $0.mirror.scope.rules.append(.exclude(try Value.pattern($1)))
      }),
    Option(
      "filter-from", for: [.sync, .plan, .verify],
      "filters from a file, '+ PATTERN' or '- PATTERN' a line", isRepeatable: true,
      rivals: rules,
      .value("FILE") { $0.mirror.scope.rules += try Value.filters(inFile: $1) }),
    Option(
      "files-from", for: [.sync, .plan, .verify],
      "take in only these keys, one a line; directories with a slash at the end",
      .value("FILE") { $0.mirror.scope.names = try Value.names(inFile: $1) }),
    Option(
      "min-size", for: [.sync, .plan, .verify], "leave out what is smaller", standard: "no limit",
      .value("SIZE") { $0.mirror.scope.minimumSize = try Value.size($1) }),
    Option(
      "max-size", for: [.sync, .plan, .verify], "leave out what is larger", standard: "no limit",
      .value("SIZE") { $0.mirror.scope.maximumSize = try Value.size($1) }),
    Option(
      "max-age", for: [.sync, .plan, .verify], "leave out what was modified longer ago: 12h, 7d, …",
      standard: "no limit",
      .value("TIME") { $0.mirror.scope.maximumAge = try Value.duration($1) }),
    Option(
      "remove-excluded", for: [.sync, .plan],
      "remove what is held and left out now; without this it stays",
      .flag { $0.mirror.removesExcluded = true }),
    Option(
      "last", for: [.sync, .plan],
      "fetch what fits first, and place it last, when all else is there", isRepeatable: true,
      .value("PATTERN") { $0.mirror.last.append(try Value.pattern($1)) }),
    Option(
      "skip-failed", for: [.sync],
      "what was refused so in two runs and never held keeps no --last back: 403,404",
      .value("STATUSES") { $0.mirror.skippedStatuses = try Value.statuses($1) }),
  ]
}
