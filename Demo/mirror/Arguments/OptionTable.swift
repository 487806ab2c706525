import Access
import CatalogMirror
import Console

private typealias Option = Console.Option<Invocation>

extension Invocation {
  /// Every option of every command, in the order of the help.
  static let options = OptionTable([
    OptionTable<Invocation>.Group("Transfer", transfers + OptionTable.verifying),
    OptionTable.Group("Filters and order", filters),
    OptionTable.Group("Removal", removal),
    OptionTable.Group("Files", files),
    OptionTable.Group("Access", access),
    OptionTable.Group("Choice", restoring),
    OptionTable.Group("Publishing", publishing + OptionTable.packing + OptionTable.signing),
    Invocation.unattended,
    OptionTable.Group("Output", output),
  ]).giving(.watch, whateverHas: .sync, but: ["dry-run", "progress", "verbose"])

  private static let transfers: [Option] = [
    Option(
      "dry-run", short: "n", for: [.sync],
      "show what would be done, as 'mirror plan', and do nothing",
      .flag { $0.isDryRun = true }),
    Option(
      "max-duration", for: [.sync],
      "end after this time with status 2, keep what is done, and let the next run go on",
      standard: "no limit",
      .value("TIME") { $0.mirror.maximumDuration = try Value.positiveDuration($1) }),
    Option(
      "previews", for: [.sync, .plan], "fetch previews too, all of them before the first content",
      .flag { $0.mirror.previews = .also }),
    Option(
      "previews-only", for: [.sync, .plan], "fetch previews and no contents",
      .flag { $0.mirror.previews = .only }),
    Option(
      "concurrency", for: [.sync, .verify],
      "downloads at once, or fewer if too few files may be open; 0 chooses",
      standard: "0",
      .value("N") { $0.mirror.concurrency = try Value.count($1) }),
    Option(
      "streams", for: [.sync, .verify],
      "parts at once of a file of 8 MiB or more whose digest is listed; 0 chooses",
      standard: "0",
      .value("N") { $0.mirror.streams = try Value.count($1) }),
    Option(
      "connections", for: [.sync, .plan, .verify, .doctor], "connections to one origin at once",
      standard: "128",
      .value("N") { $0.mirror.connectionsPerOrigin = try Value.positive($1) }),
    Option(
      "limit-rate", for: [.sync, .verify], "bytes a second from one origin", standard: "no limit",
      .value("SIZE") { $0.mirror.bytesPerSecond = try Value.size($1) }),
    Option(
      "min-rate", for: [.sync, .plan, .verify],
      "the slowest transfer, in bytes a second over all of it; a slower one is cut and tried again",
      standard: "4K",
      .value("SIZE") { $0.mirror.minimumRate = try Value.size($1) }),
    Option(
      "min-rate-grace", for: [.sync, .plan, .verify],
      "how much longer than --min-rate allows a transfer may take", standard: "10m",
      .value("TIME") { $0.mirror.minimumRateGrace = try Value.duration($1) }),
    Option(
      "connect-timeout", for: [.sync, .plan, .verify, .doctor],
      "how long resolving a name, connecting and TLS may take together", standard: "30s",
      .value("TIME") { $0.mirror.connectTimeout = try Value.limit($1) }),
    Option(
      "stall-timeout", for: [.sync, .plan, .verify, .doctor],
      "how long less than 1 KiB a second is put up with", standard: "30s",
      .value("TIME") { $0.mirror.stallTimeout = try Value.limit($1) }),
    Option(
      "retries", for: [.sync, .plan, .verify, .doctor],
      "how often a passing failure is tried again",
      standard: "5",
      .value("N") { $0.mirror.retries = try Value.count($1) }),
    Option(
      "no-packs", for: [.sync, .plan],
      "fetch each small file by itself, though the catalog has packs of them",
      .flag { $0.mirror.usesPacks = false }),
    Option(
      "stop-on-error", for: [.sync], "stop at the first item that fails",
      .flag { $0.mirror.stopOnError = true }),
    Option(
      "format", for: [.sync, .plan, .doctor],
      "the catalog's format: \(MirrorOptions.formats.joined(separator: ", "))",
      standard: "recognised", rivals: ["map"], kind: .words(MirrorOptions.formats),
      .value("NAME") { $0.mirror.format = try Value.format($1, besides: $0.mirror.mapping) }),
    Option(
      "map", for: [.sync, .plan, .doctor],
      "read any JSON by this: items=files,key=name,url=href,size=size", rivals: ["format"],
      .value("MAPPING") { $0.mirror.mapping = try Value.mapping($1, besides: $0.mirror.format) }),
    Option(
      "key-template", for: [.sync, .plan, .doctor],
      """
      name a feed's files by {date}, {title}, {name}, {extension}; under another template all is \
      fetched anew, and what has the old names stays, or goes with --max-delete if the feed is whole
      """,
      standard: "{name}{extension}",
      .value("TEXT") { $0.mirror.keyTemplate = try Value.keyTemplate($1) }),
    Option(
      "architecture", for: [.sync, .plan, .doctor],
      "of a Debian repository, what this architecture needs, such as amd64",
      standard: "all", isRepeatable: true,
      .value("NAME") { $0.mirror.repository.architectures.insert($1) }),
    Option(
      "component", for: [.sync, .plan, .doctor],
      "of a Debian repository, this component only, such as main", standard: "all",
      isRepeatable: true,
      .value("NAME") { $0.mirror.repository.components.insert($1) }),
    Option(
      "keyring", for: [.sync, .plan, .doctor],
      "believe only a catalog that a key of this file has signed; gpgv finds out",
      .value("FILE") { $0.mirror.keyring = $1 }),
    Option(
      "complete", for: [.sync, .plan],
      """
      you vouch that the listing is whole: what it lacks is removed; a feed, which names what is \
      new, removes nothing all the same
      """,
      .flag { $0.mirror.vouchesForCompleteness = true }),
    Option(
      "max-catalog-size", for: [.sync, .plan, .doctor],
      "the most bytes of the catalog, all pages together and decompressed", standard: "1G",
      .value("SIZE") { $0.mirror.maximumCatalogSize = try Value.size($1) }),
  ]

