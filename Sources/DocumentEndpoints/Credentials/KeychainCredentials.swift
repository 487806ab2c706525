#if canImport(Security)
  package import DocumentSync
  private import SyncEssentials
  private import Security

  /// Keeps credentials in the keychain of the system, readable after the first unlock, and on this
  /// device only.
  package struct KeychainCredentials: CredentialStore {
    private let service: String

    /// Keeps them under a name, as that of an app and a server.
    package init(service: String) {
      self.service = service
    }

    /// What was kept.
    @concurrent public func load() async throws -> AccountCredentials? {
      var query = entry
      query[kSecReturnData as String] = true
      query[kSecMatchLimit as String] = kSecMatchLimitOne
      var found: CFTypeRef?
      let status = SecItemCopyMatching(query as CFDictionary, &found)
      if status == errSecItemNotFound { return nil }
      guard status == errSecSuccess, let data = found as? Data else {
        throw ServiceError.keychain(status: status)
      }
      guard let credentials = CredentialForm.credentials(Array(data)) else {
        throw ServiceError.keychain(status: errSecDecode)
      }
      return credentials
    }

    /// Keeps these.
    @concurrent public func keep(_ credentials: AccountCredentials) async throws {
      let content: [String: Any] = [
        kSecValueData as String: Data(CredentialForm.bytes(of: credentials)),
        kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
      ]
      var status = SecItemUpdate(entry as CFDictionary, content as CFDictionary)
      if status == errSecItemNotFound {
        let new = entry.merging(content) { $1 }
        status = SecItemAdd(new as CFDictionary, nil)
      }
      guard status == errSecSuccess else { throw ServiceError.keychain(status: status) }
    }

    /// Keeps none any more.
    @concurrent public func remove() async throws {
      let status = SecItemDelete(entry as CFDictionary)
      guard status == errSecSuccess || status == errSecItemNotFound else {
        throw ServiceError.keychain(status: status)
      }
    }

    private var entry: [String: Any] {
      [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: service,
        kSecAttrAccount as String: "account",
      ]
    }
  }
#endif
