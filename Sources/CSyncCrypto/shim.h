// SHA-256 through OpenSSL's EVP interface (Apple systems use CryptoKit instead).
#ifndef CSYNC_CRYPTO_SHIM_H
#define CSYNC_CRYPTO_SHIM_H

#include <openssl/evp.h>

#endif
