"""One file a map that is not a softmax head: points of it that attack the theorems about it."""
