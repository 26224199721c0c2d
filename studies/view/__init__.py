"""What people see of a study: findings (questions, sentences, grids), and their writers."""
