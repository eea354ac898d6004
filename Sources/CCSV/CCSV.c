#include "CCSV.h"

#include <stdlib.h>
#include <string.h>

// libcsv asks whether the first byte of a field is a space, and shows a quote that way. The function has
// no context, so the mark stands here while a thread reads.
static _Thread_local bool saw_quote;

static int no_space(unsigned char byte) {
    (void)byte;
    return 0;
}

static int no_space_but_mark(unsigned char byte) {
    if (byte == CSV_QUOTE) saw_quote = true;
    return 0;
}

// Makes room for `needed` elements; false where there is no memory.
static bool make_room(struct sectile_csv *csv, void **start, size_t *capacity, size_t needed, size_t size) {
    if (needed <= *capacity) return true;
    size_t wanted = *capacity < 1024 ? 1024 : *capacity;
    while (wanted < needed) wanted *= 2;
    void *grown = realloc(*start, wanted * size);
    if (!grown) {
        csv->hasNoMemory = true;
        return false;
    }
    *start = grown;
    *capacity = wanted;
    return true;
}

static size_t line_count(const unsigned char *bytes, size_t count) {
    size_t lines = 0;
    const unsigned char *end = bytes + count;
    while (bytes < end && (bytes = memchr(bytes, CSV_LF, (size_t)(end - bytes)))) {
        lines++;
        bytes++;
    }
    return lines;
}

static bool is_plain(const unsigned char *bytes, size_t count) {
    unsigned char all = 0;
    bool hasNull = false;
    for (size_t i = 0; i < count; i++) {
        all |= bytes[i];
        hasNull |= bytes[i] == 0;
    }
    return all < 0x80 && !hasNull;
}

static void field_ended(void *start, size_t count, void *context) {
    struct sectile_csv *csv = context;
    csv->endedWithReturn = false;
    bool isQuoted = saw_quote;
    saw_quote = false;
    if (!make_room(csv, (void **)&csv->bytes, &csv->byteCapacity, csv->byteCount + count, 1)) return;
    if (!make_room(csv, (void **)&csv->fields, &csv->fieldCapacity, csv->fieldCount + 1,
                   sizeof(struct sectile_csv_field)))
        return;
    if (count) memcpy(csv->bytes + csv->byteCount, start, count);
    csv->isPlain = csv->isPlain && is_plain(start, count);
    if (isQuoted) csv->line += line_count(start, count);
    csv->fields[csv->fieldCount++] = (struct sectile_csv_field){csv->byteCount, count, isQuoted};
    csv->byteCount += count;
}

// Ends a row, or an empty line: with LF, CR, or -1 for the end of the input.
static void row_ended(int sign, void *context) {
    struct sectile_csv *csv = context;
    size_t count = csv->fieldCount - csv->firstField;
    // The second half of CR LF.
    bool isHalf = sign == CSV_LF && csv->endedWithReturn && count == 0;
    if (!isHalf) {
        if (sign > 0) csv->line++;
        if (!make_room(csv, (void **)&csv->rows, &csv->rowCapacity, csv->rowCount + 1,
                       sizeof(struct sectile_csv_row)))
            return;
        csv->rows[csv->rowCount++] =
            (struct sectile_csv_row){csv->firstField, count, csv->firstLine, csv->isPlain};
    }
    csv->endedWithReturn = sign == CSV_CR;
    csv->firstField = csv->fieldCount;
    csv->firstLine = csv->line;
    csv->isPlain = true;
}

static void set_up(struct sectile_csv *csv) {
    csv_init(&csv->parser, CSV_STRICT | CSV_STRICT_FINI | CSV_REPALL_NL);
    csv_set_delim(&csv->parser, csv->delimiter);
    csv_set_quote(&csv->parser, csv->hasQuotes ? CSV_QUOTE : SECTILE_CSV_NO_QUOTE);
    csv_set_space_func(&csv->parser, csv->hasQuotes ? no_space_but_mark : no_space);
    csv_set_blk_size(&csv->parser, 1 << 14);
    csv->sawQuote = false;
    csv->isPlain = true;
}

void sectile_csv_begin(struct sectile_csv *csv, unsigned char delimiter, bool hasQuotes) {
    memset(csv, 0, sizeof *csv);
    csv->delimiter = delimiter;
    csv->hasQuotes = hasQuotes;
    csv->line = csv->firstLine = 1;
    set_up(csv);
}

void sectile_csv_end(struct sectile_csv *csv) {
    csv_free(&csv->parser);
    free(csv->bytes);
    free(csv->fields);
    free(csv->rows);
}

void sectile_csv_restart(struct sectile_csv *csv) {
    csv_free(&csv->parser);
    set_up(csv);
    csv->fieldCount = csv->firstField;
}

// Whether libcsv stopped before a quote inside a field that does not begin with one.
static bool stopped_at_bare_quote(struct sectile_csv *csv, unsigned char next) {
    return csv_error(&csv->parser) == CSV_EPARSE && !csv->parser.quoted && next == CSV_QUOTE;
}

size_t sectile_csv_read(struct sectile_csv *csv, const void *bytes, size_t count) {
    const unsigned char *next = bytes;
    size_t used = 0;
    saw_quote = csv->sawQuote;
    while (used < count) {
        used += csv_parse(&csv->parser, next + used, count - used, field_ended, row_ended, csv);
        if (used == count || !stopped_at_bare_quote(csv, next[used])) break;
        // Not strictly, libcsv takes that quote as a sign; behind a closing quote it would guess.
        csv_set_opts(&csv->parser, CSV_STRICT_FINI | CSV_REPALL_NL);
        size_t taken = csv_parse(&csv->parser, next + used, 1, field_ended, row_ended, csv);
        csv_set_opts(&csv->parser, CSV_STRICT | CSV_STRICT_FINI | CSV_REPALL_NL);
        used += taken;
        if (taken == 0) break;
    }
    csv->sawQuote = saw_quote;
    return used;
}

bool sectile_csv_finish(struct sectile_csv *csv) {
    saw_quote = csv->sawQuote;
    return csv_fini(&csv->parser, field_ended, row_ended, csv) == 0;
}

void sectile_csv_forget(struct sectile_csv *csv) {
    size_t kept = csv->fieldCount - csv->firstField;
    size_t start = kept ? csv->fields[csv->firstField].start : csv->byteCount;
    if (kept) {
        memmove(csv->fields, csv->fields + csv->firstField, kept * sizeof *csv->fields);
        memmove(csv->bytes, csv->bytes + start, csv->byteCount - start);
        for (size_t i = 0; i < kept; i++) csv->fields[i].start -= start;
    }
    csv->byteCount -= start;
    csv->fieldCount = kept;
    csv->firstField = 0;
    csv->rowCount = 0;
}
