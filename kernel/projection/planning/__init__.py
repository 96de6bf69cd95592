"""What may be summarised, and whether it pays: atoms, protection, ranges, catalog, economics."""
