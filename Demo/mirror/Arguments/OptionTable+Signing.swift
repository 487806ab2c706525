import CatalogMirror
import Console

extension OptionTable<Invocation> {
  /// Whose signature a catalog is believed by.
  static let verifying: [Option<Invocation>] = [
    Option(
      "verify-key", for: [.sync, .plan, .verify, .doctor],
      """
      believe only a catalog that the key in this file has signed, or another one that is given \
      so, as 'openssl pkey -pubout' writes it; entries without a sha256 fail
      """,
      isRepeatable: true,
      .value("FILE") { $0.mirror.verifyKeys.append($1) }),
    Option(
      "unsigned", for: [.sync, .plan, .verify, .publish],
      """
      go on without a key in a folder whose catalog was checked by one before, or publish one that \
      isn't signed in the place of one that is
      """,
      .flag { ($0.mirror.acceptsUnsigned, $0.publishing.acceptsUnsigned) = (true, true) }),
  ]

  /// Who signs a catalog that is published, and until when it may be taken.
  static let signing: [Option<Invocation>] = [
    Option(
      "sign-key", for: [.publish],
      """
      sign the catalog with the private key in this file, as 'openssl genpkey -algorithm ed25519' \
      writes it, and with that in each other file that is given so; nobody else may be allowed to \
      read it
      """,
      isRepeatable: true,
      .value("FILE") { $0.publishing.signKeys.append($1) }),
    Option(
      "expires", for: [.publish],
      """
      with --sign-key, how long mirrors may take a state; it is published anew, changed or not, \
      when less than half of that is left
      """,
      standard: "for ever",
      .value("TIME") { $0.publishing.expires = try Value.positiveDuration($1) }),
  ]
}
