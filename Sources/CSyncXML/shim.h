// libxml2's forgiving HTML parser and its strict XML parser: what is used of them, declared here.
//
// Its own headers lie in a folder that only pkg-config tells of, and every package that depends on
// this one would be told to install libxml2, whether it uses it or not. What stands here has been
// the same in all of libxml2's second version; XMLLayoutTests holds it against the real headers.
#ifndef CSYNC_XML_SHIM_H
#define CSYNC_XML_SHIM_H

struct _xmlDoc;
struct _xmlEntity;
typedef struct _xmlDoc *xmlDocPtr;

enum {
  CSYNC_HTML_PARSE_RECOVER = 1 << 0,
  CSYNC_HTML_PARSE_NOERROR = 1 << 5,
  CSYNC_HTML_PARSE_NOWARNING = 1 << 6,
  CSYNC_HTML_PARSE_NONET = 1 << 11,
};

// What the parsers call for what they meet; the places of what isn't called have no type.
struct _xmlSAXHandler {
  void *unused1[5];
  // Of an entity that isn't one of XML's own five.
  struct _xmlEntity *(*getEntity)(void *context, const unsigned char *name);
  void (*entityDecl)(
      void *context, const unsigned char *name, int type, const unsigned char *publicId,
      const unsigned char *systemId, unsigned char *content);
  void *unused2[7];
  // Of a page in HTML: names and values in turn, up to a name that isn't there.
  void (*startElement)(
      void *context, const unsigned char *name, const unsigned char **attributes);
  void (*endElement)(void *context, const unsigned char *name);
  void *unused3;
  void (*characters)(void *context, const unsigned char *text, int count);
  void (*ignorableWhitespace)(void *context, const unsigned char *text, int count);
  void (*processingInstruction)(
      void *context, const unsigned char *target, const unsigned char *text);
  void (*comment)(void *context, const unsigned char *text);
  void *unused4[4];
  void (*cdataBlock)(void *context, const unsigned char *text, int count);
  void *unused5;
  unsigned int initialized;
  void *unused6;
  // Of each attribute five things: name, prefix, namespace, where its value begins and ends.
  void (*startElementNs)(
      void *context, const unsigned char *name, const unsigned char *prefix,
      const unsigned char *space, int spaceCount, const unsigned char **spaces,
      int attributeCount, int defaultedCount, const unsigned char **attributes);
  void (*endElementNs)(
      void *context, const unsigned char *name, const unsigned char *prefix,
      const unsigned char *space);
  void *unused7;
};

// That a handler is of the second form, with namespaces.
enum { CSYNC_XML_SAX2_MAGIC = 0xDEEDBEAF };

enum {
  CSYNC_XML_PARSE_NOENT = 1 << 1,
  CSYNC_XML_PARSE_NOERROR = 1 << 5,
  CSYNC_XML_PARSE_NOWARNING = 1 << 6,
  CSYNC_XML_PARSE_NONET = 1 << 11,
  CSYNC_XML_PARSE_IGNORE_ENC = 1 << 21,
};

// How every parser begins; more follows.
struct _xmlParserCtxt {
  struct _xmlSAXHandler *sax;
  void *userData;
  xmlDocPtr myDoc;
};
typedef struct _xmlParserCtxt *xmlParserCtxtPtr;

// The library's version, as 20914 for 2.9.14; more may follow.
#ifndef LIBXML_VERSION
extern const char *xmlParserVersion;
#endif
static inline const char *csync_xml_version(void) { return xmlParserVersion; }

xmlParserCtxtPtr htmlNewParserCtxt(void);
xmlDocPtr htmlCtxtReadIO(
    xmlParserCtxtPtr parser, int (*read)(void *source, char *buffer, int size),
    int (*close)(void *source), void *source, const char *url, const char *encoding, int options);
void xmlFreeDoc(xmlDocPtr document);

xmlParserCtxtPtr xmlCreateIOParserCtxt(
    struct _xmlSAXHandler *handler, void *context,
    int (*read)(void *source, char *buffer, int size), int (*close)(void *source), void *source,
    int encoding);
int xmlCtxtUseOptions(xmlParserCtxtPtr parser, int options);
int xmlParseDocument(xmlParserCtxtPtr parser);
void xmlStopParser(xmlParserCtxtPtr parser);
void xmlFreeParserCtxt(xmlParserCtxtPtr parser);

#endif
