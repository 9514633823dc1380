// zlib, and the macros needed that Swift does not import.
#ifndef AASA_CZLIB_H
#define AASA_CZLIB_H

#include <zlib.h>

/// `deflateInit2` with the gzip wrapper (RFC 1952) at the best level.
static inline int aasa_deflate_init_gzip(z_streamp stream) {
  return deflateInit2(stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY);
}

/// The same for texts of at most 4096 bytes: a window and tables that hold them whole. Larger ones
/// are cleared for each text, which takes longer than to compress a small one.
static inline int aasa_deflate_init_small_gzip(z_streamp stream) {
  return deflateInit2(stream, Z_BEST_COMPRESSION, Z_DEFLATED, 12 + 16, 6, Z_DEFAULT_STRATEGY);
}

/// `inflateInit2` for the gzip wrapper and no other.
static inline int aasa_inflate_init_gzip(z_streamp stream) {
  return inflateInit2(stream, 15 + 16);
}

/// `inflateInit2` without a wrapper (RFC 1951).
static inline int aasa_inflate_init_raw(z_streamp stream) {
  return inflateInit2(stream, -15);
}

#endif
