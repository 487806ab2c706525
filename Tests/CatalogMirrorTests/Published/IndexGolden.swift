/// Pages of a Python package index, in the forms that the packaging guide gives.
enum IndexGolden {
  static let digest = String(repeating: "ef", count: 32)

  static let projectJSON = #"""
    {
      "meta": {"api-version": "1.1", "_last-serial": 42},
      "name": "holygrail",
      "versions": ["1.0", "1.1"],
      "files": [
        {
          "filename": "holygrail-1.0.tar.gz", "url": "https://files.test/packages/holygrail-1.0.tar.gz",
          "hashes": {"sha256": "\#(digest)", "blake2b": "12"},
          "requires-python": ">=3.7", "yanked": "Had a vulnerability", "size": 123,
          "upload-time": "2026-01-02T03:04:05.678901Z"
        },
        {
          "filename": "holygrail-1.0-py3-none-any.whl",
          "url": "../../files/holygrail-1.0-py3-none-any.whl",
          "hashes": {"sha256": "\#(digest)"}, "core-metadata": {"sha256": "\#(digest)"},
          "yanked": false, "size": 1337, "upload-time": "2026-01-02T03:04:06Z"
        },
        {"filename": "holygrail-0.9.zip", "url": "holygrail-0.9.zip", "hashes": {}, "yanked": true}
      ]
    }

    """#

  static let indexJSON = #"""
    {
      "meta": {"api-version": "1.0"},
      "projects": [{"name": "Frob"}, {"name": "spam.Spam__spam"}]
    }

    """#

  static let projectHTML = """
    <!DOCTYPE html>
    <html>
      <head>
        <meta name="pypi:repository-version" content="1.1">
        <title>Links for holygrail</title>
      </head>
      <body>
        <h1>Links for holygrail</h1>
        <a href="https://files.test/packages/holygrail-1.0.tar.gz#sha256=\(digest)" \
    data-requires-python="&gt;=3.7" data-yanked="Had a &quot;vulnerability&quot;">\
    holygrail-1.0.tar.gz</a><br />
        <a href="../../files/holygrail-1.0-py3-none-any.whl#sha256=\(digest)" \
    data-core-metadata="sha256=\(digest)">holygrail-1.0-py3-none-any.whl</a><br />
        <a href="holygrail-0.9.zip#md5=0123" data-yanked="">holygrail-0.9.zip</a><br />
      </body>
    </html>

    """

  static let indexHTML = """
    <!DOCTYPE html>
    <html>
      <head>
        <meta name="pypi:repository-version" content="1.0">
        <title>Simple index</title>
      </head>
      <body>
        <a href="/simple/frob/">frob</a>
        <a href="/simple/spam-spam-spam/">spam.Spam__spam</a>
      </body>
    </html>

    """

  static let all = [projectJSON, indexJSON, projectHTML, indexHTML]
}
