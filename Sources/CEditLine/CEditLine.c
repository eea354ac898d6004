#define _GNU_SOURCE

#include "CEditLine.h"

#include <errno.h>
#include <histedit.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#define HISTORY_SIZE 2000
// More is no statement that anybody pastes.
#define PASTE_LIMIT (64u << 20)
// A terminal that is told so puts marks around what is pasted.
#define PASTES_ARE_MARKED "\033[?2004h"
#define PASTES_ARE_NOT_MARKED "\033[?2004l"

struct sectile_editor {
    struct sectile_editor_owner owner;
    EditLine *line;
    History *history;
    FILE *nowhere;
    const char *start;
    char *text;
    wchar_t pending;
    int isVi;
    sigset_t maskOutside;
    int isFirstKey;
};

static sectile_editor *editor_of(EditLine *line)
{
    sectile_editor *editor = NULL;
    el_get(line, EL_CLIENTDATA, &editor);
    return editor;
}

static char *text_of(EditLine *line, size_t *cursor)
{
    const LineInfo *info = el_line(line);
    if (cursor) *cursor = (size_t)(info->cursor - info->buffer);
    return strndup(info->buffer, (size_t)(info->lastchar - info->buffer));
}

static void draw(sectile_editor *editor, enum sectile_drawing what)
{
    size_t cursor = 0;
    char *text = text_of(editor->line, &cursor);
    if (text) editor->owner.draw(editor->owner.context, what, text, cursor);
    free(text);
}

// A key that nobody types, for what is pasted.
#define PASTE_KEY 035

static void send(const char *sequence)
{
    size_t length = strlen(sequence);
    while (length > 0) {
        ssize_t count = write(STDOUT_FILENO, sequence, length);
        if (count < 0 && errno == EINTR) continue;
        // A terminal that is gone is noticed when it is read.
        if (count <= 0) return;
        sequence += count;
        length -= (size_t)count;
    }
}

// MARK: - Signals while a text is read
//
// They are blocked, but for the moments in which the editor waits for a key: so none is missed.

static const int promptSignals[] = {SIGINT, SIGWINCH, SIGCONT, SIGTERM, SIGHUP};
#define PROMPT_SIGNAL_COUNT (sizeof promptSignals / sizeof promptSignals[0])

static volatile sig_atomic_t interrupted;
static volatile sig_atomic_t resized;
static volatile sig_atomic_t continued;
static volatile sig_atomic_t ended;

static pthread_t promptThread;

static void note_signal(int number)
{
    // Another thread may be the one that gets it; the one that waits for a key must wake up.
    if (!pthread_equal(pthread_self(), promptThread)) {
        pthread_kill(promptThread, number);
        return;
    }
    switch (number) {
    case SIGINT: interrupted = 1; break;
    case SIGWINCH: resized = 1; break;
    case SIGCONT: continued = 1; break;
    default: ended = number; break;
    }
}

static void answer_signals(sectile_editor *editor)
{
    if (continued) {
        // The shell that stopped this process has changed the terminal's settings.
        continued = 0;
        el_set(editor->line, EL_PREP_TERM, 0);
        el_set(editor->line, EL_PREP_TERM, 1);
        send(PASTES_ARE_MARKED);
        draw(editor, SECTILE_DRAWING_RETURNED);
    }
    if (resized) {
        resized = 0;
        el_resize(editor->line);
        draw(editor, SECTILE_DRAWING_RESIZED);
    }
}

// Waits for a byte; returns as read() does, and -1 for a signal that ends the reading, too.
static ssize_t read_byte(sectile_editor *editor, char *byte)
{
    for (;;) {
        answer_signals(editor);
        if (interrupted || ended) {
            errno = EINTR;
            return -1;
        }
        struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
        if (ppoll(&input, 1, NULL, &editor->maskOutside) < 0) {
            if (errno == EINTR) continue;
            return -1;
        }
        ssize_t count = read(STDIN_FILENO, byte, 1);
        if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        return count;
    }
}

static int is_waiting(void)
{
    struct pollfd ahead = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&ahead, 1, 0) > 0;
}

// Whether something comes within the time that a terminal takes to send the rest of a key.
static int follows(void)
{
    struct pollfd ahead = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&ahead, 1, 25) > 0;
}

