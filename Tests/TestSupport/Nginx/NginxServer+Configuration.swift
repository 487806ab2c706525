package import Foundation

extension NginxServer {
  /// The whole of a configuration for one folder.
  package static func configuration(_ options: Options, root: URL, state: URL, port: UInt16)
    -> String
  {
    let places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
      "  \($0)_temp_path \(state.path)/\($0);"
    }
    let words = options.certificate == nil ? "" : options.speaksHTTP2 ? " ssl http2" : " ssl"
    let modules = options.modules.map { "load_module /usr/lib/nginx/modules/\($0).so;" }
    return """
      \(modules.joined(separator: "\n"))
      \(geteuid() == 0 ? "user \(options.mayReadAll ? "root" : "www-data");" : "")
      daemon off;
      worker_processes 1;
      pid \(state.path)/pid;
      events { worker_connections 512; }
      http {
        log_format brief '$request_method $status $request_uri';
        access_log \(state.path)/access.log brief;
        types { text/html html; application/json json; application/x-ndjson ndjson; }
      \(places.joined(separator: "\n"))
        \(options.common.joined(separator: "\n  "))
        server {
          listen 127.0.0.1:\(port)\(words);
          root \(root.path);
          index .none;
          \(options.listing.map { "autoindex on; autoindex_format \($0.rawValue);" } ?? "")
          \(options.certificate.map(Self.lines) ?? "")
          \(options.locations.joined(separator: "\n    "))
        }
      }
      """
  }

  private static func lines(for certificate: Certificate) -> String {
    "ssl_certificate \(certificate.file.path); ssl_certificate_key \(certificate.key.path);"
  }
}

extension NginxServer.Options {
  /// An item that isn't answered while `listener` listens, and is served from its file after that.
  package static func holding(_ path: String, at listener: LoopbackListener) -> String {
    """
    location = \(path) {
      proxy_pass http://127.0.0.1:\(listener.port);
      proxy_read_timeout 60s;
      error_page 502 504 = @file;
    }
    location @file { }
    """
  }
}

/// A certificate for 127.0.0.1 that nobody vouches for but itself.
package struct Certificate {
  package let file: URL
  package let key: URL

  /// Makes one with openssl, in `folder`.
  package init(in folder: URL) throws {
    file = folder.appending(path: "certificate.pem")
    key = folder.appending(path: "key.pem")
    let child = try ChildProcess(
      try Programs.find("openssl"),
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
        "-keyout", key.path, "-out", file.path,
      ],
      environment: [:], directory: folder, records: folder)
    guard try child.end(within: .seconds(30)) == .exited(0) else {
      throw Programs.Missing(name: "openssl", detail: child.said)
    }
  }
}
