"""A layer's certificate for readers: as a terminal table and as HTML."""
