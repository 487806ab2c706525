import Access
import Console
import DocumentEndpoints
import DocumentSync

private typealias Option = Console.Option<Invocation>

extension Invocation {
  /// Every option of every command, in the order of the help.
  static let options = OptionTable([
    OptionTable<Invocation>.Group("Server and account", server),
    OptionTable.Group("Rows of a REST service", rows),
    OptionTable.Group("Which documents", documents),
    OptionTable.Group("What may be done", doing),
    OptionTable.Group("Deciding", deciding),
    OptionTable.Group("Access", access),
    OptionTable.Group("Output", output),
  ])

  private static let ways = "one of --server, --local and --with"

  /// Takes one of several that contradict each other; whoever says two of them meant one.
  private static func choose<Choice: Equatable>(
    _ choice: Choice, over standard: Choice, _ place: inout Choice, _ which: String
  ) throws {
    guard place == standard || place == choice else { throw UsageError("say \(which), not both") }
    place = choice
  }

  private static let syncing: Set<Command> = [.sync, .republish, .watch]
  private static let asking: Set<Command> = syncing.union([.fetch])

  private static let server: [Option] = [
    Option(
      "kinto", for: [.`init`], "the address of a Kinto server", rivals: ["service", "rest"],
      .value("URL") { $0.setting.kinto = try Value.address($1) }),
    Option(
      "service", for: [.`init`], "the address of a plain document service",
      rivals: ["kinto", "rest"], .value("URL") { $0.setting.service = try Value.address($1) }),
    Option(
      "rest", for: [.`init`], "the address of a service of REST rows",
      rivals: ["kinto", "service"], .value("URL") { $0.setting.restAddress = try Value.address($1) }
    ),
    Option(
      "bucket", for: [.`init`], "the bucket that holds the collections",
      .value("NAME") { $0.setting.bucket = $1 }),
    Option(
      "type", for: [.`init`], "a type of documents, and its collection if that has another name",
      isRepeatable: true,
      .value("NAME[=COLLECTION]") { try $0.setting.add(Value.kind($1)) }),
    Option(
      "model", for: [.`init`], "a model of a REST service: a type of that name",
      isRepeatable: true,
      .value("NAME") { try $0.setting.add(Value.kind($1)) }),
    Option(
      "no-type", for: [.`init`], "a mistyped type, of which nothing is in the store, goes again",
      isRepeatable: true, .value("NAME") { $0.setting.endedKinds.append($1) }),
    Option(
      "latest", for: [.`init`],
      "edits of these types are stamped: of each member the latest one wins",
      .flag { $0.setting.isLatest = true }),
    Option(
      "filter", for: [.`init`],
      "only documents of these types that the server lets through for NAME=VALUE, in its words",
      isRepeatable: true, rivals: ["no-filter"],
      .value("NAME=VALUE") { $0.setting.filter.append(try Value.filter($1)) }),
    Option(
      "no-filter", for: [.`init`], "all documents of these types again", rivals: ["filter"],
      .flag { $0.setting.hasNoFilter = true }),
    Option(
      "account", for: [.`init`], "whose documents they are", standard: "nobody's",
      .value("NAME") { $0.setting.account = $1 }),
    Option(
      "password-file", for: asking.union([.`init`]),
      "the file with the password, for your eyes only; else DOCUMENTS_PASSWORD, else the netrc",
      .value("FILE") { ($0.setting.passwordFile, $0.syncing.passwordFile) = ($1, $1) }),
    Option(
      "keep", for: [.`init`], "another account takes unsent edits over", rivals: ["drop"],
      .flag { try choose(.keep, over: .refuse, &$0.setting.unsent, "--keep or --drop") }),
    Option(
      "drop", for: [.`init`], "unsent edits of another account are dropped", rivals: ["keep"],
      .flag { try choose(.drop, over: .refuse, &$0.setting.unsent, "--keep or --drop") }),
  ]

  private static func pagers(but name: String) -> Set<String> {
    Set(["next", "cursor", "offset-param", "page-param"]).subtracting([name])
  }

