// What the headers of mingw-w64 leave undefined for a compiler in its Microsoft mode.

#include <_mingw.h>
#undef __MINGW_IMPORT
#define __MINGW_IMPORT extern
