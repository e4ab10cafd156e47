"""The languages that the laboratory speaks besides English. Sentences are in English in the sources; a catalogue gives
them in another language where they are shown to a person (README.md of this room)."""
