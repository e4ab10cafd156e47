"""What the laboratory offers to every study. No study is known here by name: each has its folder below experiments/."""
