"""What Tatu's kernels compute on an AVR and on a Cortex-M, for `bancada prove`. Each function is one proof of one
linked function."""
