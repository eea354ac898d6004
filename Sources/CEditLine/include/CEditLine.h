// What Swift cannot call of libedit, whose interface is variadic; and the signals of a prompt.

#ifndef SECTILE_CEDITLINE_H
#define SECTILE_CEDITLINE_H

#include <stddef.h>

typedef struct sectile_editor sectile_editor;

// What TAB does. Both texts are allocated with malloc and may be NULL.
struct sectile_completion {
    int deleted;   // how many characters before the cursor go away
    char *inserted; // what takes their place
    char *listed;  // what is shown below the line
};

typedef void (*sectile_completer)(
    void *context, const char *beforeCursor, struct sectile_completion *completion);

enum sectile_reading {
    SECTILE_READING_LINE,
    SECTILE_READING_END,
    SECTILE_READING_INTERRUPTED
};

// Returns NULL where the terminal cannot be used.
sectile_editor *sectile_editor_create(sectile_completer completer, void *context);
void sectile_editor_destroy(sectile_editor *editor);

// Reads a line; `line` is valid until the next call.
enum sectile_reading sectile_editor_read(
    sectile_editor *editor, const char *prompt, const char **line);
void sectile_editor_remember(sectile_editor *editor, const char *entry);

// From now on Ctrl-C ends no process: it wakes `sectile_interrupt_wait`.
void sectile_interrupt_catch(void);
// Waits for Ctrl-C. To be called on one thread of its own.
void sectile_interrupt_wait(void);
// The other way round: Ctrl-C ends the process again.
void sectile_interrupt_release(void);

#endif
