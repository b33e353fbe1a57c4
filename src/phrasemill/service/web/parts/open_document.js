/** The document that is open, shared by the views Document and Compare. */

export const openDocument = {
  document: null,
  key: "", // under which it is kept

  put(document, key) {
    this.document = document;
    this.key = key;
  },
};