// The keys of vi begin its commands with Escape, so what terminals send for other keys, which begins
// with Escape as well, must not reach libedit: it would wait for the rest. Returns the key that has the
// same meaning, or Escape.
static wchar_t vi_key(sectile_editor *editor)
{
    static const struct { const char *sequence; wchar_t key; } keys[] = {
        {"[A", 'P' & 0x1F}, {"OA", 'P' & 0x1F}, {"[B", 'N' & 0x1F}, {"OB", 'N' & 0x1F},
        {"[C", 'F' & 0x1F}, {"OC", 'F' & 0x1F}, {"[D", 'B' & 0x1F}, {"OD", 'B' & 0x1F},
        {"[200~", PASTE_KEY},
    };
    char sequence[8] = "";
    size_t length = 0;
    while (length < sizeof sequence - 1 && follows()) {
        char byte;
        if (read_byte(editor, &byte) <= 0) break;
        if (length == 0 && byte != '[' && byte != 'O') {
            // A command that was typed fast.
            editor->pending = (unsigned char)byte;
            return 033;
        }
        sequence[length++] = byte;
        // The last byte of a sequence.
        if (length > 1 && byte >= '@' && byte <= '~') break;
    }
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (strcmp(sequence, keys[i].sequence) == 0) return keys[i].key;
    }
    return 033;
}

static int read_key(EditLine *line, wchar_t *key)
{
    sectile_editor *editor = editor_of(line);
    mbstate_t state;
    memset(&state, 0, sizeof state);
    int is_typed_ahead = editor->isFirstKey && is_waiting();
    editor->isFirstKey = 0;
    // What is typed faster than it can be drawn is drawn once.
    if (!is_waiting()) draw(editor, SECTILE_DRAWING_TEXT);
    if (editor->pending) {
        *key = editor->pending;
        editor->pending = 0;
        return 1;
    }
    for (;;) {
        char byte;
        ssize_t count = read_byte(editor, &byte);
        if (count <= 0) return (int)count;
        if (byte == 033 && editor->isVi) {
            *key = vi_key(editor);
            return 1;
        }
        // Ctrl-D that was pressed while a statement ran: the terminal kept it as a mark.
        if (byte == 0 && is_typed_ahead) byte = 'D' & 0x1F;
        size_t length = mbrtowc(key, &byte, 1, &state);
        if (length == (size_t)-2) continue;
        if (length == (size_t)-1) {
            // No character of this encoding.
            memset(&state, 0, sizeof state);
            continue;
        }
        return 1;
    }
}

// MARK: - What keys do

static size_t character_count(const char *text)
{
    size_t count = 0;
    for (; *text; text++) count += ((unsigned char)*text & 0xC0) != 0x80;
    return count;
}

