import Console

/// What the commands are for, as help and manual say it.
extension Invocation.Command: ProgramCommand {
  private static let store = Operand("STORE", .file)

  var operands: [Operand] {
    switch self {
    case .`init`, .export, .`import`, .digest, .watch, .republish: [Self.store]
    case .sync: [Self.store, Operand("ID", .text, .any)]
    case .put, .stash:
      [
        Self.store, Operand("TYPE"), Operand("ID", .text, .atMostOne),
        Operand("JSON", .text, .atMostOne),
      ]
    case .get, .delete, .resolve, .why, .fetch: [Self.store, Operand("ID")]
    case .list: [Self.store, Operand("TYPE", .text, .atMostOne)]
    case .status, .lost: [Self.store, Operand("ID", .text, .atMostOne)]
    case .restore: [Self.store, Operand("NUMBER")]
    case .attach, .detach:
      [Self.store, Operand("ID"), Operand("MEMBER"), Operand("FILE", .file, .atMostOne)]
    case .completion: [Operand("SHELL", .words(["bash", "zsh", "fish"]))]
    case .manual: [Operand("COMMAND", .text, .atMostOne)]
    }
  }

  var summary: String {
    switch self {
    case .`init`: "say which server a store goes with, and which types it holds"
    case .put: "store a document, and have it sent"
    case .stash: "store a document without having it sent"
    case .get: "print a document"
    case .list: "print which documents there are"
    case .fetch: "fetch one document from the server now"
    case .delete: "delete a document"
    case .sync: "send what was edited, fetch what others changed"
    case .republish: "send again what a server has lost"
    case .watch: "sync again and again"
    case .status: "say how the store, or a document, stands"
    case .resolve: "decide a conflict"
    case .why: "tell the life of a document"
    case .lost: "list the changes that gave way"
    case .restore: "take a change back that gave way"
    case .export: "print all documents, one a line"
    case .`import`: "store documents, one a line"
    case .digest: "print what equal stores print alike"
    case .attach: "give a member a file"
    case .detach: "take a member's file away"
    case .completion: "print what a shell reads to complete commands and options"
    case .manual: "print a page of the manual"
    }
  }

  var purpose: String {
    switch self {
    case .`init`:
      """
      Keeps in STORE, which is made if it's missing, which server it goes with, whose documents
      they are, and which types it holds. No network is needed. Run again for the same server, it
      adds types, and takes one away (--no-type), or gives it another collection, as long as nothing
      of it is there, of whatever account. As long as nothing was stored or fetched at all, it may
      be run again with another server, too, in the place of a mistaken one.
      """
    case .put, .stash:
      """
      Stores a document under its id, in place of what was there. A word that begins with {, or -,
      is the JSON, any other the id; without JSON it is read from standard input, without an id one
      is made. Prints the id. The type goes with it, as the member docType; not to a REST service's
      row, where a model has one type, unless the JSON has that member. \
      \(self == .put ? "The next sync sends it." : "It isn't sent before a 'put'.")
      """
    case .get:
      """
      Prints a document as one object of JSON, as it is here; with --file, the content of a member's
      file, or of its preview as long as only that has come.
      """
    case .list: "Prints the ids of the documents, or the documents, for which all conditions hold."
    case .fetch:
      """
      Asks the server for one document and prints what it has. That meets what is here as in a sync,
      and an edit that waits isn't lost; that the server has none removes nothing here.
      """
    case .delete:
      """
      Deletes a document here at once, and with the next sync at the server. That there is none is
      said, and is no failure.
      """
    case .sync:
      """
      Sends what was edited here in the order of the edits, then fetches what others changed. Where
      both changed a document, --on-conflict decides: the server's, what is here, member by member
      (what clashes is the server's), the latest of each member, or somebody, see 'resolve'. A
      deletion here wins over an edit there, whatever decides; a deletion there wins over an edit
      here, but for local, which makes the document again, and ask. What gives way is kept for 30
      days, see 'lost'. What the server refuses is set aside, unless
      --on-error says otherwise: it's given up, tried again by later syncs with --on-error retry,
      five times with a pause that grows from a minute, or asked about here. IDs go with --retry;
      of their files, what the server has lost is sent again as well, and what has an address of
      its own (init --files) in any case.
      """
    case .republish:
      """
      Sends what the server had and has no more, as new documents, and what waits to be sent: for a
      server that was emptied, or restored from an old backup. Each is looked for just before, and
      where the server holds conditions it's made only if none is there; none is made again of which
      the server knows that it was deleted. Nothing is fetched. What the server has in an older
      version than it had is listed; --newer sends it, too, and what the server had of it is kept
      for 30 days, see 'lost'.
      """
    case .watch: "Syncs now and then every so often, a line each, until a signal ends it."
    case .status: "Says how many documents wait, are in conflict or set aside; of one, why."
    case .resolve:
      """
      Decides which document is to be; the next sync sends it. 'get ID' prints what is here, 'get ID
      --server' what the server has, 'get ID --base' what both began with. What isn't taken is kept
      for 30 days, see 'lost'; with --with that is each side that differs from the JSON.
      """
    case .why:
      """
      Tells what happened to a document: edits, requests, answers, conflicts, decisions. With
      --json, one object that has what 'status' says of it, too.
      """
    case .lost: "Lists changes that gave way to others in the last 30 days, with their numbers."
    case .restore: "Makes a change that gave way a new edit, and prints the document's id."
    case .export:
      """
      Prints all documents to standard output, one a line, as 'get' prints them. With \
      --all-accounts, also those that other accounts left in the store; a line is then an object \
      with the server, the account (null: nobody's) and the document, which 'import' refuses: to
      bring back what one account had, sign in as that one (init --account), and import the members
      document of its lines.
      """
    case .`import`:
      """
      Saves the documents on standard input, one a line: all of them, or none. With --server-keys,
      sync first: under an id that isn't here, a document is a new one, so that the server makes
      another of what it has.
      """
    case .digest:
      """
      Prints a digest of what the server had last, and of its versions. Stores in step print the
      same, if they were told the same of a service's rows, but for --numeric-keys, and hold the
      same: with --filter, what the filter lets through.
      """
    case .attach:
      """
      Gives MEMBER of a document the FILE, which is copied beside the store. The next sync sends the
      document, then the preview, then the file. Where files have addresses (init --files), there
      is no preview, and the member has the file's address once that is there.
      """
    case .detach:
      """
      Takes MEMBER with its file out of a document; after a sync, the server has neither. Where
      files have addresses (init --files), the member stays, and is "".
      """
    case .completion: "Prints what SHELL reads to complete commands and options."
    case .manual:
      "Shows the manual, or the page of COMMAND: through man on a terminal, else as man reads it."
    }
  }

