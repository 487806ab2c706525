/// What services answer, in their documentation's words for members, cut to what matters.
enum ServiceGolden {
  static let digest = String(repeating: "cd", count: 32)

  static let githubReleases = #"""
    [
      {
        "url": "https://api.github.com/repos/octocat/Hello-World/releases/1",
        "assets_url": "https://api.github.com/repos/octocat/Hello-World/releases/1/assets",
        "id": 1, "tag_name": "v1.1.0", "target_commitish": "main", "name": null,
        "body": "Second [release], with \"quotes\"", "draft": false, "prerelease": false,
        "created_at": "2026-02-27T19:35:32Z", "published_at": "2026-02-27T19:35:32Z",
        "author": {"login": "octocat", "id": 1, "site_admin": false},
        "assets": [
          {
            "url": "https://api.github.com/repos/octocat/Hello-World/releases/assets/11",
            "browser_download_url": "https://github.com/octocat/Hello-World/releases/download/v1.1.0/hello%20world.zip",
            "id": 11, "name": "hello world.zip", "label": "short", "state": "uploaded",
            "content_type": "application/zip", "size": 1024, "digest": "sha256:\#(digest)",
            "download_count": 42, "created_at": "2026-02-27T19:35:32Z",
            "updated_at": "2026-02-27T19:35:33Z", "uploader": {"login": "octocat", "id": 1}
          },
          {
            "browser_download_url": "https://github.com/octocat/Hello-World/releases/download/v1.1.0/old.tar.gz",
            "id": 12, "name": "old.tar.gz", "label": "", "state": "uploaded",
            "content_type": "application/gzip", "size": 5, "digest": null, "download_count": 0,
            "created_at": "2026-02-27T19:35:32Z", "updated_at": "2026-02-28T00:00:00Z"
          }
        ]
      },
      {"id": 2, "tag_name": "v1.0.0", "name": "First", "assets": []}
    ]

    """#

  static let githubOrganizations = #"""
    [
      {
        "login": "github", "id": 9919, "node_id": "MDEyOk9yZ2FuaXphdGlvbjk5MTk=",
        "url": "https://api.github.com/orgs/github",
        "repos_url": "https://api.github.com/orgs/github/repos",
        "members_url": "https://api.github.com/orgs/github/members{/member}",
        "avatar_url": "https://avatars.githubusercontent.com/u/9919?v=4", "description": "How people build."
      },
      {
        "login": "rails", "id": 4223, "url": "https://api.github.com/orgs/rails",
        "avatar_url": "https://avatars.githubusercontent.com/u/4223?v=4", "description": null
      }
    ]

    """#

  static let huggingFaceTree = #"""
    [
      {"type": "directory", "oid": "1e2f", "size": 0, "path": "onnx"},
      {"type": "file", "oid": "a6344aac8c09253b3b630fb776ae94478aa0275b", "size": 1519, "path": ".gitattributes"},
      {"type": "file", "oid": "2f1b", "size": 440473133, "path": "onnx/model 1.onnx",
       "lfs": {"oid": "\#(digest)", "size": 440473133, "pointerSize": 134}, "xetHash": "77"}
    ]

    """#

  static let stacItems = #"""
    {
      "type": "FeatureCollection",
      "features": [
        {
          "type": "Feature", "stac_version": "1.0.0", "id": "S2A_31UFS", "collection": "sentinel-2",
          "geometry": {"type": "Point", "coordinates": [4.5, 52.1]}, "bbox": [4.5, 52.1, 4.5, 52.1],
          "properties": {"datetime": "2026-01-02T10:56:11Z", "updated": "2026-01-03T00:00:00Z"},
          "links": [{"rel": "self", "href": "https://stac.test/collections/sentinel-2/items/S2A_31UFS"}],
          "assets": {
            "thumbnail": {"href": "https://data.test/S2A/preview.jpg", "type": "image/jpeg", "roles": ["thumbnail"]},
            "B04": {"href": "https://data.test/S2A/B04.tif", "title": "Red", "type": "image/tiff; application=geotiff",
                    "file:size": 146484, "file:checksum": "1220\#(digest)"},
            "archive": {"href": "s3://bucket/S2A/B04.tif"}
          }
        }
      ],
      "links": [
        {"rel": "self", "href": "https://stac.test/collections/sentinel-2/items"},
        {"rel": "next", "href": "https://stac.test/collections/sentinel-2/items?token=next:1", "method": "GET"}
      ],
      "numberMatched": 10, "numberReturned": 1
    }

    """#

  static let internetArchive = #"""
    {
      "created": 1398865604, "d1": "ia600503.test", "dir": "/0/items/frenchenglishmed",
      "files": [
        {"name": "frenchenglishmed_marc.xml", "source": "original", "format": "MARC", "size": "2692",
         "mtime": "1206413132", "crc32": "e46198d3", "md5": "f7ec6f558f81794407deac756f496adf",
         "sha1": "991b5a1af1e5bd035c26359cc372b45a14fc3a29"},
        {"name": "pages/page 1.jp2", "source": "derivative", "format": "JPEG 2000", "size": "520",
         "mtime": "1206413133", "sha1": "633541a3c3811a5edf337bc7fd49db43758879df"},
        {"name": "frenchenglishmed_files.xml", "source": "original", "format": "Metadata",
         "md5": "0790933c22f6eeaf8a5088b90ddd4229", "summation": "md5"}
      ],
      "files_count": 3, "item_size": 3212,
      "metadata": {"identifier": "frenchenglishmed", "mediatype": "texts", "title": "Dictionary"},
      "server": "ia600503.test", "uniq": 1
    }

    """#

  /// Each preset's name, and an answer that it reads.
  static let all = [
    ("github-releases", githubReleases), ("github-orgs", githubOrganizations),
    ("huggingface-tree", huggingFaceTree), ("stac-items", stacItems),
    ("internet-archive", internetArchive),
  ]
}
