#error "examples are not part of a library"
