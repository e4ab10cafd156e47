"""What executes firmware. One folder for each engine, in this package or below `engines` in a folder of
BANCADA_PATH."""
