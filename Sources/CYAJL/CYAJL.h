// YAJL, of Debian's libyajl-dev: what parses JSON for the command line tool.

#ifndef SECTILE_CYAJL_H
#define SECTILE_CYAJL_H

#include <yajl/yajl_parse.h>

#endif
