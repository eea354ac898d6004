#ifndef SECTILE_CSCREEN_CHECK_H
#define SECTILE_CSCREEN_CHECK_H

// Looks up what the terminal can do, without sending it anything; returns 0, or the problem with it.
int sectile_screen_check(void);

#endif
