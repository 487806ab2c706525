import Console

/// What the commands are for, as help and manual say it.
extension Invocation.Command: ProgramCommand {
  var operands: [Operand] {
    switch self {
    case .sync, .plan, .watch: [Operand("CATALOG"), Operand("FOLDER", .directory)]
    case .doctor: [Operand("CATALOG")]
    case .config: [Operand("check", .words(["check"])), Operand("FILE", .file)]
    case .status, .verify, .sums: [Operand("FOLDER", .directory)]
    case .restore: [Operand("FOLDER", .directory), Operand("KEY", .text, .any)]
    case .publish: [Operand("DIR", .directory)]
    case .completion: [Operand("SHELL", .words(["bash", "zsh", "fish"]))]
    case .manual:
      [Operand("COMMAND", .words(Self.allCases.map(\.rawValue)), .atMostOne)]
    case .complete: [Operand("WORD", .text, .any, mayBeEmpty: true)]
    }
  }

  var summary: String {
    switch self {
    case .sync: "make the folder equal to the catalog"
    case .plan: "show what sync would do, and why; changes nothing"
    case .status: "show what the folder holds and how the last runs went"
    case .verify: "read every byte and compare it with the index"
    case .sums: "write the SHA-256 digests of the files, as the index has them"
    case .restore: "list what was removed or displaced, and bring it back"
    case .publish: "write a catalog of a folder, for any static web server"
    case .completion: "print what a shell reads to complete commands and options"
    case .manual: "print a page of the manual"
    case .complete: "print what may stand in place of the last word; shells ask for it"
    case .watch: "sync again and again, until a signal ends it"
    case .doctor: "say what is at an address, and what a mirror of it is worth"
    case .config: "look whether a configuration is right, and say what it says"
    }
  }

  var purpose: String {
    switch self {
    case .sync:
      """
      Makes FOLDER equal to CATALOG: fetches what is new or changed, repairs what is damaged, and
      moves what vanished to quarantine. CATALOG is an http, https or file URL of a catalog, of a
      directory listing of Apache, nginx, Caddy, lighttpd or Python, of a SHA256SUMS file, a bucket
      of S3, a Debian repository, a feed or podcast, a package index, an OPDS catalog, a sitemap, or
      of any JSON that --map fits. 'mirror doctor' says what stands at an address.
      """
    case .plan:
      """
      Shows what sync would do, and why. Nothing is made or changed, not even FOLDER. The exit
      status is the one that sync would end with if all that it asks for can be had: 2 only for
      entries that can't be used or placed, and for other directories that can't be read. What
      failed at the last sync is told, and counts for nothing, since sync asks for it again.
      """
    case .status:
      """
      Shows what FOLDER holds, what lies in quarantine and among the displaced files, and how the
      last runs went; while a run works on it, how far that is.
      """
    case .verify:
      """
      Reads every byte of FOLDER's files and compares it with the digests in the index: those of
      what was fetched, or read when it was adopted. A file that was adopted by size and date alone
      has none; size and date are all that is compared, and how many there are is told. With
      --repair, what is wrong is fetched again from where it came from, what stood in its place is
      kept in FOLDER/.mirror/displaced, and digests that are lacking are recorded.
      """
    case .sums:
      """
      Writes the SHA-256 digests of FOLDER's files as a SHA256SUMS file, which 'sha256sum --check'
      reads, and 'mirror sync' as a catalog. They come from the index, and no file is read: whether
      the files are still what they were, 'mirror verify' finds out. Of files that were adopted by
      size and date alone no digest is known until 'mirror verify --repair' records it; how many is
      told, with --json which, and the exit status is 2.
      """
    case .restore:
      """
      Lists what lies in FOLDER's quarantine, since the catalog had it no longer, and among its
      displaced files, which weren't the mirror's or had been edited. With KEYs, which may be
      directories, or with --all, --from or --displaced, brings them back: to where they were, or
      beside it where something stands; nothing is written over. What came back isn't the mirror's,
      and is left alone unless the catalog lists it.
      """
    case .publish:
      """
      Writes a catalog of DIR's files with sizes, dates and digests. Put both on any static web
      server, and 'mirror sync' can follow them.
      """
    case .completion:
      """
      Prints what bash, zsh or fish reads to complete the commands of mirror, their options and what
      these may be.
      """
    case .manual:
      """
      Shows the page of the manual for mirror, or for one of its commands: through 'man' on a
      terminal, elsewhere as 'man' reads it.
      """
    case .complete:
      """
      Prints what may stand in place of the last WORD of a command line that somebody is typing. The
      scripts of 'mirror completion' ask for it.
      """
    case .watch:
      """
      Keeps FOLDER equal to CATALOG: syncs at once and then on an interval, more seldom while that
      fails, with a line a run. SIGTERM and SIGINT end it, SIGHUP has its configuration read anew.
      """
    case .doctor:
      """
      Says what stands at CATALOG: in which format and how many pages, how many items and bytes,
      whether what it lacks may be removed, how changes are noticed, whether validators hold still
      and parts are sent as asked, and what of it can't be mirrored. Ends with the command line to
      use. Reads only, and little: the list, and a few hundred KiB of one item.
      """
    case .config:
      """
      Reads a configuration and says what each of its mirrors comes to, or in which line a mistake
      is. Nothing is fetched or made.
      """
    }
  }

