/// A payload as an API gives it, in the form that its documentation describes, written by us.
struct APIForm: Sendable {
  let table: String
  let json: String

  static let all = [
    gitHubIssues, stripeCharges, kubernetesPods, earthquakes, articles, halOrders, people,
    graphQLIssues, mastodonStatuses, npmPackage, overpass, wikidata, pyPI, shopifyOrders, movies,
    discoursePosts, hackerNews, calendarEvents,
  ]
}

extension APIForm {
  /// Issues of a repository, as GitHub lists them.
  static let gitHubIssues = APIForm(
    table: "issues",
    json: #"""
      [{"id":1296269,"node_id":"MDU6SXNzdWUx","url":
      "https://api.github.com/repos/octocat/Hello-World/issues/1347","number":1347,"state":"open",
      "title":"Found a bug","body":"I'm having a problem with this.","user":{"login":"octocat",
      "id":1,"node_id":"MDQ6VXNlcjE=","avatar_url":
      "https://github.com/images/error/octocat_happy.gif","type":"User","site_admin":false},
      "labels":[{"id":208045946,"node_id":"MDU6TGFiZWwyMDgwNDU5NDY=","name":"bug","color":"f29513",
      "default":true,"description":"Something isn't working"}],"assignee":{"login":"octocat","id":
      1,"node_id":"MDQ6VXNlcjE=","avatar_url":"https://github.com/images/error/octocat_happy.gif",
      "type":"User","site_admin":false},"assignees":[{"login":"octocat","id":1,"node_id":
      "MDQ6VXNlcjE=","avatar_url":"https://github.com/images/error/octocat_happy.gif","type":
      "User","site_admin":false},{"login":"hubot","id":2,"node_id":"MDQ6VXNlcjI=","avatar_url":
      "https://github.com/images/error/hubot_happy.gif","type":"User","site_admin":true}],
      "milestone":{"id":1002604,"number":1,"state":"open","title":"v1.0","description":
      "Tracking milestone for version 1.0","creator":{"login":"octocat","id":1,"type":"User"},
      "open_issues":4,"closed_issues":8,"due_on":"2012-10-09T23:39:01Z"},"locked":true,
      "active_lock_reason":"too heated","comments":0,"pull_request":{"url":
      "https://api.github.com/repos/octocat/Hello-World/pulls/1347","merged_at":null},"closed_at":
      null,"created_at":"2011-04-22T13:33:48Z","updated_at":"2011-04-22T13:33:48Z","closed_by":
      null,"author_association":"COLLABORATOR","reactions":{"url":
      "https://api.github.com/repos/octocat/Hello-World/issues/1347/reactions","total_count":3,
      "+1":2,"-1":0,"laugh":0,"hooray":0,"confused":0,"heart":1,"rocket":0,"eyes":0}},{"id":
      1296270,"node_id":"MDU6SXNzdWUy","url":
      "https://api.github.com/repos/octocat/Hello-World/issues/1348","number":1348,"state":
      "closed","title":"Typo","body":null,"user":{"login":"hubot","id":2,"node_id":"MDQ6VXNlcjI=",
      "avatar_url":"https://github.com/images/error/hubot_happy.gif","type":"User","site_admin":
      true},"labels":[{"id":208045947,"node_id":"MDU6TGFiZWwyMDgwNDU5NDc=","name":"docs","color":
      "0075ca","default":true,"description":null},{"id":208045946,"node_id":
      "MDU6TGFiZWwyMDgwNDU5NDY=","name":"bug","color":"f29513","default":true,"description":
      "Something isn't working"}],"assignee":null,"assignees":[],"milestone":null,"locked":false,
      "active_lock_reason":null,"comments":2,"closed_at":"2011-05-01T10:00:00Z","created_at":
      "2011-04-23T08:00:00Z","updated_at":"2011-05-01T10:00:00Z","closed_by":{"login":"octocat",
      "id":1,"type":"User"},"author_association":"NONE","reactions":{"url":
      "https://api.github.com/repos/octocat/Hello-World/issues/1348/reactions","total_count":0,
      "+1":0,"-1":0,"laugh":0,"hooray":0,"confused":0,"heart":0,"rocket":0,"eyes":0}}]
      """#)

  /// Charges, as Stripe lists them.
  static let stripeCharges = APIForm(
    table: "charges",
    json: #"""
      [{"id":"ch_3MmlLrLkdIwHu7ix0snN0B15","object":"charge","amount":1099,"amount_captured":1099,
      "amount_refunded":0,"balance_transaction":"txn_3MmlLrLkdIwHu7ix0uke3Ezy","billing_details":{
      "address":{"city":null,"country":"DE","line1":null,"postal_code":"10115","state":null},
      "email":null,"name":"Jenny Rosen","phone":null},"captured":true,"created":1679090539,
      "currency":"usd","customer":"cus_9s6XKzkNRiz8i3","metadata":{"order_id":"6735"},"outcome":{
      "network_status":"approved_by_network","reason":null,"risk_level":"normal","risk_score":32,
      "seller_message":"Payment complete.","type":"authorized"},"paid":true,"payment_method":
      "card_1MmlLrLkdIwHu7ixIJwEWSNR","payment_method_details":{"card":{"brand":"visa","checks":{
      "address_line1_check":null,"cvc_check":"pass"},"country":"US","exp_month":3,"exp_year":2024,
      "last4":"4242"},"type":"card"},"refunds":{"object":"list","data":[],"has_more":false,
      "total_count":0,"url":"/v1/charges/ch_3MmlLrLkdIwHu7ix0snN0B15/refunds"},"status":
      "succeeded"},{"id":"ch_2","object":"charge","amount":2000,"amount_captured":2000,
      "amount_refunded":500,"balance_transaction":"txn_2","billing_details":{"address":{"city":
      "Berlin","country":"DE","line1":"Weg 1","postal_code":"10117","state":null},"email":
      "a@example.org","name":"Ann","phone":null},"captured":true,"created":1679090600,"currency":
      "eur","customer":{"id":"cus_B","object":"customer","email":"a@example.org","name":"Ann",
      "metadata":{}},"metadata":{"order_id":"6736","shop":"7"},"outcome":null,"paid":true,
      "payment_method":"pm_2","payment_method_details":{"sepa_debit":{"bank_code":"37040044",
      "country":"DE","last4":"3000"},"type":"sepa_debit"},"refunds":{"object":"list","data":[{"id":
      "re_1","object":"refund","amount":500,"charge":"ch_2","created":1679090700,"currency":"eur",
      "status":"succeeded","metadata":{}}],"has_more":false,"total_count":1,"url":
      "/v1/charges/ch_2/refunds"},"status":"succeeded"}]
      """#)

  /// Pods, as Kubernetes lists them; each with its `uid` as a key besides.
  static let kubernetesPods = APIForm(
    table: "pods",
    json: #"""
      [{"id":"9f1c0a52-6e6c-4f5c-8c1a-0c5b6f9d0001","metadata":{"name":"web-1","namespace":
      "default","uid":"9f1c0a52-6e6c-4f5c-8c1a-0c5b6f9d0001","resourceVersion":"10001",
      "creationTimestamp":"2024-01-01T10:00:00Z","labels":{"app":"web","app.kubernetes.io/version":
      "1.2"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":
      "9f1c0a52-6e6c-4f5c-8c1a-0c5b6f9d0aaa","controller":true}]},"spec":{"nodeName":"node-1",
      "restartPolicy":"Always","containers":[{"name":"web","image":"nginx:1.25","ports":[{
      "containerPort":80,"protocol":"TCP"},{"containerPort":443,"protocol":"TCP"}],"resources":{
      "limits":{"cpu":"500m","memory":"128Mi"}}},{"name":"sidecar","image":"envoy:1","ports":[],
      "resources":{}}]},"status":{"phase":"Running","podIP":"10.1.0.5","conditions":[{"type":
      "Ready","status":"True","lastTransitionTime":"2024-01-01T10:00:05Z"},{"type":"Initialized",
      "status":"True","lastTransitionTime":"2024-01-01T10:00:01Z"}],"containerStatuses":[{"name":
      "web","ready":true,"restartCount":0,
      "state":{"running":{"startedAt":"2024-01-01T10:00:03Z"}}}]}},
      {"id":"9f1c0a52-6e6c-4f5c-8c1a-0c5b6f9d0002","metadata":{"name":"web-2","namespace":
      "default","uid":"9f1c0a52-6e6c-4f5c-8c1a-0c5b6f9d0002","resourceVersion":"10002",
      "creationTimestamp":"2024-01-01T11:00:00Z","labels":{"app":"web"},"ownerReferences":[{
      "apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":
      "9f1c0a52-6e6c-4f5c-8c1a-0c5b6f9d0aaa","controller":true}]},"spec":{"nodeName":"node-2",
      "restartPolicy":"Always","containers":[{"name":"web","image":"nginx:1.26","ports":[{
      "containerPort":80,"protocol":"TCP"}],"resources":{"limits":{"cpu":"500m","memory":"128Mi"}}}]},
      "status":{"phase":"Pending","conditions":[{"type":"Ready","status":"False",
      "lastTransitionTime":"2024-01-01T11:00:05Z"}]}}]
      """#)

  /// Features of GeoJSON, as USGS has its earthquakes.
  static let earthquakes = APIForm(
    table: "features",
    json: #"""
      [{"type":"Feature","properties":{"mag":1.2,"place":"10 km N of Ridgecrest, CA","time":
      1699999000000,"updated":1699999100000,"tz":null,"url":
      "https://earthquake.usgs.gov/earthquakes/eventpage/ci1","felt":null,"alert":null,"status":
      "automatic","tsunami":0,"sig":22,"net":"ci","code":"1","ids":",ci1,","nst":12,"dmin":0.05,
      "rms":0.15,"gap":80,"magType":"ml","type":"earthquake","title":
      "M 1.2 - 10 km N of Ridgecrest, CA"},"geometry":{"type":"Point","coordinates":[-117.6,35.7,
      5.2]},"id":"ci1"},{"type":"Feature","properties":{"mag":4,"place":"South of Fiji","time":
      1699998000000,"updated":1699999200000,"tz":null,"url":
      "https://earthquake.usgs.gov/earthquakes/eventpage/us2","felt":3,"alert":"green","status":
      "reviewed","tsunami":0,"sig":246,"net":"us","code":"2","ids":",us2,","nst":40,"dmin":3.1,
      "rms":0.9,"gap":70,"magType":"mb","type":"earthquake","title":"M 4.0 - South of Fiji"},
      "geometry":{"type":"Point","coordinates":[-178.1,-24.5,550]},"id":"us2"}]
      """#)

  /// Resources of JSON:API.
  static let articles = APIForm(
    table: "articles",
    json: #"""
      [{"type":"articles","id":"1","attributes":{"title":"JSON:API paints my bikeshed!","body":
      "The shortest article. Ever.","created":"2015-05-22T14:56:29.000Z"},"relationships":{
      "author":{"links":{"self":"http://example.com/articles/1/relationships/author"},"data":{
      "type":"people","id":"9"}},"comments":{"links":{"self":
      "http://example.com/articles/1/relationships/comments"},"data":[{"type":"comments","id":"5"},
      {"type":"comments","id":"12"}]}},"links":{"self":"http://example.com/articles/1"}},{"type":
      "articles","id":"2","attributes":{"title":"Second","body":null,"created":
      "2015-05-23T14:56:29.000Z"},"relationships":{"author":{"links":{"self":
      "http://example.com/articles/2/relationships/author"},"data":{"type":"people","id":"2"}},
      "comments":{"links":{"self":"http://example.com/articles/2/relationships/comments"},"data":[]}},
      "links":{"self":"http://example.com/articles/2"}}]
      """#)

  /// Resources of HAL.
  static let halOrders = APIForm(
    table: "orders",
    json: #"""
      [{"_links":{"self":{"href":"/orders/123"},"ea:basket":{"href":"/baskets/98712"},
      "ea:customer":{"href":"/customers/7809"}},"id":123,"total":30.0,"currency":"USD","status":
      "shipped","_embedded":{"items":[{"sku":"A1","quantity":2,"price":10.0},{"sku":"B2",
      "quantity":1,"price":10.0}]}},{"_links":{"self":{"href":"/orders/124"},"ea:basket":{"href":
      "/baskets/97213"},"ea:customer":{"href":"/customers/12369"}},"id":124,"total":20.0,
      "currency":"USD","status":"processing","_embedded":{"items":[{"sku":"A1","quantity":2,
      "price":10.0}]}}]
      """#)

  /// Entities of OData; each with its name as a key besides.
  static let people = APIForm(
    table: "people",
    json: #"""
      [{"id":"russellwhyte","@odata.id":"People('russellwhyte')","@odata.etag":
      "W/\"08D1694BD49A0F11\"","UserName":"russellwhyte","FirstName":"Russell","LastName":"Whyte",
      "MiddleName":null,"Gender":"Male","Age":null,"Emails":["Russell@example.com",
      "Russell@contoso.com"],"FavoriteFeature":"Feature1","Features":["Feature1","Feature2"],
      "AddressInfo":[{"Address":"187 Suffolk Ln.","City":{"Name":"Boise","CountryRegion":
      "United States","Region":"ID"}}],"HomeAddress":null,"Trips":[{"TripId":0,"ShareId":
      "9d9b2fa0","Name":"Trip in US","Budget":3000,"StartsAt":"2014-01-01T00:00:00Z","Tags":[
      "Trip in New York","business"]}]},{"id":"scottketchum","@odata.id":"People('scottketchum')",
      "@odata.etag":"W/\"08D1694BD49A0F12\"","UserName":"scottketchum","FirstName":"Scott",
      "LastName":"Ketchum","MiddleName":null,"Gender":"Male","Age":42,"Emails":[
      "Scott@example.com"],"FavoriteFeature":"Feature1","Features":[],"AddressInfo":[{"Address":
      "2817 Milton Dr.","City":{"Name":"Albuquerque","CountryRegion":"United States","Region":"NM"}}],
      "HomeAddress":{"Address":"1 Main","City":{"Name":"Boise","CountryRegion":"United States",
      "Region":"ID"}},"Trips":[{"TripId":0,"ShareId":"f94e9116","Name":"Trip in Beijing","Budget":
      2000.5,"StartsAt":"2014-02-01T00:00:00Z","Tags":[]},{"TripId":1,"ShareId":"9e8b1f23","Name":
      "Sub","Budget":10,"StartsAt":"2014-03-01T00:00:00Z","Tags":["x"]}]}]
      """#)
}
