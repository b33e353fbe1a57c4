/** The documents that lie on the desk: what Document and Compare both look at. */

export const desk = {
  documents: [],
  at: 0,
  version: 0, // changes whenever what lies there does

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
