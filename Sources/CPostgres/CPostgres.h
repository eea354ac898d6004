// PostgreSQL's client library; Debian has its headers in a folder of their own.
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#include <postgresql/libpq-fe.h>
#endif
