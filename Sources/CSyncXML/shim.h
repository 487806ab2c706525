// libxml2's forgiving HTML parser and its strict XML parser: what is used of them, declared here.
//
// Its own headers lie in a folder that only pkg-config tells of, and every package that depends on
// this one would be told to install libxml2, whether it uses it or not. What stands here has been
// the same in all of libxml2's second version; XMLLayoutTests holds it against the real headers.
#ifndef CSYNC_XML_SHIM_H
#define CSYNC_XML_SHIM_H

struct _xmlDoc;
struct _xmlDtd;
typedef struct _xmlDoc *xmlDocPtr;

// How every namespace begins; more follows.
struct _xmlNs {
  struct _xmlNs *next;
  int type;
  const unsigned char *href;
};
typedef struct _xmlNs *xmlNsPtr;

// How every node begins; more follows.
struct _xmlNode {
  void *_private;
  int type;
  const unsigned char *name;
  struct _xmlNode *children;
  struct _xmlNode *last;
  struct _xmlNode *parent;
  struct _xmlNode *next;
  struct _xmlNode *prev;
  struct _xmlDoc *doc;
  xmlNsPtr ns;
};
typedef struct _xmlNode *xmlNodePtr;

enum { CSYNC_XML_ELEMENT_NODE = 1, CSYNC_XML_TEXT_NODE = 3 };

enum {
  CSYNC_HTML_PARSE_RECOVER = 1 << 0,
  CSYNC_HTML_PARSE_NOERROR = 1 << 5,
  CSYNC_HTML_PARSE_NOWARNING = 1 << 6,
  CSYNC_HTML_PARSE_NONET = 1 << 11,
};

enum {
  CSYNC_XML_PARSE_NOERROR = 1 << 5,
  CSYNC_XML_PARSE_NOWARNING = 1 << 6,
  CSYNC_XML_PARSE_NONET = 1 << 11,
};

xmlDocPtr htmlReadMemory(
    const char *bytes, int size, const char *url, const char *encoding, int options);
xmlDocPtr xmlReadMemory(
    const char *bytes, int size, const char *url, const char *encoding, int options);
xmlNodePtr xmlDocGetRootElement(const struct _xmlDoc *document);
unsigned char *xmlNodeGetContent(const struct _xmlNode *node);
unsigned char *xmlGetProp(const struct _xmlNode *node, const unsigned char *name);
unsigned char *xmlGetNoNsProp(const struct _xmlNode *node, const unsigned char *name);
unsigned char *xmlGetNsProp(
    const struct _xmlNode *node, const unsigned char *name, const unsigned char *space);
// What a document's own declarations are in; it begins as a node does.
struct _xmlDtd *xmlGetIntSubset(const struct _xmlDoc *document);
void xmlFreeDoc(xmlDocPtr document);

// A global variable that holds a function, which Swift can't call safely.
extern void (*xmlFree)(void *);
static inline void csync_xml_free(void *memory) { xmlFree(memory); }

// Whether a document has declarations of its own within itself.
static inline int csync_xml_declares(const struct _xmlDoc *document) {
  const struct _xmlNode *subset = (const struct _xmlNode *)xmlGetIntSubset(document);
  return subset && subset->children;
}

#endif
