/// The texts of `--help`, made from the table of options.
enum Help {
  /// The help of the program, or of one command.
  static func text(for command: Invocation.Command?) -> String {
    guard let command else { return program }
    let options = Option.all.filter { $0.commands.contains(command) }
    let rows = options.map { ($0.synopsis, $0.help + ($0.standard.map { " [\($0)]" } ?? "")) }
    return """
      Usage: mirror \(command.synopsis)

      \(command.purpose)

      Options (defaults in brackets):
      \(table(rows))
      \(command.notes)
      Examples:
      \(command.examples.map { "  \($0)" }.joined(separator: "\n"))
      """
  }

  /// What is refused by default, in the words of the README and of the page Guarantees.
  fileprivate static let removalRule = """
    A run is refused when at least half of the items and more than 3 would be removed, and always
    when nothing would be left of more than one; an empty listing doesn't even remove a single last
    item. --max-delete replaces this rule, but an empty listing needs --max-delete all; --no-delete
    removes nothing and goes on.
    """

  private static var program: String {
    let rows = Invocation.Command.allCases.map { ($0.synopsis, $0.summary) }
    return """
      mirror keeps a folder equal to a remote catalog, in one direction.

      Usage:
      \(table(rows))

      'mirror COMMAND --help' shows a command's options and examples.

      Exit status: 0 done, 1 failed, or what was to be told couldn't be written, 2 some items
      failed, or other directories than last time can't be read, 3 removal or another catalog
      refused, 64 usage, 75 the folder is in use, 130 cancelled.
      """
  }

  private static func table(_ rows: [(String, String)]) -> String {
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { name, text in
      "  \(name)\(String(repeating: " ", count: width - name.count + 2))\(text)"
    }.joined(separator: "\n")
  }
}

extension Invocation.Command {
  /// One line for the list of commands.
  var summary: String {
    switch self {
    case .sync: "make the folder equal to the catalog"
    case .plan: "show what sync would do, and why; changes nothing"
    case .status: "show what the folder holds and how the last runs went"
    case .verify: "read every byte and compare it with the index"
    case .publish: "write a catalog of a folder, for any static web server"
    }
  }

  /// A few lines for the command's help.
  var purpose: String {
    switch self {
    case .sync:
      """
      Makes FOLDER equal to CATALOG: fetches what is new or changed, repairs what is damaged, and
      moves what vanished to quarantine. CATALOG is an http, https or file URL of a catalog, of a
      directory listing of nginx, or of a SHA256SUMS file.
      """
    case .plan:
      """
      Shows what sync would do, and why. Nothing is made or changed, not even FOLDER.
      """
    case .status:
      """
      Shows what FOLDER holds, what lies in quarantine, and how the last runs went.
      """
    case .verify:
      """
      Reads every byte of FOLDER's files and compares it with the digests in the index. With
      --repair, what is wrong is fetched again from where it came from; what stood in its place is
      kept in FOLDER/.mirror/displaced.
      """
    case .publish:
      """
      Writes a catalog of DIR's files with sizes, dates and digests. Put both on any static web
      server, and 'mirror sync' can follow them.
      """
    }
  }

  /// What the options don't say, with blank lines around it.
  var notes: String {
    switch self {
    case .sync, .plan: "\n\(Help.removalRule)\n"
    case .status, .verify, .publish: ""
    }
  }

  /// Command lines to start from.
  var examples: [String] {
    switch self {
    case .sync:
      [
        "mirror sync https://example.org/gallery/catalog.ndjson ~/gallery --previews",
        "mirror sync https://example.org/pub/ /srv/pub --existing --quiet   # from cron",
        "mirror sync https://example.org/SHA256SUMS iso --complete --max-delete 20%",
      ]
    case .plan: ["mirror plan https://example.org/pub/ /srv/pub"]
    case .status: ["mirror status /srv/pub"]
    case .verify: ["mirror verify /srv/pub", "mirror verify /srv/pub --repair"]
    case .publish:
      [
        "mirror publish /srv/www/gallery",
        "mirror publish pictures --previews thumbs --title 'Summer' --output pictures/all.ndjson",
      ]
    }
  }
}
