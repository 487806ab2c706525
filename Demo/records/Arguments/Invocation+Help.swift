import Console

extension Invocation.Command: ProgramCommand {
  private static let database = Operand("DATABASE", .file)

  var operands: [Operand] {
    switch self {
    case .sync, .verify: [Self.database, Operand("TABLE"), Operand("PAYLOAD", .file)]
    case .export, .get: [Self.database, Operand("TABLE"), Operand("KEY", .text, .atMostOne)]
    case .delete: [Self.database, Operand("TABLE"), Operand("KEY")]
    case .put: [Self.database, Operand("TABLE"), Operand("OBJECT")]
    case .update: [Self.database, Operand("TABLE"), Operand("KEY"), Operand("OBJECT")]
    case .undo: [Self.database, Operand("FILE", .file)]
    case .schema: [Self.database]
    case .completion: [Operand("SHELL", .words(["bash", "zsh", "fish"]))]
    case .manual: [Operand("COMMAND", .text, .atMostOne)]
    }
  }

  var summary: String {
    switch self {
    case .sync: "make a table, and what hangs on it, equal to a payload"
    case .verify: "say whether they are equal; changes nothing"
    case .export: "print rows as JSON, with what hangs on them"
    case .get: "print one row as JSON, or those of a condition"
    case .put: "insert or change one row, with what hangs on it"
    case .update: "change the row of a key"
    case .delete: "delete the row of a key"
    case .undo: "take back what a sync did"
    case .schema: "show what is understood of the database"
    case .completion: "print what a shell reads to complete commands and options"
    case .manual: "print a page of the manual"
    }
  }

  var purpose: String {
    switch self {
    case .sync:
      """
      Makes TABLE equal to PAYLOAD: inserts rows whose keys are new, changes those that differ, and
      deletes those that aren't named any more; the same with what is nested in the objects, along
      the foreign keys. All of it is one transaction, and what is equal isn't written. PAYLOAD is a
      file of JSON, an array of objects or one object a line, - for standard input, or an address
      (http, https), whose pages are followed; where it is one page, its server is asked next time
      whether that has changed. An object that stands in no array is put, and nothing is deleted;
      nor is it where the body or a page says that there is more. Tables, keys and relations are
      read from DATABASE. Nothing is added but, with an address, the table recordsync_sources, and
      with --create what the payload needs: the file, tables for objects with a key, columns of the
      narrowest type that holds all values.
      """
    case .verify:
      """
      Says whether TABLE, with what hangs on it, is equal to PAYLOAD, and what a sync would do if it
      isn't. Nothing is changed.
      """
    case .export:
      """
      Prints rows of TABLE as JSON, with what hangs on them: all, those for which --where holds, or
      the one of KEY. A sync of it into an empty copy of the schema makes it the same. Each row
      stands in full once, and elsewhere by its key. Of a key of several columns, KEY is an array.
      """
    case .get:
      """
      Prints the row of KEY as an object, without what hangs on it; null, and status 1, if there is
      none. In place of KEY, --where says of which rows an array is printed.
      """
    case .put:
      """
      Inserts the row of an object, or changes it, with what is nested in it. Nothing is deleted or
      unlinked. OBJECT is JSON, @ and the name of a file of it, or - for standard input.
      """
    case .update:
      """
      Changes the row of KEY as OBJECT says, with what is nested in it; nothing is deleted or
      unlinked. With another key in OBJECT, the row gets that key, and what refers to it follows.
      Where there is no such row, nothing is done, and the status is 1. OBJECT is JSON, @ and the
      name of a file of it, or - for standard input.
      """
    case .delete:
      """
      Deletes the row of KEY, with what the database itself deletes with it. Where there is no such
      row, nothing is done, and the status is 1.
      """
    case .undo:
      """
      Takes back what a sync did that kept its undo in FILE: all of it, or nothing where rows have
      changed since. Tables and columns that it made go too, unless something else came into them.
      """
    case .schema:
      """
      Shows what is understood of DATABASE: tables, keys, columns, relations and their names in
      JSON, with warnings where that may not be what was meant.
      """
    case .completion:
      """
      Prints what bash, zsh or fish reads to complete the commands of records, their options and
      what these may be.
      """
    case .manual:
      """
      Shows the page of the manual for records, or for one of its commands: through 'man' on a
      terminal, elsewhere as 'man' reads it.
      """
    }
  }

  var notes: String {
    switch self {
    case .sync: [Self.absence, Self.schemaFile].joined(separator: "\n\n")
    case .verify, .export, .schema: Self.schemaFile
    case .get, .put, .update, .delete, .undo: ""
    case .completion, .manual: ""
    }
  }

  var examples: [String] {
    switch self {
    case .sync:
      [
        "records sync app.sqlite users users.json",
        "records sync app.sqlite users users.json --plan",
        "records sync new.sqlite users users.json --create",
        "records sync app.sqlite users users.json --deleted-at deleted_at --history",
        "records sync app.sqlite users https://example.org/users --items data.users --netrc",
        "records sync app.sqlite notes week.json --where 'week = ?' --bind 7 --max-delete 20%",
        "records sync app.sqlite notes notes.json --parent users:7 --keep",
      ]
    case .verify: ["records verify app.sqlite users users.json"]
    case .export:
      [
        "records export app.sqlite users >users.json",
        "records export app.sqlite notes --where 'week = ?' --bind 7 --ndjson",
        "records export app.sqlite users 7 --style camel --relations keys",
      ]
    case .get:
      [
        "records get app.sqlite users 7",
        "records get app.sqlite users --where 'age > ?' --bind 30 --order age:desc --limit 10",
      ]
    case .put: ["records put app.sqlite users @ann.json"]
    case .update: ["curl -s https://example.org/users/7 | records update app.sqlite users 7 -"]
    case .delete: ["records delete app.sqlite users 7"]
    case .undo:
      [
        "records sync app.sqlite users users.json --undo users.undo",
        "records undo app.sqlite users.undo",
      ]
    case .schema: ["records schema app.sqlite", "records schema app.sqlite --schema names.json"]
    case .completion: ["records completion bash >/etc/bash_completion.d/records"]
    case .manual: ["records manual sync >records-sync.1", "man ./records-sync.1"]
    }
  }

  private static let absence = """
    What PAYLOAD doesn't name is deleted, or unlinked where rows belong to several. --where and
    --parent say of which rows it speaks, --keep that it speaks only of those that it names. A name
    that is absent from an object leaves the column or relation as it is; null clears it. A row that
    the database refuses fails alone, and status 2 tells of it.
    """

  private static let schemaFile = """
    A schema file says what the declarations of tables don't; every member may be left out (the page
    "The schema file of records" of the documentation describes all of them):

      {"acronyms": ["gps"], "tables": {"users": {
        "key": "remote_id",
        "unknown": "extra",
        "columns": {"age": {"name": "person.age", "ignoreNull": true}},
        "relations": {"tags": {"name": "labels", "position": "place"}}}}}
    """
}
