// libxml2's forgiving HTML parser.
#ifndef CSYNC_XML_SHIM_H
#define CSYNC_XML_SHIM_H

// Where libxml2 was built with ICU, its headers pull in the system's ICU, whose types clash with
// those of Foundation's own copy. Only the layout of encoding handlers depends on it, and none is
// touched through this module.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED

#include <libxml/HTMLparser.h>
#include <libxml/tree.h>

// xmlFree is a global variable that holds a function, which Swift can't call safely.
static inline void csync_xml_free(void *memory) { xmlFree(memory); }

#endif
