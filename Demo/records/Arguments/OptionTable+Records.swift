import Access
import Console
import RecordSync

private typealias Option = Console.Option<Invocation>

extension Invocation {
  static let options = OptionTable([
    OptionTable<Invocation>.Group("Payload and schema", payload),
    OptionTable.Group("Which rows", scope),
    OptionTable.Group("Access", access),
    OptionTable.Group("What may be done", doing),
    OptionTable.Group("Form", form),
    OptionTable.Group("Output", output),
  ])

  /// What compares a payload with a table.
  private static let comparing: Set<Command> = [.sync, .verify]
  /// What reports what it did, or would do.
  private static let reporting = comparing.union([.put, .update, .delete, .undo])

  private static let payload: [Option] = [
    Option(
      "items", for: comparing,
      """
      where in the body the objects are: data.users, data.edges[].node, or entities{} for the \
      values of an object, whose names become a member "key" of them (or another: users{login})
      """,
      standard: "the body itself",
      .value("PATH") { $0.syncing.items = try Value.path($1) }),
    Option(
      "csv", for: comparing, "the payload is a table in text, whatever its name ends with",
      standard: "for .csv and .tsv", rivals: ["items"],
      .value("comma|semicolon|tab") { $0.syncing.separator = try Value.separator($1) }),
    Option(
      "csv-null", for: comparing, "what stands for null in a table in text",
      rivals: ["items"], .value("TEXT") { $0.syncing.nullOfTable = $1 }),
    Option(
      "next", for: comparing,
      "where in a page the address of the next one is, or a link with its href: paging.next",
      rivals: pagers(but: "next"),
      .value("PATH") { $0.syncing.address.paging = .next(try Value.plainPath($1)) }),
    Option(
      "paging", for: comparing, "how the service pages its lists, and where its objects are",
      rivals: pagers(but: "paging"),
      .value(PagingPreset.all.map(\.name).joined(separator: "|")) {
        $0.syncing.preset = try Value.preset($1)
      }),
    Option(
      "cursor", for: comparing,
      "where in a page the value is that --cursor-param says in the next request: meta.cursor",
      rivals: pagers(but: "cursor"),
      .value("PATH") { $0.syncing.cursor = try Value.plainPath($1) }),
    Option(
      "cursor-param", for: comparing, "the parameter of the address for --cursor",
      .value("NAME") { $0.syncing.cursorParameter = try Value.oneLine($1) }),
    Option(
      "offset-param", for: comparing,
      "a parameter of the address that says how many objects came before, until none come",
      rivals: pagers(but: "offset-param"),
      .value("NAME") { $0.syncing.address.paging = .offset(parameter: try Value.oneLine($1)) }),
    Option(
      "page-param", for: comparing,
      "a parameter of the address that counts the pages, until none has objects",
      rivals: pagers(but: "page-param"),
      .value("NAME") { $0.syncing.address.paging = .page(parameter: try Value.oneLine($1)) }),
    Option(
      "since", for: [.sync],
      """
      ask only for what is new: the greatest value of this column is what --since-param says in \
      the request; no row is deleted for being absent. Only for a table that nothing else writes
      """,
      .value("COLUMN") { $0.syncing.since = try Value.oneLine($1) }),
    Option(
      "since-param", for: [.sync], "the parameter of the address for --since",
      .value("NAME") { $0.syncing.sinceParameter = try Value.oneLine($1) }),
    Option(
      "since-form", for: [.sync],
      "how --since writes what the column holds as a date: of a pattern, %Y-%m-%dT%H:%M:%S",
      standard: "rfc3339",
      .value("rfc3339|seconds|milliseconds|PATTERN") { $0.syncing.sinceForm = Value.dates($1) }),
    Option(
      "deleted", for: comparing,
      """
      what says that a row is gone: a member of its object that isn't empty, or is VALUE; or, with \
      [] behind it, an array of keys in the body: deletedAt, status=cancelled, deleted[]
      """,
      .value("PATH[=VALUE]") { $0.syncing.deleted = try Value.deleted($1) }),
    Option(
      "schema", for: everywhere,
      "what the tables' declarations don't tell, in JSON",
      .value("FILE") { $0.schemaFile = $1 }),
  ]

  /// The other options that say how pages hang together.
  private static func pagers(but name: String) -> Set<String> {
    Set(["next", "paging", "cursor", "offset-param", "page-param"]).subtracting([name])
  }

  private static let scope: [Option] = [
    Option(
      "where", for: comparing.union([.export, .get]),
      "only the rows for which this holds are spoken of; a ? stands for each --bind",
      standard: "all rows",
      .value("SQL") { $0.condition.sql = $1 }),
    Option(
      "bind", for: comparing.union([.export, .get]),
      "a value for the next ? of --where: a number, true, false, null, or a text",
      isRepeatable: true,
      .value("VALUE") { $0.condition.values.append(RecordValue(written: $1)) }),
    Option(
      "parent", for: comparing,
      "the payload speaks only of rows that hang on this one, and its rows are put there",
      .value("TABLE:KEY[:COLUMN]") { $0.syncing.parent = try ParentReference($1) }),
  ]

