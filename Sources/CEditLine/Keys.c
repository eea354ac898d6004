#define _GNU_SOURCE

#include "Editor.h"

#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

// More is no statement that anybody pastes.
#define PASTE_LIMIT (64u << 20)
// How long the rest of a key that begins with ESC may take, in milliseconds.
#define ESCAPE_TIME 50

static size_t character_count(const char *text)
{
    size_t count = 0;
    for (; *text; text++) count += ((unsigned char)*text & 0xC0) != 0x80;
    return count;
}

unsigned char sectile_key_complete(EditLine *line, int key)
{
    (void)key;
    sectile_editor *editor = sectile_editor_of(line);
    size_t count = 0;
    char *before = sectile_editor_text(line, &count);
    if (!before) return CC_ERROR;
    before[count] = 0;

    // At the start of a line it indents; text that is pasted without marks keeps what it has.
    int waiting = 0;
    ioctl(STDIN_FILENO, FIONREAD, &waiting);
    const char *lineStart = strrchr(before, '\n');
    lineStart = lineStart ? lineStart + 1 : before;
    if (waiting > 1 || lineStart[strspn(lineStart, " \t")] == 0) {
        free(before);
        return el_insertstr(line, waiting > 1 ? "\t" : "  ") == 0 ? CC_REFRESH : CC_ERROR;
    }

    struct sectile_completion completion = {0, NULL, NULL};
    editor->owner.complete(editor->owner.context, before, &completion);
    int is_changed = completion.inserted && *completion.inserted;
    if (is_changed && (size_t)completion.deleted <= character_count(before)) {
        if (completion.deleted > 0) el_deletestr(line, completion.deleted);
        if (el_insertstr(line, completion.inserted) != 0) is_changed = 0;
    }
    if (completion.listed && *completion.listed) {
        editor->owner.draw(
            editor->owner.context, SECTILE_DRAWING_LISTING, completion.listed, 0);
    }
    free(completion.inserted);
    free(completion.listed);
    free(before);
    return CC_REFRESH;
}

unsigned char sectile_key_new_line(EditLine *line, int key)
{
    (void)key;
    return el_insertstr(line, "\n") == 0 ? CC_REFRESH : CC_ERROR;
}

unsigned char sectile_key_enter(EditLine *line, int key)
{
    sectile_editor *editor = sectile_editor_of(line);
    char *text = sectile_editor_text(line, NULL);
    if (!text) return CC_ERROR;
    int is_whole = editor->owner.isWhole(editor->owner.context, text);
    free(text);
    if (!is_whole) return sectile_key_new_line(line, key);
    el_cursor(line, INT_MAX / 2);
    // The mark of the end, which is not the text's own.
    return el_insertstr(line, "\n") == 0 ? CC_NEWLINE : CC_ERROR;
}

// Makes a text out of what was pasted: lines end with "\n", and what is no character is left out.
static void clean(char *text, size_t length)
{
    char *target = text;
    mbstate_t state;
    memset(&state, 0, sizeof state);
    for (size_t i = 0; i < length;) {
        if (text[i] == '\r') {
            if (!(i + 1 < length && text[i + 1] == '\n')) *target++ = '\n';
            i++;
            continue;
        }
        wchar_t character;
        size_t size = mbrtowc(&character, text + i, length - i, &state);
        if (size == 0 || size > length - i) {
            memset(&state, 0, sizeof state);
            i++;
            continue;
        }
        memmove(target, text + i, size);
        target += size;
        i += size;
    }
    *target = 0;
}

// Takes in what a terminal marks as pasted, tabs and line ends as they are.
unsigned char sectile_key_paste(EditLine *line, int key)
{
    (void)key;
    static const char end[] = "\033[201~";
    const size_t endLength = sizeof end - 1;
    sectile_editor *editor = sectile_editor_of(line);
    size_t length = 0, capacity = 1 << 12;
    char *text = malloc(capacity);
    char byte;
    while (text && sectile_editor_read_byte(editor, &byte) > 0) {
        if (length + 1 >= capacity) {
            char *larger = capacity < PASTE_LIMIT ? realloc(text, capacity * 2) : NULL;
            // What is too much is read all the same, so that it is not taken for keys.
            if (larger) text = larger, capacity *= 2;
            else length = endLength;
        }
        text[length++] = byte;
        if (length >= endLength && memcmp(text + length - endLength, end, endLength) == 0) {
            length -= endLength;
            break;
        }
    }
    if (!text || sectile_editor_is_ended()) {
        free(text);
        return CC_EOF;
    }
    clean(text, length);
    int result = *text ? el_insertstr(line, text) : 0;
    free(text);
    return result == 0 ? CC_REFRESH : CC_ERROR;
}

static unsigned char replace(EditLine *line, const char *text)
{
    size_t cursor = 0;
    char *old = sectile_editor_text(line, &cursor);
    if (!old) return CC_ERROR;
    el_cursor(line, INT_MAX / 2);
    el_deletestr(line, (int)character_count(old));
    free(old);
    return *text == 0 || el_insertstr(line, text) == 0 ? CC_REFRESH : CC_ERROR;
}

