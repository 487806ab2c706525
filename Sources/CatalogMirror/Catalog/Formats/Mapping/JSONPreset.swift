import SyncText

/// What is known by name of how services answer: a ``JSONMapping`` each.
enum JSONPreset {
  /// Name, what it is for sentences, and the mapping.
  private static let all = [
    // https://docs.github.com/en/rest/releases/releases: …/repos/OWNER/REPO/releases
    (
      "github-releases", "a list of GitHub releases",
      """
      items=[].assets,key={tag_name}/{name},url=browser_download_url,size=size,\
      sha256=digest,modified=updated_at
      """
    ),
    // https://docs.github.com/en/rest/orgs/orgs: /organizations, the pictures of all
    (
      "github-orgs", "a list of GitHub organizations",
      """
      items=.,key=login,url=avatar_url,preview.url={avatar_url}&s=64,\
      title=description
      """
    ),
    // https://huggingface.co/docs/hub/api: /api/models/OWNER/NAME/tree/REVISION?recursive=true
    (
      "huggingface-tree", "a tree of files of a Hugging Face model",
      """
      items=[type=file],key=path,\
      url=/{@address.3}/{@address.4}/resolve/{@address.6}/{path},size=size,\
      sha256=lfs.oid,version=oid
      """
    ),
    // https://github.com/radiantearth/stac-api-spec: …/collections/NAME/items, and …/search
    (
      "stac-items", "a collection of STAC items",
      """
      items=features[].assets.*,key={collection}/{id}/{@key}/{href|file},url=href,\
      size=file:size,sha256=file:checksum,modified=properties.updated,title=title,\
      preview.url=assets.thumbnail.href,next=links[rel=next].href
      """
    ),
    // https://archive.org/developers/md-read.html: /metadata/IDENTIFIER
    (
      "internet-archive", "an item's metadata of the Internet Archive",
      """
      items=files,key=name,url=/download/{metadata.identifier}/{name},size=size,\
      version=sha1,modified=mtime,title=title
      """
    ),
  ]

  static let formats: [any CatalogFormat] = all.compactMap { name, noun, text in
    (try? JSONMapping(text)).map { MappedFormat(name: CatalogFormatName(name), noun: noun, $0) }
  }
}
