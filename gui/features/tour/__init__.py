"""Tour: six steps on a page without marks, each waiting for the gesture that it teaches."""
