extension ServerListing {
  /// lighttpd's directory listing (mod_dirlisting of lighttpd 1.4.69), known by the one table with
  /// the summary "Directory Listing" below the title "Index of …"; header and readme
  /// (`dir-listing.show-header`, `dir-listing.show-readme`) stand around it.
  ///
  /// Dates are to the second, in the server's zone. Sizes are rounded down to tenths of a unit.
  /// Names that begin with a dot are listed where it is told to.
  static let lighttpd = ServerListing(
    name: .lighttpd, noun: "lighttpd's directory listing",
    begins: { $0.hasPrefix("<") && $0.contains("<table summary=\"Directory Listing\" ") },
    lists: [
      .table: .table(.summary, "Directory Listing", cells: ["n", "m", "s", "t"]) { href, cells in
        DirectoryRow(
          href: href, local: cells[1].text, size: ListedSize(cells[2].text)?.asRounded)
      }
    ],
    frames: { $0.isTitled("Index of ") })
}
