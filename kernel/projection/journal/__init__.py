"""What the projection writes: transactions and repairs, strictly read, and what older versions wrote."""
