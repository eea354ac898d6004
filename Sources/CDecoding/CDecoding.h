// zlib, libzstd and the C library's iconv: what makes text of the bytes of files, and the other way round.

#ifndef SECTILE_CDECODING_H
#define SECTILE_CDECODING_H

#include <iconv.h>
#include <zlib.h>
#include <zstd.h>

#endif
