import Foundation

/// What may be chosen on the command line.
struct BenchOptions {
  /// The scenarios to run.
  var only = Scenario.names
  /// Measured rounds; before them one warms up.
  var rounds = 5
  /// How much of the full amount of files is used, above 0 to 1.
  var scale = 1.0
  /// Small data, one round, no warm-up; no time is judged, but traffic is asserted as ever.
  var isQuick = false
  var jsonFile: String?
  var writesPage = false
  var mirror = ".build/programs/release/mirror"
  var records = ".build/programs/release/records"
  /// A Python that has the packages that are measured; one of the system's has none.
  var python = "python3"
  /// The folder with the programs of PyPI that are measured.
  var transfers: String?
  /// The build of mirror that people install.
  var packaged: String?
  /// Another build of mirror, that takes the peers' place.
  var earlier: String?
  var package = "."
  var work = ".build/bench"

  static let help = """
    Demo/bench/run [OPTION…]     mirror, records and documents beside their peers

      --only B1,B3       these scenarios, or all of a part: mirror, catalogs,
                         packed, records, nested, documents [all]
      --rounds N         measured rounds; one more warms up [5]
      --scale F          this share of the files, for a first impression; not judged [1]
      --quick            small data and one round in about two minutes: no time is judged;
                         requests, bytes, descriptors and rows have to be exactly right; without
                         the peers that come from PyPI
      --json FILE        the report as JSON
      --page             writes the documentation's page "Benchmarks" and its charts, at the end of
                         the whole benchmark; of all of one part, that part of the page
      --mirror PROGRAM   another build of mirror [the one of the package]
      --packaged PROGRAM the build of mirror that people install, as Demo/package makes it, which
                         speaks HTTP/2: beside the other one where the server is far away
      --records PROGRAM  another build of records [.build/programs/release/records]
      --against PROGRAM  beside another build of mirror, an earlier one for example, and not
                         beside the peers: of the mirror's scenarios only
      --work FOLDER      where data and images of file systems are kept [.build/bench]

    It needs root, for file systems of its own, and about 12 GB in the work folder.
    """

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let name = rest.popFirst() {
      switch name {
      case "--only":
        only = try Self.scenarios(try Self.value(of: name, &rest))
      case "--rounds": rounds = try Self.number(name, &rest) { Int($0) }
      case "--scale": scale = try Self.number(name, &rest) { Double($0) }
      case "--quick": isQuick = true
      case "--json": jsonFile = try Self.value(of: name, &rest)
      case "--page": writesPage = true
      case "--mirror": mirror = try Self.value(of: name, &rest)
      case "--packaged": packaged = try Self.value(of: name, &rest)
      case "--records": records = try Self.value(of: name, &rest)
      case "--python": python = try Self.value(of: name, &rest)
      case "--transfers": transfers = try Self.value(of: name, &rest)
      case "--against": earlier = try Self.value(of: name, &rest)
      case "--package": package = try Self.value(of: name, &rest)
      case "--work": work = try Self.value(of: name, &rest)
      default: throw UsageProblem(description: "no option '\(name)'; see --help")
      }
    }
    if earlier != nil {
      let parts = [Group.mirror, .catalogs, .packed].map { Scenario.names(of: $0) }
      only.formIntersection(parts.joined())
    }
    guard !writesPage || isWhole else {
      throw UsageProblem(
        description: "--page: it shows the whole benchmark, or all of a part, in full and with at "
          + "least 5 rounds")
    }
  }

  /// The parts of which scenarios are to run.
  var groups: [Group] {
    Group.allCases.filter { !only.isDisjoint(with: Scenario.names(of: $0)) }
  }

  /// Whether so much is measured as the page tells of.
  private var isWhole: Bool {
    rounds >= 5 && scale >= 1 && !isQuick && earlier == nil
      && groups.allSatisfy { only.isSuperset(of: Scenario.names(of: $0)) }
  }

  private static func scenarios(_ list: String) throws -> Set<String> {
    var names: Set<String> = []
    for name in list.split(separator: ",").map(String.init) {
      if let group = Group(rawValue: name) {
        names.formUnion(Scenario.names(of: group))
      } else if Scenario.names.contains(name) {
        names.insert(name)
      } else {
        throw UsageProblem(description: "--only: no scenario '\(name)'")
      }
    }
    return names
  }

  private static func value(of name: String, _ rest: inout ArraySlice<String>) throws -> String {
    guard let value = rest.popFirst() else {
      throw UsageProblem(description: "\(name) needs a value; see --help")
    }
    return value
  }

  private static func number<Number: Comparable & ExpressibleByIntegerLiteral>(
    _ name: String, _ rest: inout ArraySlice<String>, _ read: (String) -> Number?
  ) throws -> Number {
    let text = try value(of: name, &rest)
    guard let number = read(text), number > 0 else {
      throw UsageProblem(description: "\(name): '\(text)' is no number above 0")
    }
    return number
  }
}

/// The command line can't be understood.
struct UsageProblem: Error, CustomStringConvertible {
  var description: String
}

/// The benchmark can't go on, or found something that has to be mended.
struct BenchProblem: Error, CustomStringConvertible {
  var description: String
}
