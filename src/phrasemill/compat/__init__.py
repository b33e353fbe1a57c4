"""The interfaces of other keyphrase tools over the methods of this one, for programs that come from them."""