static unsigned char complete(EditLine *line, int key)
{
    (void)key;
    sectile_editor *editor = editor_of(line);
    size_t count = 0;
    char *before = text_of(line, &count);
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

static unsigned char new_line(EditLine *line, int key)
{
    (void)key;
    return el_insertstr(line, "\n") == 0 ? CC_REFRESH : CC_ERROR;
}

static unsigned char enter(EditLine *line, int key)
{
    sectile_editor *editor = editor_of(line);
    char *text = text_of(line, NULL);
    if (!text) return CC_ERROR;
    int is_whole = editor->owner.isWhole(editor->owner.context, text);
    free(text);
    if (!is_whole) return new_line(line, key);
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
static unsigned char paste(EditLine *line, int key)
{
    (void)key;
    static const char end[] = "\033[201~";
    const size_t endLength = sizeof end - 1;
    sectile_editor *editor = editor_of(line);
    size_t length = 0, capacity = 1 << 12;
    char *text = malloc(capacity);
    char byte;
    while (text && read_byte(editor, &byte) > 0) {
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
    if (!text || interrupted || ended) {
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
    char *old = text_of(line, &cursor);
    if (!old) return CC_ERROR;
    el_cursor(line, INT_MAX / 2);
    el_deletestr(line, (int)character_count(old));
    free(old);
    return *text == 0 || el_insertstr(line, text) == 0 ? CC_REFRESH : CC_ERROR;
}

// Moves by a line of the text; beyond the first and the last there is the history.
static unsigned char move(EditLine *line, int direction)
{
    sectile_editor *editor = editor_of(line);
    size_t cursor = 0;
    char *text = text_of(line, &cursor);
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

static unsigned char move_up(EditLine *line, int key) { (void)key; return move(line, -1); }

static unsigned char move_down(EditLine *line, int key) { (void)key; return move(line, 1); }

// Moves to the start (-1) or the end (1) of the line of the text.
static unsigned char move_to_edge(EditLine *line, int direction)
{
    size_t cursor = 0;
    char *text = text_of(line, &cursor);
    if (!text) return CC_ERROR;
    size_t start = cursor;
    while (start > 0 && text[start - 1] != '\n') start--;
    size_t end = cursor + strcspn(text + cursor, "\n");
    text[direction < 0 ? cursor : end] = 0;
    int distance = (int)character_count(text + (direction < 0 ? start : cursor));
    free(text);
    el_cursor(line, direction < 0 ? -distance : distance);
    return CC_REFRESH;
}

static unsigned char move_to_start(EditLine *line, int key)
{
    (void)key;
    return move_to_edge(line, -1);
}

static unsigned char move_to_end(EditLine *line, int key)
{
    (void)key;
    return move_to_edge(line, 1);
}

static unsigned char clear_screen(EditLine *line, int key)
{
    (void)key;
    draw(editor_of(line), SECTILE_DRAWING_CLEARED);
    return CC_REFRESH;
}

static unsigned char begin(EditLine *line, int key)
{
    (void)key;
    sectile_editor *editor = editor_of(line);
    return editor->start ? replace(line, editor->start) : CC_REFRESH;
}

// MARK: - The editor

static char *no_prompt(EditLine *line) { (void)line; return (char *)""; }

// A key that nobody has, for what an editor does by itself.
#define BEGIN_KEY "\036b"

static void bind_keys(sectile_editor *editor)
{
    static const char *const keys[][2] = {
        {"^I", "sectile-complete"}, {"^J", "sectile-enter"}, {"^M", "sectile-enter"},
        {"\\e[200~", "sectile-paste"}, {"\\e[A", "sectile-up"}, {"\\eOA", "sectile-up"},
        {"\\e[B", "sectile-down"}, {"\\eOB", "sectile-down"}, {"^P", "sectile-up"},
        {"^N", "sectile-down"}, {"^L", "sectile-clear"}, {"\\036b", "sectile-begin"},
        {"\\035", "sectile-paste"}, {"\\e[H", "sectile-start"}, {"\\eOH", "sectile-start"},
        {"\\e[1~", "sectile-start"}, {"\\e[F", "sectile-end"}, {"\\eOF", "sectile-end"},
        {"\\e[4~", "sectile-end"},
    };
    const char *name = NULL;
    el_get(editor->line, EL_EDITOR, &name);
    editor->isVi = name && strcmp(name, "vi") == 0;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        // See vi_key().
        if (editor->isVi && strncmp(keys[i][0], "\\e", 2) == 0) continue;
        el_set(editor->line, EL_BIND, keys[i][0], keys[i][1], NULL);
        // The second map is that of vi's commands.
        el_set(editor->line, EL_BIND, "-a", keys[i][0], keys[i][1], NULL);
    }
    if (editor->isVi) {
        el_set(editor->line, EL_BIND, "^F", "ed-next-char", NULL);
        el_set(editor->line, EL_BIND, "^B", "ed-prev-char", NULL);
        el_set(editor->line, EL_BIND, "-a", "^F", "ed-next-char", NULL);
        el_set(editor->line, EL_BIND, "-a", "^B", "ed-prev-char", NULL);
        el_set(editor->line, EL_BIND, "-a", "k", "sectile-up", NULL);
        el_set(editor->line, EL_BIND, "-a", "j", "sectile-down", NULL);
    } else {
        el_set(editor->line, EL_BIND, "\\e^M", "sectile-newline", NULL);
    }
    el_set(editor->line, EL_BIND, "^R", "em-inc-search-prev", NULL);
}

sectile_editor *sectile_editor_create(const struct sectile_editor_owner *owner)
{
    // Names and values are UTF-8, whatever the locale is called.
    if (!setlocale(LC_CTYPE, "") || strcmp(nl_langinfo(CODESET), "UTF-8") != 0) {
        setlocale(LC_CTYPE, "C.UTF-8");
    }
    sectile_editor *editor = calloc(1, sizeof *editor);
    if (!editor) return NULL;
    editor->owner = *owner;
    editor->nowhere = fopen("/dev/null", "we");
    editor->history = history_init();
    if (editor->nowhere) {
        // What it draws goes nowhere, but it must know that there is a terminal.
        editor->line = el_init_fd(
            "sectile", stdin, editor->nowhere, stderr, STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO);
    }
    if (!editor->line || !editor->history) {
        sectile_editor_destroy(editor);
        return NULL;
    }
    HistEvent event;
    history(editor->history, &event, H_SETSIZE, HISTORY_SIZE);
    history(editor->history, &event, H_SETUNIQUE, 1);
    EditLine *line = editor->line;
    el_set(line, EL_CLIENTDATA, editor);
    el_set(line, EL_SIGNAL, 0);
    el_set(line, EL_PROMPT, no_prompt);
    el_set(line, EL_HIST, history, editor->history);
    el_set(line, EL_GETCFN, read_key);
    el_set(line, EL_ADDFN, "sectile-complete", "Completes names", complete);
    el_set(line, EL_ADDFN, "sectile-enter", "Ends the text, or the line", enter);
    el_set(line, EL_ADDFN, "sectile-newline", "Ends the line", new_line);
    el_set(line, EL_ADDFN, "sectile-paste", "Takes in what is pasted", paste);
    el_set(line, EL_ADDFN, "sectile-up", "Moves to the line or the entry before", move_up);
    el_set(line, EL_ADDFN, "sectile-down", "Moves to the line or the entry after", move_down);
    el_set(line, EL_ADDFN, "sectile-start", "Moves to the start of the line", move_to_start);
    el_set(line, EL_ADDFN, "sectile-end", "Moves to the end of the line", move_to_end);
    el_set(line, EL_ADDFN, "sectile-clear", "Clears the screen", clear_screen);
    el_set(line, EL_ADDFN, "sectile-begin", "Puts a text there to begin with", begin);
    sectile_editor_use_vi(editor, 0);
    // The person's own keys have the last word, but for another editor's.
    el_source(line, NULL);
    const char *name = NULL;
    el_get(line, EL_EDITOR, &name);
    if (name && strcmp(name, "vi") == 0) bind_keys(editor);
    return editor;
}

void sectile_editor_use_vi(sectile_editor *editor, int isVi)
{
    el_set(editor->line, EL_EDITOR, isVi ? "vi" : "emacs");
    bind_keys(editor);
}

void sectile_editor_destroy(sectile_editor *editor)
{
    if (!editor) return;
    if (editor->line) el_end(editor->line);
    if (editor->history) history_end(editor->history);
    if (editor->nowhere) fclose(editor->nowhere);
    free(editor->text);
    free(editor);
}

void sectile_editor_remember(sectile_editor *editor, const char *entry)
{
    HistEvent event;
    history(editor->history, &event, H_ENTER, entry);
}

enum sectile_reading sectile_editor_read(
    sectile_editor *editor, const char *start, const char **text)
{
    sigset_t mask;
    sigemptyset(&mask);
    struct sigaction action, before[PROMPT_SIGNAL_COUNT];
    memset(&action, 0, sizeof action);
    action.sa_handler = note_signal;
    sigemptyset(&action.sa_mask);
    interrupted = resized = continued = ended = 0;
    promptThread = pthread_self();
    for (size_t i = 0; i < PROMPT_SIGNAL_COUNT; i++) sigaddset(&mask, promptSignals[i]);
    pthread_sigmask(SIG_BLOCK, &mask, &editor->maskOutside);
    for (size_t i = 0; i < PROMPT_SIGNAL_COUNT; i++) {
        sigaction(promptSignals[i], &action, &before[i]);
        sigdelset(&editor->maskOutside, promptSignals[i]);
    }

    // It may have been resized while a statement ran.
    el_resize(editor->line);
    editor->isFirstKey = 1;
    editor->start = start;
    if (start) el_push(editor->line, BEGIN_KEY);
    send(PASTES_ARE_MARKED);
    draw(editor, SECTILE_DRAWING_RETURNED);
    int count = 0;
    const char *typed = el_gets(editor->line, &count);
    // What was typed before may stand behind it.
    free(editor->text);
    editor->text = typed && count > 0 ? strndup(typed, (size_t)count) : NULL;
    *text = editor->text;
    send(PASTES_ARE_NOT_MARKED);
    editor->start = NULL;
    if (interrupted) el_reset(editor->line);

    for (size_t i = 0; i < PROMPT_SIGNAL_COUNT; i++) sigaction(promptSignals[i], &before[i], NULL);
    pthread_sigmask(SIG_SETMASK, &editor->maskOutside, NULL);
    if (ended) raise(ended);
    if (interrupted) return SECTILE_READING_INTERRUPTED;
    return *text ? SECTILE_READING_TEXT : SECTILE_READING_END;
}
