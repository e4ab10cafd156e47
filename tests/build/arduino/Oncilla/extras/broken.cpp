#error "extras are not part of a library"
