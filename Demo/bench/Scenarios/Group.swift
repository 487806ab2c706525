/// A part of the benchmark, measured in one run and shown under one heading.
enum Group: String, CaseIterable, Codable {
  case mirror, catalogs, packed, records, nested, documents

  var title: String {
    switch self {
    case .mirror: "The mirror"
    case .catalogs: "What others publish"
    case .packed: "Published for speed"
    case .records: "Records"
    case .nested: "Records as APIs give them"
    case .documents: "Documents"
    }
  }

  /// What holds for all of its scenarios.
  var introduction: String {
    switch self {
    case .mirror:
      """
      All contenders fetch from one nginx on loopback. "Server" is what nginx took of two cores,
      "wrong" how many files of the copy were missing or out of date afterwards. Unless it is said
      otherwise, `mirror` verified every digest and its copies survive a power cut.
      """
    case .catalogs:
      """
      All contenders of a scenario fetch from one server on loopback, which counts what it is asked
      for. "Server" is what it took of two cores, "wrong" how many files of the copy were missing or
      out of date afterwards. Copies of `mirror` survive a power cut.
      """
    case .packed:
      """
      Contenders that fetch do so from one nginx on loopback. "Server" is what it took of two cores,
      "wrong" how many files of the copy were missing or out of date afterwards. Copies of `mirror`
      are verified and survive a power cut, and so do the catalogs and packs that it publishes.
      """
    case .records, .nested:
      """
      All contenders find equal databases, with a write-ahead log whose commits are flushed to the
      disk (`synchronous` is FULL), and payloads that are in memory. "Wrong" is how many rows of the
      tables weren't as they have to be afterwards. Unless it is said otherwise, times are of the
      work alone, from the payload in memory to the commit, without starting a program and opening
      the database; "CPU" and "peak" are of the whole process.
      """
    case .documents:
      """
      All databases have a write-ahead log whose commits are flushed to the disk (`synchronous` is
      FULL). Times are of the work alone, to the commit where something is written, without starting
      a program and opening the database; "CPU" and "peak" are of the whole process. A round in
      which a document is missing or wrong is an error.
      """
    }
  }
}
