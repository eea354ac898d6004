// libcsv, of Debian's libcsv-dev, with what it does not tell: whether a field had quotes. The fields of
// many rows are gathered here and looked at together, without a call into Swift for each.

#ifndef SECTILE_CCSV_H
#define SECTILE_CCSV_H

#include <csv.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sectile_csv_field {
    size_t start; // among the bytes
    size_t count;
    bool isQuoted;
};

struct sectile_csv_row {
    size_t firstField;
    size_t fieldCount;
    size_t line; // the line it begins on
    bool isPlain; // whether all is ASCII, without NUL
};

struct sectile_csv {
    struct csv_parser parser;
    // What was gathered.
    unsigned char *bytes;
    size_t byteCount, byteCapacity;
    struct sectile_csv_field *fields;
    size_t fieldCount, fieldCapacity;
    struct sectile_csv_row *rows;
    size_t rowCount, rowCapacity;
    // The line that is read, and the one the row began on.
    size_t line, firstLine;
    size_t firstField;
    unsigned char delimiter;
    bool hasQuotes, isPlain, endedWithReturn, sawQuote, hasNoMemory;
};

// Without quotes the byte that UTF-8 does not have stands for them.
enum { SECTILE_CSV_NO_QUOTE = 0xFF };

void sectile_csv_begin(struct sectile_csv *csv, unsigned char delimiter, bool hasQuotes);
void sectile_csv_end(struct sectile_csv *csv);
// Begins anew behind what libcsv refused, and forgets the row that was begun.
void sectile_csv_restart(struct sectile_csv *csv);
// Returns how many bytes were read: fewer than `count` where libcsv refuses the next.
size_t sectile_csv_read(struct sectile_csv *csv, const void *bytes, size_t count);
// Ends the last row; false where a quote is open.
bool sectile_csv_finish(struct sectile_csv *csv);
// Forgets the rows that were gathered, but for the one that has not ended.
void sectile_csv_forget(struct sectile_csv *csv);

#endif
