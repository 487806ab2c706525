extension APIForm {
  /// Nodes of a GraphQL connection.
  static let graphQLIssues = APIForm(
    table: "issues",
    json: #"""
      [{"id":"I_1","number":1,"title":"Bug","author":{"login":"octocat","__typename":"User"},
      "labels":{"nodes":[{"id":"LA_1","name":"bug"},{"id":"LA_2","name":"ui"}]},"comments":{
      "totalCount":1,"edges":[{"cursor":"c1","node":{"id":"IC_1","body":"me too","author":{"login":
      "hubot","__typename":"Bot"}}}]}},{"id":"I_2","number":2,"title":"Feature","author":null,
      "labels":{"nodes":[{"id":"LA_2","name":"ui"}]},"comments":{"totalCount":0,"edges":[]}}]
      """#)

  /// Statuses, as Mastodon lists them.
  static let mastodonStatuses = APIForm(
    table: "statuses",
    json: #"""
      [{"id":"103270115826048975","created_at":"2019-12-08T03:48:33.901Z","in_reply_to_id":null,
      "in_reply_to_account_id":null,"sensitive":false,"spoiler_text":"","visibility":"public",
      "language":"en","uri":"https://mastodon.social/users/Gargron/statuses/103270115826048975",
      "replies_count":5,"reblogs_count":6,"favourites_count":11,"content":
      "<p>&quot;I lost my inheritance&quot;</p>","reblog":null,"application":{"name":"Web",
      "website":null},"account":{"id":"1","username":"Gargron","acct":"Gargron","display_name":
      "Eugen","locked":false,"bot":false,"created_at":"2016-03-16T14:34:26.392Z","followers_count":
      322930,"fields":[{"name":"Patreon","value":"https://www.patreon.com/mastodon","verified_at":
      null},{"name":"Homepage","value":"https://zeonfederated.com","verified_at":
      "2019-07-15T18:29:57.191+00:00"}],"emojis":[]},"media_attachments":[],"mentions":[],"tags":[],
      "emojis":[],"card":{"url":"https://www.theguardian.com/money","title":
      "I lost my inheritance","type":"link","width":400,"height":240},"poll":null},{"id":
      "103270115826048976","created_at":"2019-12-08T04:00:00.000Z","in_reply_to_id":
      "103270115826048975","in_reply_to_account_id":"1","sensitive":false,"spoiler_text":"",
      "visibility":"public","language":"en","uri":"https://mastodon.social/users/trwnh/statuses/1",
      "replies_count":0,"reblogs_count":0,"favourites_count":1,"content":"<p>#hello</p>",
      "application":null,"reblog":{"id":"99","created_at":"2019-01-01T00:00:00.000Z","content":
      "<p>old</p>","account":{"id":"1","username":"Gargron","acct":"Gargron","display_name":
      "Eugen","locked":false,"bot":false,"created_at":"2016-03-16T14:34:26.392Z","followers_count":
      322930,"fields":[{"name":"Patreon","value":"https://www.patreon.com/mastodon","verified_at":
      null},{"name":"Homepage","value":"https://zeonfederated.com","verified_at":
      "2019-07-15T18:29:57.191+00:00"}],"emojis":[]}},"account":{"id":"14715","username":"trwnh",
      "acct":"trwnh","display_name":"infinite love","locked":false,"bot":false,"created_at":
      "2016-11-24T10:02:12.085Z","followers_count":821,"fields":[],"emojis":[{"shortcode":
      "fatyoshi","url":"https://files.mastodon.social/fatyoshi.png","static_url":
      "https://files.mastodon.social/fatyoshi_s.png","visible_in_picker":true}]},
      "media_attachments":[{"id":"22345792","type":"image","url":
      "https://files.mastodon.social/1.png","meta":{"original":{"width":640,"height":480,"size":
      "640x480","aspect":1.3333333333333333},"focus":{"x":-0.27,"y":0.51}},"description":"test",
      "blurhash":"UFBWY:8_0J"}],"mentions":[{"id":"1","username":"Gargron","url":
      "https://mastodon.social/@Gargron","acct":"Gargron"}],"tags":[{"name":"hello","url":
      "https://mastodon.social/tags/hello"}],"emojis":[],"card":null,"poll":{"id":"34830",
      "expires_at":"2019-12-05T04:05:08.302Z","expired":true,"multiple":false,"votes_count":10,
      "options":[{"title":"accept","votes_count":6},{"title":"deny","votes_count":4}],"emojis":[]}}]
      """#)

  /// A package, as npm describes it.
  static let npmPackage = APIForm(
    table: "packages",
    json: #"""
      [{"_id":"is-odd","_rev":"35-1","name":"is-odd","description":
      "Returns true if the given number is odd","dist-tags":{"latest":"3.0.1"},"versions":{"0.1.0":
      {"name":"is-odd","version":"0.1.0","description":"odd","author":{"name":"Jon","url":
      "https://github.com/jon"},"dependencies":{"is-number":"^1.0.0"},"dist":{"shasum":"a1",
      "tarball":"https://registry.npmjs.org/is-odd/-/is-odd-0.1.0.tgz"},"maintainers":[{"name":
      "jon","email":"jon@example.org"}]},"3.0.1":{"name":"is-odd","version":"3.0.1","description":
      "odd","author":{"name":"Jon","url":"https://github.com/jon"},"dependencies":{"is-number":
      "^6.0.0"},"devDependencies":{"mocha":"^3.5.3"},"dist":{"integrity":"sha512-x","shasum":"a2",
      "tarball":"https://registry.npmjs.org/is-odd/-/is-odd-3.0.1.tgz","fileCount":4},
      "maintainers":[{"name":"jon","email":"jon@example.org"},{"name":"ann","email":
      "ann@example.org"}]}},"maintainers":[{"name":"jon","email":"jon@example.org"},{"name":"ann",
      "email":"ann@example.org"}],"time":{"modified":"2022-06-19T02:40:05.331Z","created":
      "2015-02-24T07:05:47.311Z","0.1.0":"2015-02-24T07:05:47.311Z","3.0.1":
      "2018-05-31T21:39:51.233Z"},"author":{"name":"Jon","url":"https://github.com/jon"},
      "keywords":["odd","number"],"license":"MIT"}]
      """#)

  /// Elements of Overpass, with keys that count for all kinds.
  static let overpass = APIForm(
    table: "elements",
    json: #"""
      [{"type":"node","id":"node/1","lat":52.1,"lon":13.2,"tags":{"name":"Spring","natural":
      "spring"}},{"type":"way","id":"way/1","nodes":[1,2,3],"tags":{"highway":"path"}},{"type":
      "relation","id":"relation/1","members":[{"type":"way","ref":1,"role":"outer"},{"type":"node",
      "ref":1,"role":""}],"tags":{"type":"multipolygon"}}]
      """#)

  /// Entities of Wikidata.
  static let wikidata = APIForm(
    table: "entities",
    json: #"""
      [{"type":"item","id":"Q42","pageid":138,"ns":0,"title":"Q42","lastrevid":1,"modified":
      "2024-01-01T00:00:00Z","labels":{"en":{"language":"en","value":"Douglas Adams"},"de":{
      "language":"de","value":"Douglas Adams"}},"descriptions":{"en":{"language":"en","value":
      "English writer"}},"aliases":{"en":[{"language":"en","value":"Douglas Noel Adams"}]},
      "claims":{"P31":[{"mainsnak":{"snaktype":"value","property":"P31","datavalue":{"value":{
      "entity-type":"item","numeric-id":5,"id":"Q5"},"type":"wikibase-entityid"},"datatype":
      "wikibase-item"},"type":"statement","id":"Q42$F078E5B3","rank":"normal"}]},"sitelinks":{
      "enwiki":{"site":"enwiki","title":"Douglas Adams","badges":[]}}},{"type":"item","id":"Q1",
      "pageid":129,"ns":0,"title":"Q1","lastrevid":2,"modified":"2024-01-02T00:00:00Z","labels":{
      "en":{"language":"en","value":"universe"}},"descriptions":{},"aliases":{},"claims":{"P580":[
      {"mainsnak":{"snaktype":"value","property":"P580","datavalue":{"value":{"time":
      "-13798000000-00-00T00:00:00Z","precision":3},"type":"time"},"datatype":"time"},"type":
      "statement","id":"Q1$1","rank":"normal"}]},"sitelinks":{}}]
      """#)

  /// A project, as PyPI describes it; with its name as a key besides.
  static let pyPI = APIForm(
    table: "projects",
    json: #"""
      [{"id":"sampleproject","info":{"name":"sampleproject","version":"4.0.0","author":"A. Random",
      "author_email":"a@example.org","classifiers":["Development Status :: 3 - Alpha",
      "Programming Language :: Python :: 3"],"project_urls":{"Homepage":
      "https://github.com/pypa/sampleproject"},"requires_dist":["peppercorn"],"yanked":false},
      "last_serial":25835134,"releases":{"3.0.0":[{"filename":"sampleproject-3.0.0.tar.gz",
      "digests":{"md5":"46a9","sha256":"117e"},"packagetype":"sdist","size":5330,
      "upload_time_iso_8601":"2022-12-01T18:51:02.000000Z","yanked":false}],"4.0.0":[{"filename":
      "sampleproject-4.0.0.tar.gz","digests":{"md5":"5b9d","sha256":"0ace"},"packagetype":"sdist",
      "size":5329,"upload_time_iso_8601":"2024-11-06T22:37:00.000000Z","yanked":false}]},"urls":[{
      "filename":"sampleproject-4.0.0.tar.gz","digests":{"md5":"5b9d","sha256":"0ace"},
      "packagetype":"sdist","size":5329,"upload_time_iso_8601":"2024-11-06T22:37:00.000000Z",
      "yanked":false}],"vulnerabilities":[]}]
      """#)

  /// Orders, as Shopify lists them.
  static let shopifyOrders = APIForm(
    table: "orders",
    json: #"""
      [{"id":450789469,"admin_graphql_api_id":"gid://shopify/Order/450789469","email":
      "bob@example.com","created_at":"2008-01-10T11:00:00-05:00","total_price":"598.94","currency":
      "USD","note_attributes":[{"name":"custom engraving","value":"Happy Birthday"}],"tax_lines":[
      {"price":"11.94","rate":0.06,"title":"State Tax"}],"tax_lines_count":1,"customer":{"id":
      207119551,"email":"bob@example.com","default_address":{"id":207119551,"customer_id":
      207119551,"city":"Louisville","default":true}},"billing_address":{"first_name":"Bob","city":
      "Louisville","zip":"40202"},"shipping_address":{"first_name":"Bob","city":"Louisville","zip":
      "40202"},"discount_codes":[{"code":"TENOFF","amount":"10.00","type":"fixed_amount"}],
      "line_items":[{"id":466157049,"product_id":632910392,"title":"IPod Nano","quantity":1,
      "price":"199.00","properties":[{"name":"Custom Engraving Front","value":"Happy Birthday"}],
      "tax_lines":[{"price":"3.98","rate":0.06,"title":"State Tax"}]},{"id":518995019,"product_id":
      632910392,"title":"IPod Nano","quantity":1,"price":"199.00","properties":[],"tax_lines":[]}],
      "fulfillments":[{"id":255858046,"order_id":450789469,"status":"failure","tracking_numbers":[
      "1Z2345"],"line_items":[{"id":466157049,"title":"IPod Nano","quantity":1,"price":"199.00"}]}]}]
      """#)

  /// Movies with their credits, as TMDB has them.
  static let movies = APIForm(
    table: "movies",
    json: #"""
      [{"id":550,"title":"Fight Club","genre_ids":[18,53],"vote_average":8.433,"release_date":
      "1999-10-15","credits":{"cast":[{"id":287,"name":"Brad Pitt","character":"Tyler Durden",
      "credit_id":"52fe4250c3a36847f80149f7","order":1},{"id":819,"name":"Edward Norton",
      "character":"Narrator","credit_id":"52fe4250c3a36847f80149f3","order":0}]}},{"id":60308,
      "title":"Moneyball","genre_ids":[18],"vote_average":7.3,"release_date":"2011-09-23",
      "credits":{"cast":[{"id":287,"name":"Brad Pitt","character":"Billy Beane","credit_id":
      "52fe461ec3a368484e0a67b5","order":0}]}}]
      """#)

  /// Posts of a topic, as Discourse has them.
  static let discoursePosts = APIForm(
    table: "posts",
    json: #"""
      [{"id":18,"name":null,"username":"eviltrout","post_number":1,"cooked":"<p>First</p>",
      "reply_count":0,"actions_summary":[{"id":2,"count":5,"can_act":true},{"id":3,"can_act":true}],
      "user_id":19,"topic_id":7},{"id":19,"name":"Sam","username":"sam","post_number":2,"cooked":
      "<p>Second</p>","reply_count":1,"actions_summary":[{"id":2,"count":1},{"id":6,"can_act":true}],
      "user_id":3,"topic_id":7}]
      """#)

  /// Items of Hacker News.
  static let hackerNews = APIForm(
    table: "items",
    json: #"""
      [{"by":"dhouston","descendants":71,"id":8863,"kids":[9224,8917],"score":104,"time":
      1175714200,"title":"My YC app: Dropbox - Throw away your USB drive","type":"story","url":
      "http://www.getdropbox.com/u/2/screencast.html"},{"by":"norvig","id":9224,"kids":[],"parent":
      8863,"text":"Aw shucks","time":1314211127,"type":"comment"},{"by":"pg","id":126809,"parts":[
      126810,126811],"descendants":54,"kids":[126822],"score":46,"time":1204403652,"title":
      "Poll: What would happen if News.YC had explicit support for polls?","type":"poll"}]
      """#)

  /// Events, as Google's calendar lists them.
  static let calendarEvents = APIForm(
    table: "events",
    json: #"""
      [{"kind":"calendar#event","etag":"\"1\"","id":"ev1","status":"confirmed","summary":"Standup",
      "creator":{"email":"ann@example.org","self":true},"organizer":{"email":"ann@example.org",
      "self":true},"start":{"dateTime":"2024-01-02T09:00:00+01:00","timeZone":"Europe/Berlin"},
      "end":{"dateTime":"2024-01-02T09:15:00+01:00","timeZone":"Europe/Berlin"},"recurrence":[
      "RRULE:FREQ=DAILY"],"attendees":[{"email":"ann@example.org","responseStatus":"accepted",
      "self":true},{"email":"bob@example.org","responseStatus":"needsAction"}],"reminders":{
      "useDefault":false,"overrides":[{"method":"popup","minutes":10}]}},{"kind":"calendar#event",
      "etag":"\"2\"","id":"ev2","status":"cancelled","start":{"date":"2024-01-05"},"end":{"date":
      "2024-01-06"},"attendees":[{"email":"bob@example.org","responseStatus":"declined"}]}]
      """#)
}
