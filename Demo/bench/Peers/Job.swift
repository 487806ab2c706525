import Foundation

/// What is to be copied, and where it is served: from this the command lines follow.
struct Job {
  let set: DataSet
  /// `http://127.0.0.1:PORT/SET/`
  let url: String
  /// Where lists of URLs are kept.
  let lists: URL
  /// The digests by path, as the catalog has them.
  var digests: [String: String] = [:]
  /// Transfers at once.
  var width = 32
  var mirror = "mirror"
  /// The most descriptors that `mirror` may have open; unlimited by default.
  var descriptors: Int?
  var rsyncURL = ""

  /// Writes a list and returns its path.
  func list(_ suffix: String, _ lines: (DataSet.File) -> String) -> String {
    let file = lists.appending(path: "\(set.name).\(suffix)")
    let text = set.everything.map(lines).joined()
    // An unwritten list shows: the contender fails, and with it the run.
    try? text.write(to: file, atomically: true, encoding: .utf8)
    return file.path
  }
}

extension Job {
  /// `mirror`, from the catalog.
  func ours(_ options: String...) -> Command { ours(from: "catalog.ndjson", options) }

  /// `mirror`, from the directory listing.
  func oursFromListing(_ options: String...) -> Command { ours(from: "", options) }

  func ours(from path: String, _ options: [String]) -> Command {
    let command = Command(mirror, ["sync", url + path, "copy", "--quiet"] + options)
    guard let descriptors else { return command }
    // Without another try, a connection that got no descriptor shows: its item fails.
    return Command(command.program, command.arguments + ["--retries", "0"])
      .limited(toDescriptors: descriptors)
  }
}
