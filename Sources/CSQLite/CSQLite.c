// This module is its header; SwiftPM wants one file to compile.
#include "CSQLite.h"