  private static let rows: [Option] = [
    Option(
      "rows", for: [.`init`], "the name under which answers have their rows",
      standard: "none: bare rows", .value("NAME") { $0.setting.rest.rows = $1 }),
    Option(
      "row", for: [.`init`], "the name under which answers have their one row",
      standard: "none: the bare row", .value("NAME") { $0.setting.rest.row = $1 }),
    Option(
      "key", for: [.`init`], "the member that is a row's key", standard: "id",
      .value("NAME") { $0.setting.rest.key = $1 }),
    Option(
      "numeric-keys", for: [.`init`], "keys are numbers",
      .flag { $0.setting.rest.hasNumericKeys = true }),
    Option(
      "server-keys", for: [.`init`],
      "the service makes the keys of these models: a document has its own until it's sent. Where"
        + " the answer to a creation was lost, an equal row that somebody else made may be taken"
        + " for it; not so with --natural-key",
      .flag { $0.setting.makesKeys = true }),
    Option(
      "natural-key", for: [.`init`],
      "a member that tells these rows from each other, where --server-keys says so",
      isRepeatable: true, .value("PATH") { $0.setting.naturalKey.append(try Value.member($1)) }),
    Option(
      "reference", for: [.`init`], "a member of these models that names documents of a type",
      isRepeatable: true,
      .value("PATH=TYPE") {
        let (path, type) = try Value.reference($1)
        $0.setting.references[path] = type
      }),
    Option(
      "model-ids", for: [.`init`],
      "ids say the model before the key, task/7: for models whose keys are the same numbers",
      .flag { $0.setting.rest.idsNameModels = true }),
    Option(
      "knows-requests", for: [.`init`],
      "the service knows a request again by its Idempotency-Key",
      .flag { $0.setting.rest.knowsRequests = true }),
    Option(
      "modified", for: [.`init`], "the member with the date of a row's last change",
      .value("NAME") { $0.setting.rest.modified = $1 }),
    Option(
      "since", for: [.`init`], "the parameter that asks for rows changed at a date or later",
      standard: "that member with __gte", .value("NAME") { $0.setting.rest.since = $1 }),
    Option(
      "deleted", for: [.`init`], "the member that says that a row was deleted",
      .value("NAME") { $0.setting.rest.deleted = $1 }),
    Option(
      "conflict-flag", for: [.`init`],
      "the member that says that a change met another one, where --modified is said, too; without"
        + " them, each row is read just before it's changed, and what is changed between the two is"
        + " written over",
      .value("NAME") { $0.setting.rest.conflict = $1 }),
    Option(
      "next", for: [.`init`],
      "where in a page the address of the next one is: paging.next", rivals: pagers(but: "next"),
      .value("PATH") { $0.setting.rest.next = try Value.member($1) }),
    Option(
      "cursor", for: [.`init`],
      "where in a page the value is that --cursor-param says in the next request: meta.cursor",
      rivals: pagers(but: "cursor"),
      .value("PATH") { $0.setting.rest.cursor = try Value.member($1) }),
    Option(
      "cursor-param", for: [.`init`], "the parameter of the address for --cursor",
      .value("NAME") { $0.setting.rest.cursorParameter = $1 }),
    Option(
      "offset-param", for: [.`init`],
      "a parameter of the address that says how many rows came before, until none come",
      rivals: pagers(but: "offset-param"),
      .value("NAME") { $0.setting.rest.offsetParameter = $1 }),
    Option(
      "page-param", for: [.`init`],
      "a parameter of the address that counts the pages, until none has rows",
      rivals: pagers(but: "page-param"),
      .value("NAME") { $0.setting.rest.pageParameter = $1 }),
    Option(
      "charset", for: [.`init`], "how text is encoded where an answer doesn't say",
      standard: "utf-8",
      .value("utf-8|iso-8859-1|utf-16|utf-16le") {
        let known = ["utf-8", "iso-8859-1", "utf-16", "utf-16le"]
        $0.setting.rest.charset = try Value.oneOf(known, $1)
      }),
    Option(
      "slash", for: [.`init`], "paths end in a slash",
      .flag { $0.setting.rest.endsInSlash = true }),
    Option(
      "files", for: [.`init`],
      "where files are stored: an address with {type}, {id} and {member}, and {name} or {digest}",
      standard: "nowhere", .value("ADDRESS") { $0.setting.rest.files = $1 }),
    Option(
      "files-answer", for: [.`init`],
      "files are sent with POST, and the answer has their address under this name",
      standard: "PUT to the address itself", .value("NAME") { $0.setting.rest.fileAnswer = $1 }),
  ]