  var notes: String {
    switch self {
    case .sync, .plan, .watch:
      [Self.filterRule, Self.removalRule, Self.configurationRule].joined(separator: "\n\n")
    case .config: Self.configurationRule
    case .status, .verify:
      "Instead of FOLDER, --config FILE names several mirrors; see 'mirror config --help'."
    case .sums, .restore, .publish, .doctor, .completion, .manual, .complete: ""
    }
  }

  var examples: [String] {
    switch self {
    case .sync:
      [
        "mirror sync https://example.org/gallery/catalog.ndjson ~/gallery",
        "mirror sync https://example.org/pub/ /srv/pub --existing --quiet   # from cron",
        "mirror sync https://example.org/SHA256SUMS iso --complete --max-delete 20%",
        """
        mirror sync https://api.example.org/files list --previews \\
          --map 'items=data.files,key={folder}/{name},url=href,preview.url=thumbnail'
        """,
        """
        mirror sync https://example.org/debian/ deb \\
          --exclude '*.orig.tar.*' --last 'dists/**'
        """,
        "mirror sync --config /etc/mirror.ini gallery --jobs 3",
      ]
    case .plan:
      [
        "mirror plan https://example.org/pub/ /srv/pub",
        "mirror plan --config /etc/mirror.ini gallery",
      ]
    case .watch:
      [
        "mirror watch https://example.org/pub/ /srv/pub --interval 1h",
        "mirror watch --config /etc/mirror.ini --metrics /srv/metrics/mirror.prom",
      ]
    case .doctor:
      [
        "mirror doctor https://example.org/pub/",
        "mirror doctor https://example.org/api/items --format mapping",
      ]
    case .config: ["mirror config check /etc/mirror.ini"]
    case .status: ["mirror status /srv/pub", "mirror status --config /etc/mirror.ini"]
    case .verify:
      [
        "mirror verify /srv/pub", "mirror verify /srv/pub --repair",
        "mirror verify --config /etc/mirror.ini gallery",
      ]
    case .sums:
      [
        "mirror sums /srv/pub", "mirror sums /srv/pub --output /srv/pub/SHA256SUMS",
        "mirror sums /srv/pub | (cd /srv/pub && sha256sum --check --quiet)",
      ]
    case .restore:
      [
        "mirror restore /srv/pub",
        "mirror restore /srv/pub docs/readme.txt docs/old",
        "mirror restore /srv/pub --from 20260131T120000Z",
        "mirror restore /srv/pub --displaced --to ~/found",
      ]
    case .publish:
      [
        "mirror publish /srv/www/gallery",
        "mirror publish pictures --previews thumbs --title 'Summer'",
        "mirror publish /srv/www/sources --packs   # thousands of small files",
        "mirror publish /srv/www/gallery --watch --quiet   # as a service",
      ]
    case .completion:
      [
        "mirror completion bash >/etc/bash_completion.d/mirror",
        "mirror completion fish >~/.config/fish/completions/mirror.fish",
      ]
    case .manual: ["mirror manual sync >mirror-sync.1", "man ./mirror-sync.1"]
    case .complete: ["mirror complete -- sync --config /etc/mirror.ini ga"]
    }
  }

  /// Nobody types it.
  var isHidden: Bool { self == .complete }

  /// Names of mirrors stand in a configuration, and keys of what could be brought back in a folder.
  var completesByAsking: Bool {
    switch self {
    case .sync, .plan, .status, .verify, .watch, .restore, .config: true
    case .sums, .publish, .doctor, .completion, .manual, .complete: false
    }
  }

  /// How a configuration is written, and what counts of what is said in several places.
  private static let configurationRule = """
    Instead of CATALOG and FOLDER, --config FILE names several mirrors:

      [defaults]
      max-delete = 20%

      [gallery]
      catalog = https://example.org/gallery/catalog.ndjson
      folder = /srv/gallery
      previews = yes

    A key is an option without its dashes; it may be there several times where the option may; a
    flag is said with yes or no. A value goes to the end of its line, without quotes. Remarks are
    lines that begin with # or ;. Paths are seen from the file's own directory. Each option may
    stand in the environment as well, as MIRROR_MAX_DELETE=20%. What the command line says of an
    option counts more than the environment, and that more than the file, where what stands below a
    name counts more than [defaults]. --include, --exclude and --filter-from count as one option
    here: what one place says of them replaces all of it.
    """

  private static let filterRule = """
    Patterns are those of gitignore, without '!'. What filters leave out is neither fetched nor
    removed, and a directory all of which is left out isn't asked for. What no pattern fits is taken
    in, unless all of them are --include.
    """

  /// What is refused by default, in the words of the README and of the page Guarantees.
  private static let removalRule = """
    A run is refused when at least half of the items and more than 3 would be removed, and always
    when nothing would be left of more than one; an empty listing doesn't even remove a single last
    item. --max-delete replaces this rule, but an empty listing needs --max-delete all; --no-delete
    removes nothing and goes on.
    """
}