  private static let removal: [Option] = [
    Option(
      "allow-rollback", for: [.sync, .plan],
      "accept a catalog whose numbered revision, or whose date, went backwards",
      .flag { $0.mirror.allowsRollback = true }),
    Option(
      "allow-expired", for: [.sync, .plan, .doctor],
      "accept a catalog that says that it may be taken no longer, as archived suites do",
      .flag { $0.mirror.allowsExpired = true }),
    Option(
      "max-delete", for: [.sync, .plan],
      "how many items may be removed at once, in place of the rule below",
      rivals: ["no-delete"],
      .value("N|P%|all") {
        $0.mirror.maximumRemoval = try Value.removal($1, besides: $0.mirror.maximumRemoval)
      }),
    Option(
      "no-delete", for: [.sync, .plan], "remove nothing; what the source lacks stays",
      rivals: ["max-delete"],
      .flag { $0.mirror.maximumRemoval = try Value.noRemoval(besides: $0.mirror.maximumRemoval) }),
    Option(
      "new-catalog", for: [.sync, .plan],
      "make FOLDER follow another catalog: another address, without what follows a '?'",
      .flag { $0.mirror.acceptsNewCatalog = true }),
    Option(
      "keep-removed", for: [.sync], "how long removed files are kept: 12h, 7d, …", standard: "7d",
      .value("TIME") { $0.mirror.keepRemoved = try Value.duration($1) }),
  ]

  private static let files: [Option] = [
    Option(
      "repair", for: [.verify],
      """
      then fetch again what is wrong, for which the options of transfer and access are, and record \
      digests that are lacking
      """,
      .flag { $0.repairs = true }),
    Option(
      "durability", for: [.sync, .verify], "flush files together, each on its own, or never",
      standard: "batch",
      .value("batch|file|none") { $0.mirror.durability = try Value.raw($1) }),
    Option(
      "adopt", for: [.sync, .plan],
      """
      take a file that is there for the item; it keeps its date. By bytes: if its digest is that \
      of the list; where the list has only size and date, if the server, asked by HEAD, says the \
      same of both, to the second; else if what is fetched is equal. It is read, so that a later \
      change is found. By size-date: if those of the list agree (UTC where it names no zone, to \
      the minute if it ends there), else by bytes; it isn't read, so that 'mirror verify' can't \
      tell a changed byte
      """,
      standard: "bytes",
      .value("bytes|size-date") { $0.mirror.adoption = try Value.raw($1) }),
    Option(
      "trust-index", for: [.sync, .plan], "believe the index without a look at the files",
      .flag { $0.mirror.trustsIndex = true }),
    Option(
      "existing", for: [.sync, .plan],
      "refuse a folder that isn't a mirror yet (for unattended runs)",
      .flag { $0.mirror.requiresExisting = true }),
    Option(
      "empty-directories", for: [.sync],
      "make directories of a listing that hold nothing; they go when they vanish and are empty",
      .flag { $0.mirror.makesEmptyDirectories = true }),
    Option(
      "parents", for: [.sync], "make the missing directories above FOLDER, too",
      .flag { $0.mirror.makesParents = true }),
    Option(
      "wait", for: [.sync, .plan, .status, .verify, .sums, .restore],
      "wait for another mirror of the folder to end",
      .flag { $0.mirror.waitsForLock = true }),
    Option(
      "max-item-size", for: [.sync, .verify], "the largest item of undeclared size", standard: "1T",
      .value("SIZE") { $0.mirror.maximumItemSize = try Value.size($1) }),
    Option(
      "no-space-check", for: [.sync, .verify],
      "begin also when the disk seems too small for what is to come",
      .flag { $0.mirror.checksSpace = false }),
    Option(
      "allow-unframed", for: [.sync, .verify], "accept bodies whose end nothing vouches for",
      .flag { $0.mirror.allowsUnframed = true }),
    Option(
      "allow-coded", for: [.sync, .verify],
      "store what comes in a content coding that nobody asked for, as it comes",
      .flag { $0.mirror.allowsCoded = true }),
  ]

