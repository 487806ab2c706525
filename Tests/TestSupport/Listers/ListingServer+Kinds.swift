import Foundation

extension ListingServer {
  /// Which server it is, as Debian has it.
  package enum Kind: Hashable, Sendable {
    /// Apache, with these `IndexOptions`; or, without any, in the plain form.
    case apache(String?)
    /// Caddy's `file_server browse`.
    case caddy
    /// lighttpd's mod_dirlisting.
    case lighttpd
    /// Python's `http.server`.
    case python

    /// Whether it lists names that begin with a dot.
    package var listsDotFiles: Bool { self != .lighttpd }

    /// Whether it tells when a file was changed.
    package var tellsDates: Bool { self != .python && self != .apache(nil) }

    /// The program's name.
    var program: String {
      switch self {
      case .apache: "apache2"
      case .caddy: "caddy"
      case .lighttpd: "lighttpd"
      case .python: "python3"
      }
    }

    func arguments(_ place: Place, configuration: String) -> [String] {
      switch self {
      // One process, so that none of its own outlives it.
      case .apache: ["-X", "-f", configuration]
      case .caddy: ["run", "--adapter", "caddyfile", "--config", configuration]
      case .lighttpd: ["-D", "-f", configuration]
      case .python:
        ["-m", "http.server", "--bind", "127.0.0.1", "--directory", place.root, "\(place.port)"]
      }
    }

    /// Its configuration; Python's has none.
    func configuration(_ place: Place) -> String {
      switch self {
      case .apache(let options): Self.apache(options, place)
      case .caddy: Self.caddy(place)
      case .lighttpd: Self.lighttpd(place)
      case .python: ""
      }
    }

    /// What a line of its log tells; `nil` where it tells of no request.
    func request(_ line: Substring) -> NginxServer.Request? {
      guard self == .caddy else { return Self.request(inside: line) }
      let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      guard let object, let request = object["request"] as? [String: Any],
        let method = request["method"] as? String, let target = request["uri"] as? String,
        let status = object["status"] as? Int
      else { return nil }
      return NginxServer.Request(method: method, status: status, target: target)
    }

    /// `… "GET /name HTTP/1.1" 200 …`
    private static func request(inside line: Substring) -> NginxServer.Request? {
      let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
      guard parts.count > 2, let status = parts[2].split(separator: " ").first.flatMap({ Int($0) })
      else { return nil }
      let words = parts[1].split(separator: " ")
      guard words.count == 3 else { return nil }
      return NginxServer.Request(
        method: String(words[0]), status: status, target: String(words[1]))
    }
  }
}

extension ListingServer.Kind {
  private static func apache(_ options: String?, _ place: ListingServer.Place) -> String {
    let access =
      place.realm == nil
      ? [] : ["auth_digest", "authn_core", "authn_file", "authz_user"]
    let modules = (["mpm_event", "autoindex", "authz_core", "mime"] + access).map {
      "LoadModule \($0)_module /usr/lib/apache2/modules/mod_\($0).so"
    }
    return """
      \(modules.joined(separator: "\n"))
      \(geteuid() == 0 ? "User www-data\nGroup www-data" : "")
      ServerRoot "\(place.state)"
      ServerName localhost
      Listen 127.0.0.1:\(place.port)
      PidFile "\(place.state)/pid"
      ErrorLog "\(place.state)/error.log"
      CustomLog "\(place.state)/access.log" "\\"%r\\" %>s"
      DocumentRoot "\(place.root)"
      TypesConfig /dev/null
      AddType text/html .html
      HeaderName HEADER.html
      ReadmeName README.html
      <Directory "/">
        Options Indexes FollowSymLinks
        \(options.map { "IndexOptions \($0)" } ?? "")
        \(place.realm.map { Self.apache(asking: $0, place) } ?? "Require all granted")
      </Directory>
      """
  }

  private static func apache(asking realm: String, _ place: ListingServer.Place) -> String {
    """
    AuthType Digest
    AuthName "\(realm)"
    AuthDigestProvider file
    AuthUserFile "\(place.state)/\(ListingServer.Passwords.file)"
    Require valid-user
    """
  }

  private static func caddy(_ place: ListingServer.Place) -> String {
    """
    {
      admin off
      auto_https off
    }
    http://127.0.0.1:\(place.port) {
      bind 127.0.0.1
      root * "\(place.root)"
      file_server browse
      log {
        output file "\(place.state)/access.log"
        format json
      }
    }
    """
  }

  private static func lighttpd(_ place: ListingServer.Place) -> String {
    """
    server.modules = ("mod_dirlisting", "mod_accesslog")
    server.bind = "127.0.0.1"
    server.port = \(place.port)
    server.document-root = "\(place.root)"
    server.errorlog = "\(place.state)/error.log"
    accesslog.filename = "\(place.state)/access.log"
    accesslog.format = "\\"%r\\" %>s"
    dir-listing.activate = "enable"
    dir-listing.encoding = "utf-8"
    \(place.realm.map { Self.lighttpd(asking: $0, place) } ?? "")
    """
  }

  private static func lighttpd(asking realm: String, _ place: ListingServer.Place) -> String {
    """
    server.modules += ("mod_auth", "mod_authn_file")
    auth.backend = "htdigest"
    auth.backend.htdigest.userfile = "\(place.state)/\(ListingServer.Passwords.file)"
    auth.require = ("/" => ("method" => "digest", "realm" => "\(realm)", "require" => "valid-user"))
    """
  }
}
