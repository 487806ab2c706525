/// What a Debian repository publishes.
extension Golden {
  static let release = """
    Origin: Test
    Suite: stable
    Date: Sat, 14 Nov 2026 10:00:00 UTC
    Acquire-By-Hash: yes
    Architectures: all amd64
    Components: main contrib
    MD5Sum:
     \(String(repeating: "5a", count: 16)) 20 main/binary-amd64/Packages
     \(String(repeating: "5a", count: 16)) 20 main/binary-amd64/Packages.gz
     \(String(repeating: "5a", count: 16)) 20 main/binary-amd64/Packages.xz
     \(String(repeating: "5a", count: 16)) 20 contrib/binary-all/Packages
     \(String(repeating: "5a", count: 16)) 20 main/Contents-amd64.gz
    SHA256:
     \(digest) 20 main/binary-amd64/Packages
     \(digest) 20 main/binary-amd64/Packages.gz
     \(digest) 20 main/binary-amd64/Packages.xz
     \(digest) 20 contrib/binary-all/Packages
     \(digest) 20 main/Contents-amd64.gz

    """

  static let inRelease = """
    -----BEGIN PGP SIGNED MESSAGE-----
    Hash: SHA512

    \(release)-----BEGIN PGP SIGNATURE-----

    iQIzBAEBCgAdFiEEn3p5
    -----END PGP SIGNATURE-----

    """

  static let packages = """
    Package: a
    Description: the first
     and more: of it
     .
    Filename: pool/main/a/a_1.0+b_amd64.deb
    Size: 1234
    MD5sum: \(String(repeating: "5a", count: 16))
    SHA256: \(digest)

    Package: flat
    filename: ./flat.deb
    MD5sum: \(String(repeating: "5a", count: 16))

    Package: sizeless
    Filename: pool/s
    Size: much
    SHA256: \(digest)


    Package: nothing
    Filename: pool/n

    Package: keyless
    SHA256: \(digest)
    """

  static let otherPackages = packages.replacing("Size: 1234", with: "Size: 1235")
}
