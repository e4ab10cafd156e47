"""What goes from stored results into a paper: tables with captions, figures with their data, bibliographies."""
