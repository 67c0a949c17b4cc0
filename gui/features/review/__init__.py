"""Review: where annotators differ, difference after difference."""
