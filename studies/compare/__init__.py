"""What the matches of a study tell: effects of variants, and how policies compare."""
