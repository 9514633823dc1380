// OpenSSL 3, and one `static inline` for each function-like macro that Swift does not import.
//
// Nothing here decides anything: what is set, and why, stands in the Swift files that call these.
#ifndef AASA_COPENSSL_H
#define AASA_COPENSSL_H

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/cms.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/ocsp.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

// Contexts: macros over SSL_CTX_ctrl.

static inline int aasa_ctx_set_protocol_range(SSL_CTX *context, int lowest, int highest) {
  return SSL_CTX_set_min_proto_version(context, lowest) &&
         SSL_CTX_set_max_proto_version(context, highest);
}

static inline int aasa_ctx_set_groups(SSL_CTX *context, const char *list) {
  return SSL_CTX_set1_groups_list(context, (char *)list) == 1;
}

static inline void aasa_ctx_set_session_cache_off(SSL_CTX *context) {
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}

static inline void aasa_ctx_set_mode(SSL_CTX *context, long mode) {
  SSL_CTX_set_mode(context, mode);
}

static inline void aasa_ctx_set_read_ahead(SSL_CTX *context) {
  SSL_CTX_set_read_ahead(context, 1);
}

static inline int aasa_acknowledge_server_name(SSL *ssl, int *alert, void *argument) {
  (void)ssl;
  (void)alert;
  (void)argument;
  return SSL_TLSEXT_ERR_OK;
}

/// The name was judged in the client-hello callback; this only makes the server acknowledge it.
static inline void aasa_ctx_acknowledge_server_name(SSL_CTX *context) {
  SSL_CTX_set_tlsext_servername_callback(context, aasa_acknowledge_server_name);
}

// Options: macros with a cast in them.

static const uint64_t aasa_op_no_compression = SSL_OP_NO_COMPRESSION;
static const uint64_t aasa_op_no_renegotiation = SSL_OP_NO_RENEGOTIATION;
static const uint64_t aasa_op_ignore_unexpected_eof = SSL_OP_IGNORE_UNEXPECTED_EOF;
static const uint64_t aasa_op_cipher_server_preference = SSL_OP_CIPHER_SERVER_PREFERENCE;
static const uint64_t aasa_op_prioritize_chacha = SSL_OP_PRIORITIZE_CHACHA;

// Sessions: macros over SSL_ctrl.

/// For clients.
static inline int aasa_set_server_name(SSL *ssl, const char *name) {
  return SSL_set_tlsext_host_name(ssl, name) == 1;
}

/// Asks for a stapled OCSP response.
static inline int aasa_request_staple(SSL *ssl) {
  return SSL_set_tlsext_status_type(ssl, TLSEXT_STATUSTYPE_ocsp) == 1;
}

/// Its length; -1 when none came.
static inline long aasa_stapled_response(SSL *ssl, const unsigned char **response) {
  return SSL_get_tlsext_status_ocsp_resp(ssl, response);
}

static inline int aasa_set_signature_algorithms(SSL *ssl, const char *list) {
  return SSL_set1_sigalgs_list(ssl, (char *)list) == 1;
}

// Errors.

static inline int aasa_is_system_error(unsigned long code) { return ERR_SYSTEM_ERROR(code); }

// Memory.

static inline void *aasa_malloc(size_t size) { return OPENSSL_malloc(size); }
static inline void aasa_free(void *memory) { OPENSSL_free(memory); }
static inline void aasa_clear_free(void *memory, size_t size) { OPENSSL_clear_free(memory, size); }

// Stacks: type-safe macros.

static inline STACK_OF(X509) *aasa_x509_stack_new(void) { return sk_X509_new_null(); }
static inline int aasa_x509_stack_push(STACK_OF(X509) *stack, X509 *certificate) {
  return sk_X509_push(stack, certificate) > 0;
}
static inline int aasa_x509_stack_count(const STACK_OF(X509) *stack) { return sk_X509_num(stack); }
static inline X509 *aasa_x509_stack_get(const STACK_OF(X509) *stack, int index) {
  return sk_X509_value(stack, index);
}
/// Frees the stack and drops one reference of each certificate in it.
static inline void aasa_x509_stack_free(STACK_OF(X509) *stack) {
  sk_X509_pop_free(stack, X509_free);
}

static inline GENERAL_NAMES *aasa_general_names_new(void) { return sk_GENERAL_NAME_new_null(); }
static inline int aasa_general_names_push(GENERAL_NAMES *names, GENERAL_NAME *name) {
  return sk_GENERAL_NAME_push(names, name) > 0;
}
static inline int aasa_general_names_count(const GENERAL_NAMES *names) {
  return sk_GENERAL_NAME_num(names);
}
static inline const GENERAL_NAME *aasa_general_names_get(const GENERAL_NAMES *names, int index) {
  return sk_GENERAL_NAME_value(names, index);
}

static inline int aasa_store_is_empty(X509_STORE *store) {
  return sk_X509_OBJECT_num(X509_STORE_get0_objects(store)) <= 0;
}

// CMS (RFC 5652).

/// -1 when there is no signed data.
static inline int aasa_cms_signer_count(CMS_ContentInfo *message) {
  return sk_CMS_SignerInfo_num(CMS_get0_SignerInfos(message));
}
static inline CMS_SignerInfo *aasa_cms_signer_get(CMS_ContentInfo *message, int index) {
  return sk_CMS_SignerInfo_value(CMS_get0_SignerInfos(message), index);
}

// Certificates.

