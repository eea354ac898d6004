// What the editor and its keys share.

#ifndef SECTILE_EDITOR_H
#define SECTILE_EDITOR_H

#include "CEditLine.h"

#include <histedit.h>
#include <signal.h>
#include <stdio.h>
#include <sys/types.h>

// Keys that nobody has, for what an editor does by itself.
#define BEGIN_KEY "\036b"
#define COMMAND_KEY "\036c"
#define DELETE_KEY "\036d"

struct sectile_editor {
    struct sectile_editor_owner owner;
    EditLine *line;
    History *history;
    FILE *nowhere;
    const char *start;
    char *text;
    sigset_t maskOutside;
    int isFirstKey;
};

sectile_editor *sectile_editor_of(EditLine *line);

// Returns the text, allocated with malloc, and where the cursor stands in it.
char *sectile_editor_text(EditLine *line, size_t *cursor);
void sectile_editor_draw(sectile_editor *editor, enum sectile_drawing what);

// Waits for a byte; returns as read() does, and -1 for a signal that ends the reading, too.
ssize_t sectile_editor_read_byte(sectile_editor *editor, char *byte);

// Whether a signal ends the reading.
int sectile_editor_is_ended(void);

// What keys do; libedit's own interface.
unsigned char sectile_key_complete(EditLine *line, int key);
unsigned char sectile_key_enter(EditLine *line, int key);
unsigned char sectile_key_new_line(EditLine *line, int key);
unsigned char sectile_key_paste(EditLine *line, int key);
unsigned char sectile_key_move_up(EditLine *line, int key);
unsigned char sectile_key_move_down(EditLine *line, int key);
unsigned char sectile_key_move_to_start(EditLine *line, int key);
unsigned char sectile_key_move_to_end(EditLine *line, int key);
unsigned char sectile_key_escape(EditLine *line, int key);
unsigned char sectile_key_escape_command(EditLine *line, int key);
unsigned char sectile_key_clear_screen(EditLine *line, int key);
unsigned char sectile_key_begin(EditLine *line, int key);

#endif
