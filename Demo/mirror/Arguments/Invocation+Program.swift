import Console

extension Invocation {
  static let program = ProgramDescription<Invocation>(
    name: "mirror", version: "0.1.0", date: "2026-11-28",
    purpose: "mirror keeps a folder equal to a remote catalog, in one direction.",
    example: "mirror sync CATALOG FOLDER", table: options,
    statuses: [
      .init(ExitStatus.done.rawValue, "done"),
      .init(ExitStatus.failed.rawValue, "failed, or what was to be told couldn't be written"),
      .init(
        ExitStatus.someFailed.rawValue,
        "some items failed, or a directory can't be read that is new or was read last time"),
      .init(ExitStatus.refused.rawValue, "removal or another catalog refused"),
      .init(ExitStatus.usage.rawValue, "the command line can't be understood"),
      .init(ExitStatus.locked.rawValue, "the folder is in use"),
      .init(ExitStatus.cancelled.rawValue, "cancelled"),
    ], files: files, variables: variables, hasVariables: true, foreignOptions: foreignOptions,
    asker: Command.complete.rawValue)

  private static let ofFolders: Set<Command> = [
    .sync, .plan, .watch, .status, .verify, .sums, .restore,
  ]
  private static let ofSources: Set<Command> = [.sync, .plan, .watch, .verify, .doctor]

  private static let files: [ProgramDescription<Invocation>.Place] = [
    .init("FOLDER/.mirror", "all that a mirror keeps beside the items", for: ofFolders),
    .init(
      "FOLDER/.mirror/index.sqlite", "what is held, of which version, and how the last runs went",
      for: ofFolders),
    .init(
      "FOLDER/.mirror/quarantine", "what vanished, for as long as --keep-removed says",
      for: ofFolders),
    .init(
      "FOLDER/.mirror/displaced",
      "files that stood in the place of items; they stay until you remove them", for: ofFolders),
    .init("FOLDER/.mirror/previews", "the previews, where they are wanted", for: ofFolders),
    .init(
      "FOLDER/.mirror/staging", "what is being fetched, and parts that the next run goes on with",
      for: ofFolders),
    .init(
      "DIR/catalog.ndjson", "the catalog, unless --output names another file", for: [.publish]),
    .init(
      "DIR/catalog.ndjson.packs", "the packs, where --packs is given", for: [.publish]),
    .init(
      "DIR/.catalog.ndjson.mirror-state", "what is known of the files, so that none is read twice",
      for: [.publish]),
    .init(
      "~/.netrc", "passwords, which --netrc has looked up", for: ofSources),
    .init(
      "~/.aws/credentials, ~/.aws/config", "keys and regions of buckets, by the name of a profile",
      for: ofSources),
  ]

  private static let variables: [ProgramDescription<Invocation>.Place] = [
    .init(
      "http_proxy, https_proxy, all_proxy, no_proxy",
      "the proxies that addresses are reached through, and what is reached without",
      for: ofSources),
    .init("SSL_CERT_FILE", "the certificates that are believed", for: ofSources),
    .init(
      "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN", "the key of a bucket",
      for: ofSources),
    .init("AWS_PROFILE", "the profile that the key is looked up by", for: ofSources),
    .init("AWS_REGION, AWS_DEFAULT_REGION", "the region of a bucket", for: ofSources),
    .init(
      "AWS_SHARED_CREDENTIALS_FILE, AWS_CONFIG_FILE", "other places for the two files",
      for: ofSources),
  ]
}
