#include "CScreenCheck.h"

#include "CScreen.h"

#include <curses.h>
#include <unistd.h>

// Last, and in a file of its own: it makes macros of words as common as `lines`.
#include <term.h>

int sectile_screen_check(void)
{
    int found;
    if (setupterm(NULL, STDOUT_FILENO, &found) != OK)
        return SECTILE_SCREEN_UNKNOWN;
    const char *move = tigetstr("cup");
    int result = move == NULL || move == (const char *)-1 || *move == 0 ? SECTILE_SCREEN_FIXED : 0;
    del_curterm(cur_term);
    return result;
}
