"""Players that learn, and how strong players are: tables of policies, best responses found."""