/// Seconds since 1970 of an ASN.1 time; 0 when it cannot be read.
static inline int aasa_time_seconds(const ASN1_TIME *time, int64_t *seconds) {
  int days = 0, rest = 0;
  ASN1_TIME *epoch = ASN1_TIME_set(NULL, 0);
  int ok = epoch != NULL && ASN1_TIME_diff(&days, &rest, epoch, time) == 1;
  ASN1_TIME_free(epoch);
  if (ok) *seconds = (int64_t)days * 86400 + rest;
  return ok;
}

/// The bytes of a dNSName (type 2) or iPAddress (type 7); NULL for any other kind of name.
static inline const unsigned char *aasa_general_name_bytes(
    const GENERAL_NAME *name, int *type, size_t *length) {
  void *value = GENERAL_NAME_get0_value(name, type);
  if (value == NULL || (*type != GEN_DNS && *type != GEN_IPADD)) return NULL;
  *length = (size_t)ASN1_STRING_length((const ASN1_STRING *)value);
  return ASN1_STRING_get0_data((const ASN1_STRING *)value);
}

/// A new dNSName or iPAddress holding a copy of the bytes.
static inline GENERAL_NAME *aasa_general_name_new(
    int type, const unsigned char *bytes, size_t length) {
  GENERAL_NAME *name = GENERAL_NAME_new();
  ASN1_STRING *value = ASN1_STRING_type_new(type == GEN_DNS ? V_ASN1_IA5STRING : V_ASN1_OCTET_STRING);
  if (name == NULL || value == NULL || ASN1_STRING_set(value, bytes, (int)length) != 1) {
    GENERAL_NAME_free(name);
    ASN1_STRING_free(value);
    return NULL;
  }
  GENERAL_NAME_set0_value(name, type, value);
  return name;
}

/// Puts the names into a certification request, as the extension subjectAltName.
static inline int aasa_request_add_names(X509_REQ *request, GENERAL_NAMES *names) {
  STACK_OF(X509_EXTENSION) *extensions = sk_X509_EXTENSION_new_null();
  X509_EXTENSION *extension = X509V3_EXT_i2d(NID_subject_alt_name, 0, names);
  int ok = 0;
  if (extensions != NULL && extension != NULL && sk_X509_EXTENSION_push(extensions, extension) > 0) {
    extension = NULL;
    ok = X509_REQ_add_extensions(request, extensions) == 1;
  }
  X509_EXTENSION_free(extension);
  sk_X509_EXTENSION_pop_free(extensions, X509_EXTENSION_free);
  return ok;
}

// Keys.

static inline EVP_PKEY *aasa_generate_ec_key(const char *curve) { return EVP_EC_gen(curve); }
static inline EVP_PKEY *aasa_generate_rsa_key(size_t bits) { return EVP_RSA_gen(bits); }

static inline EVP_PKEY *aasa_key_of(const char *type, OSSL_PARAM *parameters) {
  EVP_PKEY *key = NULL;
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
  if (context != NULL && EVP_PKEY_fromdata_init(context) == 1) {
    EVP_PKEY_fromdata(context, &key, EVP_PKEY_KEYPAIR, parameters);
  }
  EVP_PKEY_CTX_free(context);
  return key;
}

/// A key pair on a named curve. The private number is in the machine's byte order.
static inline EVP_PKEY *aasa_ec_key_of(
    const char *curve, unsigned char *number, size_t numberLength, const unsigned char *point,
    size_t pointLength) {
  OSSL_PARAM parameters[4];
  parameters[0] =
      OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)curve, 0);
  parameters[1] = OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_PRIV_KEY, number, numberLength);
  parameters[2] =
      OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, (void *)point, pointLength);
  parameters[3] = OSSL_PARAM_construct_end();
  return aasa_key_of("EC", parameters);
}

/// An RSA key of the eight numbers of PKCS #1, one after the other, in the machine's byte order.
static inline EVP_PKEY *aasa_rsa_key_of(unsigned char *numbers, const size_t lengths[8]) {
  static const char *const names[8] = {
      OSSL_PKEY_PARAM_RSA_N,         OSSL_PKEY_PARAM_RSA_E,         OSSL_PKEY_PARAM_RSA_D,
      OSSL_PKEY_PARAM_RSA_FACTOR1,   OSSL_PKEY_PARAM_RSA_FACTOR2,   OSSL_PKEY_PARAM_RSA_EXPONENT1,
      OSSL_PKEY_PARAM_RSA_EXPONENT2, OSSL_PKEY_PARAM_RSA_COEFFICIENT1};
  OSSL_PARAM parameters[9];
  for (int index = 0; index < 8; index++) {
    parameters[index] = OSSL_PARAM_construct_BN(names[index], numbers, lengths[index]);
    numbers += lengths[index];
  }
  parameters[8] = OSSL_PARAM_construct_end();
  return aasa_key_of("RSA", parameters);
}

/// Gives an HMAC context its key and SHA-256 (RFC 5077 section 4 recommends this pair for tickets).
static inline int aasa_ticket_mac_init(EVP_MAC_CTX *mac, const unsigned char *key, size_t length) {
  OSSL_PARAM parameters[3];
  parameters[0] = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, (void *)key, length);
  parameters[1] = OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)"SHA256", 0);
  parameters[2] = OSSL_PARAM_construct_end();
  return EVP_MAC_CTX_set_params(mac, parameters);
}

#endif
