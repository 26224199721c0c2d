def legal_moves_in_words(table, box): return {}