  var examples: [String] {
    switch self {
    case .`init`:
      [
        """
        documents init notes.db --kinto https://example.org/v1 --bucket home --type note \
        --account ann --password-file ann.password
        """,
        """
        documents init tasks.db --rest https://example.org/api --model task --rows results \
        --modified changed_at --deleted is_deleted --conflict-flag is_conflict
        """,
        "documents init notes.db --kinto https://example.org/v1 --bucket home --type note"
          + " --filter status=open",
      ]
    case .put: ["documents put notes.db note milk '{\"text\": \"Milk\"}'"]
    case .list: ["documents list notes.db note --where 'done = false' --order text --json"]
    case .sync:
      [
        "documents sync notes.db", "documents sync notes.db --on-conflict ask --json",
        "documents sync notes.db --retry milk", "documents sync notes.db --list",
      ]
    case .republish: ["documents republish notes.db", "documents republish notes.db --newer"]
    case .fetch: ["documents fetch notes.db milk"]
    case .resolve:
      [
        "documents resolve notes.db milk --server",
        "documents resolve notes.db milk --with '{\"text\": \"Oat milk\"}'",
      ]
    case .restore: ["documents restore notes.db 7"]
    case .stash: ["documents stash notes.db note milk '{\"text\": \"Milk\"}'"]
    case .get: ["documents get notes.db milk", "documents get notes.db milk --server"]
    case .delete: ["documents delete notes.db milk"]
    case .watch: ["documents watch notes.db --every 1m"]
    case .status: ["documents status notes.db --json", "documents status notes.db milk"]
    case .why:
      ["documents why notes.db milk --answers", "documents why notes.db milk --answers --json"]
    case .lost: ["documents lost notes.db milk"]
    case .export: ["documents export notes.db >notes.json"]
    case .import: ["documents import notes.db <notes.json"]
    case .digest: ["documents digest notes.db"]
    case .attach: ["documents attach notes.db milk picture milk.png"]
    case .detach: ["documents detach notes.db milk picture"]
    case .completion: ["documents completion bash >/etc/bash_completion.d/documents"]
    case .manual: ["documents manual sync >documents-sync.1", "man ./documents-sync.1"]
    }
  }
}
