/** The documents that are open, shared by the views Document and Compare. */

export const openDocuments = {
  documents: [],
  at: 0,
  version: 0, // changes whenever the documents do

  get document() {
    return this.documents[this.at];
  },
  put(documents) {
    this.documents = documents;
    this.turnTo(0);
  },
  turnTo(at) {
    this.at = at;
    this.version += 1;
  },
};
