// OpenSSL 3, and one `static inline` for each function-like macro that Swift does not import.
#ifndef AASA_COPENSSL_H
#define AASA_COPENSSL_H

#include <openssl/bio.h>
#include <openssl/cms.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#endif