  private static let documents: [Option] = [
    Option(
      "where", for: [.list], "only those for which this holds: PATH OP VALUE", isRepeatable: true,
      .value("CONDITION") { $0.query.add(try Value.condition($1)) }),
    Option(
      "order", for: [.list], "by the value at PATH, or from the last with -PATH", standard: "id",
      isRepeatable: true, .value("PATH") { $0.query.order.append(try Value.order($1)) }),
    Option(
      "limit", for: [.list], "at most so many",
      .value("N") {
        $0.query.limit = try Value.count($1)
      }),
    Option(
      "offset", for: [.list], "without the first so many",
      .value("N") {
        $0.query.offset = try Value.count($1)
      }),
    Option("count", for: [.list], "print only how many there are", .flag { $0.countsOnly = true }),
    Option(
      "base", for: [.get], "the server's value that the edit here stands on", rivals: ["server"],
      .flag { try choose(.base, over: nil, &$0.side, "--base or --server") }),
    Option(
      "file", for: [.get], "the content of this member's file, and not the document",
      rivals: ["base", "server"], .value("MEMBER") { $0.fileMember = $1 }),
    Option(
      "preview", for: [.attach], "the same in a low quality, which travels first",
      .value("FILE") { $0.preview = $1 }),
    Option(
      "after", for: [.put], "send it only when this document is at the server",
      isRepeatable: true, .value("ID") { $0.after.insert(DocumentID($1)) }),
    Option(
      "all-accounts", for: [.export],
      "those of all accounts in the store, each line saying whose it is",
      .flag { $0.ofAllAccounts = true }),
    Option(
      "new-id", for: [.restore], "make it a document of its own", .flag { $0.makesNewID = true }),
  ]

  private static let doing: [Option] = [
    Option(
      "push", for: [.sync], "only send", rivals: ["pull"],
      .flag { try choose(.push, over: .both, &$0.syncing.ways, "--push or --pull") }),
    Option(
      "pull", for: [.sync], "only fetch", rivals: ["push"],
      .flag { try choose(.pull, over: .both, &$0.syncing.ways, "--push or --pull") }),
    Option(
      "on-conflict", for: asking, "what decides where both changed a document",
      standard: "merge; of types with --latest, latest",
      .value(Value.policies.map(\.key).joined(separator: "|")) {
        $0.syncing.policies = try Value.policies($1)
      }),
    Option(
      "on-error", for: [.sync], "what becomes of what the server refuses", standard: "leave",
      .value(Value.errors.map(\.key).joined(separator: "|")) {
        $0.syncing.onError = try Value.errors($1)
      }),
    Option(
      "retry", for: [.sync], "try again what was set aside: that of the IDs, or all",
      .flag { $0.syncing.retries = true }),
    Option(
      "max-delete", for: [.sync, .watch], "how many documents may be removed here",
      standard: "the smaller half",
      .value("N|P%|all") { $0.syncing.removals = .within(try Value.removals($1)) }),
    Option(
      "list", for: [.sync], "see now what has left --filter, and not once a day",
      .flag { $0.syncing.listsFilters = true }),
    Option(
      "now", for: [.sync, .republish, .fetch], "don't wait as the server asked",
      .flag { $0.syncing.overridesWait = true }),
    Option(
      "newer", for: [.republish], "send also what the server has in an older version",
      .flag { $0.syncing.republishesOlder = true }),
    Option(
      "every", for: [.watch], "the time from one sync to the next", standard: "30s",
      .value("TIME") { $0.syncing.interval = try Value.interval($1) }),
  ]

  private static let deciding: [Option] = [
    Option(
      "server", for: [.get, .resolve], "the server's, the newest that is known",
      rivals: ["base", "local", "with"],
      .flag {
        try choose(.server, over: nil, &$0.side, "--base or --server")
        try choose(.there, over: nil, &$0.resolution, ways)
      }),
    Option(
      "local", for: [.resolve], "what is here", rivals: ["server", "with"],
      .flag { try choose(.here, over: nil, &$0.resolution, ways) }),
    Option(
      "with", for: [.resolve], "another whole document", rivals: ["server", "local"],
      .value("JSON") {
        try choose(.document(try Value.document($1)), over: nil, &$0.resolution, ways)
      }),
  ]

  private static let access = AccessOptions.options(
    for: asking, \Invocation.syncing.access, hosts: \Invocation.syncing.allowedHosts)

  private static let output: [Option] = [
    Option(
      "answers", for: [.why], "also what the server answered last, whole and without secrets",
      .flag { $0.showsAnswers = true }),
    Option(
      "json", for: [.sync, .republish, .watch, .status, .why, .list, .lost],
      "JSON, one object a line; of a sync, the last is the report", .flag { $0.isJSON = true }),
  ]
}
