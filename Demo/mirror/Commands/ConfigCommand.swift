import CatalogMirror
import Console

/// `mirror config check FILE`
struct ConfigCommand {
  private let source: ConfigurationSource
  private let style: Invocation.Style

  init(_ invocation: Invocation) {
    source = ConfigurationSource(invocation.checked, CommandLineWords(.watch), environment: [])
    style = invocation.style
  }

  /// Says what a file says; throws ``UsageError`` for a mistake in it.
  func run() throws -> ExitStatus {
    let configuration = try source.read()
    switch style {
    case .people: for line in Self.lines(of: configuration) { Streams.out(line) }
    case .json: Self.write(configuration)
    case .quiet: break
    }
    return .done
  }

  /// What was understood, a mirror after the other, in a form that could be a file again but for
  /// what isn't shown.
  static func lines(of configuration: MirrorConfiguration) -> [String] {
    configuration.mirrors.flatMap { mirror in
      ["[\(mirror.name)]"] + rows(of: mirror).map { "\($0.name) = \($0.value)" } + [""]
    } + ["\(Amounts.count(configuration.mirrors.count, "mirror")), and nothing is wrong with them"]
  }

  private static func rows(of mirror: ConfiguredMirror) -> [(name: String, value: String)] {
    let own = zip(Invocation.ownKeys, mirror.operands).map { name, value in
      (name, name == "catalog" ? URLReference(value)?.redacted ?? value : value)
    }
    return own
      + mirror.settings.map { setting in
        (setting.name, secrets.contains(setting.name) ? "(not shown)" : setting.value ?? "yes")
      }
  }

  /// What may hold a secret, or leads to one, isn't shown.
  static let secrets: Set = [
    "header", "token-file", "netrc-file", "cert-key", "proxy", "after-change", "after-failure",
  ]

  private static func write(_ configuration: MirrorConfiguration) {
    for mirror in configuration.mirrors {
      JSONLine.write("mirror") { line in
        line.add("name", mirror.name)
        line.array("settings") { list in
          for (name, value) in rows(of: mirror) {
            list.object { row in
              row.add("name", name)
              row.add("value", value)
            }
          }
        }
      }
    }
    JSONLine.write("checked") { $0.add("mirrors", configuration.mirrors.count) }
  }
}