  private static let access: [Option] =
    AccessOptions.options(
      for: comparing, \.syncing.address.access, hosts: \.syncing.address.allowedHosts) + [
      Option(
        "retries", for: comparing, "how often a passing failure is tried again", standard: "5",
        .value("N") { $0.syncing.address.retries = try Value.count($1) })
    ]

  private static let doing: [Option] = [
    Option(
      "operations", for: comparing,
      "only these: insert, update, delete, insert-relations, update-relations, delete-relations",
      standard: "all", rivals: ["keep"],
      .value("LIST") {
        $0.syncing.operations = try Value.operations($1, besides: $0.syncing.operations)
      }),
    Option(
      "keep", for: comparing,
      "add and change, relations too; delete and unlink nothing", rivals: ["operations"],
      .flag { $0.syncing.operations = try Value.keep(besides: $0.syncing.operations) }),
    Option(
      "max-delete", for: [.sync],
      "how many rows may be deleted, of the table and of each relation below it",
      standard: "all; from an address half, and ten in any case",
      .value("N|P%|all") { $0.syncing.options.removalLimit = try Value.removalLimit($1) }),
    Option(
      "deleted-at", for: everywhere.subtracting([.undo]),
      """
      mark rows with the time, in this column of the tables that have it, in place of deleting \
      them; marked ones count as gone
      """,
      .value("COLUMN") { $0.deletedAt = try Value.oneLine($1) }),
    Option(
      "history", for: [.sync, .put, .update, .delete],
      "keep each version of a row that is written, in TABLE_history",
      .flag { $0.keepsHistory = true }),
    Option(
      "create", for: comparing,
      "make the file, tables and columns that the payload needs and that aren't there",
      .flag { $0.syncing.options.creates = true }),
    Option(
      "key", for: comparing,
      """
      by which of their members objects of the table are told apart, id or metadata.uid; several \
      together
      """,
      standard: "the table's own; of one that is made id, _id or uuid", isRepeatable: true,
      .value("PATH") { $0.key.append(try Value.key($1)) }),
    Option(
      "flatten", for: comparing,
      "with --create, how deep in objects members may stand that become columns", standard: "2",
      .value("N|all|none") { $0.syncing.options.flattens = try Value.depth($1) }),
    Option(
      "exact", for: comparing,
      "with --create, keep numbers of more digits than a double has as text",
      .flag { $0.syncing.options.keepsDigits = true }),
    Option(
      "strict", for: [.sync],
      """
      write nothing if the payload is a part, or anything is refused, skipped, unknown, \
      unresolved or of the wrong type; with --create, nor if objects of one key differ
      """,
      .flag { $0.syncing.options.isStrict = true }),
    Option(
      "plan", short: "n", for: [.sync], "show what would be done, and do nothing",
      .flag { $0.syncing.options.isPlan = true }),
    Option(
      "undo", for: [.sync],
      """
      keep in this file what takes the sync back, for 'records undo'; of a sync that changes \
      nothing, an earlier undo stays there
      """,
      .value("FILE") { $0.syncing.undoFile = $1 }),
  ]

  private static let form: [Option] = [
    Option(
      "style", for: [.export, .get], "how names are spelled: user_id or userID", standard: "snake",
      .value("snake|camel") { $0.exporting.options.style = try Value.style($1) }),
    Option(
      "relations", for: [.export],
      "what hangs on a row: objects and arrays, as arguments of a form, keys only, or nothing",
      standard: "arrays",
      .value("arrays|nested|keys|none") { $0.exporting.options.relations = try Value.relations($1) }
    ),
    Option(
      "order", for: [.export, .get],
      "by which column the rows at the top come; the first one counts most", isRepeatable: true,
      .value("COLUMN[:desc]") { $0.exporting.options.order.append(Value.order($1)) }),
    Option(
      "limit", for: [.export, .get], "how many rows at the top are printed at most",
      standard: "all",
      .value("N") { $0.exporting.options.limit = try Value.count($1) }),
    Option(
      "ndjson", for: [.export, .get], "one object a line, and not an array",
      .flag { $0.exporting.options.form = .lines }),
  ]

  /// Those that work on a database.
  private static let everywhere = Set(Command.allCases).subtracting([.completion, .manual])

  private static let output: [Option] = [
    Option(
      "json", for: reporting.union([.schema]),
      "one JSON object a line on standard output; the last is the report",
      .flag { $0.style = .json }),
    Option(
      "quiet", short: "q", for: reporting, "say nothing but errors",
      .flag { $0.style = .quiet }),
  ]
}
