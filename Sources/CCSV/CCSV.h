// libcsv, of Debian's libcsv-dev: what reads and splits CSV for `sectile import`.

#ifndef SECTILE_CCSV_H
#define SECTILE_CCSV_H

#include <csv.h>

#endif
