"""What rules mean: expressions over code points, as automata and as regular expressions."""
