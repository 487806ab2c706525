// libxml2's forgiving HTML parser.
#ifndef CSYNC_XML_SHIM_H
#define CSYNC_XML_SHIM_H

#include <libxml/HTMLparser.h>
#include <libxml/tree.h>

#endif