  private static let access: [Option] =
    AccessOptions.options(
      for: [.sync, .plan, .verify, .doctor], \.mirror.access, hosts: \.mirror.allowedHosts)
    + [
      Option(
        "user-agent", for: [.sync, .plan, .verify, .doctor],
        "what the server is told of the program that asks",
        standard: "mirror/VERSION (OneWaySynchronizer)",
        .value("TEXT") { $0.mirror.userAgent = try Value.oneLine($1) })
    ] + OptionTable.buckets

  private static let restoring: [Option] = [
    Option(
      "all", for: [.restore], "everything that was removed, the newest of each KEY",
      .flag { $0.restoring.takesAll = true }),
    Option(
      "from", for: [.restore], "only what this run moved, named as the list names it",
      .value("RUN") { $0.restoring.batch = $1 }),
    Option(
      "displaced", for: [.restore], "only displaced files; without a KEY, all of them",
      .flag { $0.restoring.takesDisplaced = true }),
    Option(
      "to", for: [.restore], "copy them to DIR instead; they stay where they lie",
      .value("DIR") { $0.restoring.directory = $1 }),
  ]

  private static let publishing: [Option] = [
    Option(
      "output", for: [.sums], "the file that they go to, whole or not at all",
      standard: "standard output",
      .value("FILE") { $0.sumsOutput = $1 }),
    Option(
      "output", for: [.publish],
      "where the catalog goes; a name without a slash is one in DIR",
      standard: "DIR/catalog.ndjson",
      .value("FILE") { $0.publishing.output = $1 }),
    Option(
      "base", for: [.publish], "the URL that the files are below",
      standard: "where they lie, seen from the catalog",
      .value("URL") { $0.publishing.base = try Value.address($1) }),
    Option(
      "title", for: [.publish], "a name for people",
      .value("TEXT") { $0.publishing.title = $1 }),
    Option(
      "previews", for: [.publish],
      "a directory below DIR that holds previews: KEY.EXTENSION for each KEY", kind: .directory,
      .value("NAME") { $0.publishing.previews = $1 }),
    Option(
      "rehash", for: [.publish], "read every file and pack anew, whatever is known of them",
      .flag { $0.publishing.rehashes = true }),
    Option(
      "watch", for: [.publish],
      "go on, and publish again each time that DIR has changed and come to rest, and on SIGHUP",
      .flag { $0.publishing.watches = true }),
    Option(
      "wait", for: [.publish], "wait for another one who publishes the catalog to end",
      .flag { $0.publishing.waits = true }),
  ]

  /// All but what only prints a text.
  private static let everywhere = Set(Command.allCases).subtracting([
    .completion, .manual, .complete,
  ])

  private static let output: [Option] = [
    Option(
      "json", for: everywhere, "one JSON object a line on standard output",
      .flag { $0.style = .json }),
    Option(
      "progress", for: [.sync, .verify, .publish],
      "a line a minute on standard error where it is no terminal",
      .flag { $0.showsProgress = true }),
    Option(
      "verbose", short: "v", for: [.sync, .verify],
      "name each file that is added, updated, repaired or removed",
      .flag { $0.isVerbose = true }),
    Option(
      "log-file", for: everywhere,
      "append all that happens to this file, each line with its time",
      .value("FILE") { $0.logFile = $1 }),
    Option(
      "quiet", short: "q", for: everywhere, "say nothing but errors",
      .flag { $0.style = .quiet }),
  ]
}