// Moves by a line of the text; beyond the first and the last there is the history.
static unsigned char move(EditLine *line, int direction)
{
    sectile_editor *editor = sectile_editor_of(line);
    size_t cursor = 0;
    char *text = sectile_editor_text(line, &cursor);
    if (!text) return CC_ERROR;
    size_t lineStart = cursor;
    while (lineStart > 0 && text[lineStart - 1] != '\n') lineStart--;
    size_t lineEnd = cursor + strcspn(text + cursor, "\n");
    int is_outside = direction < 0 ? lineStart == 0 : text[lineEnd] == 0;
    if (is_outside) {
        char *entry = editor->owner.recall(editor->owner.context, direction, text);
        unsigned char result = entry ? replace(line, entry) : CC_ERROR;
        free(entry);
        free(text);
        return result;
    }
    size_t otherStart = lineEnd + 1;
    if (direction < 0) {
        otherStart = lineStart - 1;
        while (otherStart > 0 && text[otherStart - 1] != '\n') otherStart--;
    }
    size_t target = otherStart;
    for (size_t i = lineStart; i < cursor; i++) {
        if (((unsigned char)text[i] & 0xC0) == 0x80) continue;
        if (text[target] == 0 || text[target] == '\n') break;
        do target++; while (((unsigned char)text[target] & 0xC0) == 0x80);
    }
    size_t low = target < cursor ? target : cursor;
    size_t high = target < cursor ? cursor : target;
    text[high] = 0;
    int distance = (int)character_count(text + low);
    free(text);
    el_cursor(line, direction < 0 ? -distance : distance);
    return CC_REFRESH;
}

unsigned char sectile_key_move_up(EditLine *line, int key) { (void)key; return move(line, -1); }

unsigned char sectile_key_move_down(EditLine *line, int key) { (void)key; return move(line, 1); }

// The start and the end of the line, of which the text may have several.
unsigned char sectile_key_move_to_start(EditLine *line, int key)
{
    (void)key;
    const LineInfo *info = el_line(line);
    const char *start = info->cursor;
    while (start > info->buffer && start[-1] != '\n') start--;
    char *before = strndup(start, (size_t)(info->cursor - start));
    if (!before) return CC_ERROR;
    el_cursor(line, -(int)character_count(before));
    free(before);
    return CC_REFRESH;
}

unsigned char sectile_key_move_to_end(EditLine *line, int key)
{
    (void)key;
    const LineInfo *info = el_line(line);
    const char *end = info->cursor;
    while (end < info->lastchar && *end != '\n') end++;
    char *behind = strndup(info->cursor, (size_t)(end - info->cursor));
    if (!behind) return CC_ERROR;
    el_cursor(line, (int)character_count(behind));
    free(behind);
    return CC_REFRESH;
}

unsigned char sectile_key_clear_screen(EditLine *line, int key)
{
    (void)key;
    sectile_editor_draw(sectile_editor_of(line), SECTILE_DRAWING_CLEARED);
    return CC_REFRESH;
}

// In vi's way of typing, ESC is a key of its own, and the beginning of the terminal's keys, which come
// all at once. libedit takes it for the second alone.
static unsigned char escape(EditLine *line, int key, int is_typing)
{
    sectile_editor *editor = sectile_editor_of(line);
    struct pollfd ahead = {.fd = STDIN_FILENO, .events = POLLIN};
    char sequence[8] = {0};
    if (poll(&ahead, 1, ESCAPE_TIME) <= 0 || sectile_editor_read_byte(editor, sequence) <= 0) {
        if (is_typing) el_push(line, COMMAND_KEY);
        return CC_NORM;
    }
    if (*sequence != '[' && *sequence != 'O') {
        // It was typed quickly after ESC.
        el_push(line, sequence);
        if (is_typing) el_push(line, COMMAND_KEY);
        return CC_NORM;
    }
    for (size_t i = 1; i < sizeof sequence - 1; i++) {
        if (sectile_editor_read_byte(editor, sequence + i) <= 0) return CC_ERROR;
        if (sequence[i] >= '@' && sequence[i] <= '~') break;
    }
    const char *name = sequence + 1;
    if (strcmp(name, "200~") == 0) return sectile_key_paste(line, key);
    switch (*name) {
    case 'A': return sectile_key_move_up(line, key);
    case 'B': return sectile_key_move_down(line, key);
    case 'C': el_cursor(line, 1); return CC_REFRESH;
    case 'D': el_cursor(line, -1); return CC_REFRESH;
    case 'H': case '1': case '7': return sectile_key_move_to_start(line, key);
    case 'F': case '4': case '8': return sectile_key_move_to_end(line, key);
    case '3': el_push(line, DELETE_KEY); return CC_NORM;
    default: return CC_ERROR;
    }
}

unsigned char sectile_key_escape(EditLine *line, int key) { return escape(line, key, 1); }

// Among vi's commands ESC alone does nothing.
unsigned char sectile_key_escape_command(EditLine *line, int key) { return escape(line, key, 0); }

unsigned char sectile_key_begin(EditLine *line, int key)
{
    (void)key;
    sectile_editor *editor = sectile_editor_of(line);
    return editor->start ? replace(line, editor->start) : CC_REFRESH;
}
