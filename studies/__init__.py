"""Experiments: study file -> cells -> blocks -> Parquet -> answers; `import cardlab` names them."""
