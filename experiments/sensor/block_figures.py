"""The figures that findings.toml judges of the ciphers alone: times and energy of one library's blocks."""

from __future__ import annotations

from bancada.studies.claim import Figures
from bancada.studies.spread import Spread
from bancada.studies.study import Evidence

from .blocks import KEYS, VARIANTS, Blocks, name_of, our_blocks, studys_blocks
from .energy import study_pwh


def _speck_over_aes(blocks: Blocks, field: str) -> Figures:
    values = [
        (
            blocks.least("aes", "plain", "encrypt", bits, field),
            blocks.least("speck128", "plain", "encrypt", bits, field),
        )
        for bits in KEYS
    ]
    ratios = [aes / speck for aes, speck in values if aes and speck]
    if len(ratios) < len(KEYS):
        return None
    return {"ratio": Spread(ratios), "with_128": ratios[0]}


def speed_of_the_studys(evidence: Evidence) -> Figures:
    """`ratio`: plain AES's time over plain Speck's, each key; `with_128` that of 128 bits. Of the study's library."""
    return _speck_over_aes(studys_blocks(evidence), "time_us")


def speed_of_ours(evidence: Evidence) -> Figures:
    """As `speed_of_the_studys`, of Tatu."""
    return _speck_over_aes(our_blocks(evidence), "time_us")


def energy_of_the_studys(evidence: Evidence) -> Figures:
    """As `speed_of_the_studys`, of energy."""
    return _speck_over_aes(studys_blocks(evidence), "energy_uj")


def energy_of_ours(evidence: Evidence) -> Figures:
    """As `energy_of_the_studys`, of Tatu."""
    return _speck_over_aes(our_blocks(evidence), "energy_uj")


def _speck_variants(blocks: Blocks) -> Figures:
    plain, small, tiny = (blocks.least("speck128", name, "encrypt") for name in VARIANTS)
    if not (plain and small and tiny):
        return None
    return {"small": small / plain, "tiny": tiny / plain}


def speck_variants_of_the_studys(evidence: Evidence) -> Figures:
    """`small` and `tiny`: Speck's time over that of the plain variant, of the study's library."""
    return _speck_variants(studys_blocks(evidence))


def speck_variants_of_ours(evidence: Evidence) -> Figures:
    """As `speck_variants_of_the_studys`, of Tatu."""
    return _speck_variants(our_blocks(evidence))


def _keys(blocks: Blocks, algorithm: str) -> Figures:
    short, middle, long = (blocks.least(algorithm, "plain", "encrypt", bits) for bits in KEYS)
    if not (short and middle and long):
        return None
    return {
        "short": short,
        "middle_more": middle - short,
        "long_more": long - short,
        "with_192": middle / short,
        "with_256": long / short,
    }


def speck_keys_of_the_studys(evidence: Evidence) -> Figures:
    """Plain Speck: `short` µs with 128 bits, what longer keys take more, and their ratios, of the study's library."""
    return _keys(studys_blocks(evidence), "speck128")


def speck_keys_of_ours(evidence: Evidence) -> Figures:
    """As `speck_keys_of_the_studys`, of Tatu."""
    return _keys(our_blocks(evidence), "speck128")


def aes_keys_of_the_studys(evidence: Evidence) -> Figures:
    """As `speck_keys_of_the_studys`, of AES."""
    return _keys(studys_blocks(evidence), "aes")


def aes_keys_of_ours(evidence: Evidence) -> Figures:
    """As `aes_keys_of_the_studys`, of Tatu."""
    return _keys(our_blocks(evidence), "aes")


def _back_over_forth(blocks: Blocks, algorithm: str, field: str = "time_us") -> list[float]:
    pairs = [
        (blocks.least(algorithm, name, "encrypt", field=field), blocks.least(algorithm, name, "decrypt", field=field))
        for name in VARIANTS
    ]
    return [back / forth for forth, back in pairs if forth and back]


def _aes_directions(blocks: Blocks) -> Figures:
    back = _back_over_forth(blocks, "aes")
    forth = [blocks.least("aes", name, "encrypt") for name in VARIANTS]
    if not back or not all(forth):
        return None
    small, tiny = ((one or 0) / (forth[0] or 1) for one in forth[1:])
    return {"back": Spread(back), "small": small, "tiny": tiny}


def aes_directions_of_the_studys(evidence: Evidence) -> Figures:
    """`back`: AES's decryption over its encryption, each variant that decrypts; `small`, `tiny`: encryption over plain.
    Of the study's library."""
    return _aes_directions(studys_blocks(evidence))


def aes_directions_of_ours(evidence: Evidence) -> Figures:
    """As `aes_directions_of_the_studys`, of Tatu."""
    return _aes_directions(our_blocks(evidence))


def _speck_directions(blocks: Blocks) -> Figures:
    pairs = [(blocks.least("speck128", "plain", way, bits) for way in ("encrypt", "decrypt")) for bits in KEYS]
    ratios = [back / forth for forth, back in pairs if forth and back]
    return {"back": Spread(ratios)} if ratios else None


def speck_directions_of_the_studys(evidence: Evidence) -> Figures:
    """`back`: plain Speck's decryption over its encryption, each key, of the study's library."""
    return _speck_directions(studys_blocks(evidence))


def speck_directions_of_ours(evidence: Evidence) -> Figures:
    """As `speck_directions_of_the_studys`, of Tatu."""
    return _speck_directions(our_blocks(evidence))


def _energy_by_direction(blocks: Blocks) -> Figures:
    found = [one for name in ("aes", "speck128") for one in _back_over_forth(blocks, name, "energy_uj")]
    return {"back": Spread(found)} if found else None


def energy_by_direction_of_the_studys(evidence: Evidence) -> Figures:
    """`back`: energy of decryption over that of encryption, of both ciphers and all variants that decrypt. Of the
    study's library."""
    return _energy_by_direction(studys_blocks(evidence))


def energy_by_direction_of_ours(evidence: Evidence) -> Figures:
    """As `energy_by_direction_of_the_studys`, of Tatu."""
    return _energy_by_direction(our_blocks(evidence))


def _energy_of_variants(blocks: Blocks) -> Figures:
    more = []
    for algorithm in ("aes", "speck128"):
        plain, *others = (blocks.least(algorithm, name, "encrypt", field="energy_uj") for name in VARIANTS)
        more += [one / plain for one in others if one and plain]
    return {"more": Spread(more)} if more else None


def energy_of_variants_of_the_studys(evidence: Evidence) -> Figures:
    """`more`: energy of Small and Tiny over plain, both ciphers, encryption. Of the study's library."""
    return _energy_of_variants(studys_blocks(evidence))


def energy_of_variants_of_ours(evidence: Evidence) -> Figures:
    """As `energy_of_variants_of_the_studys`, of Tatu."""
    return _energy_of_variants(our_blocks(evidence))


def energy_of_a_block(evidence: Evidence) -> Figures:
    """Plain Speck-128: `nwh` by the data sheet, and `study_pwh` by the study's volts and current for sending."""
    blocks = our_blocks(evidence)
    energy_uj, time_us = (blocks.least("speck128", "plain", "encrypt", field=name) for name in ("energy_uj", "time_us"))
    if not energy_uj or not time_us:
        return None
    return {"pwh": energy_uj / 3600 * 1e6, "nwh": energy_uj / 3.6, "study_pwh": study_pwh(time_us)}


def _order_of_energy(blocks: Blocks) -> Figures:
    said, speck, aes = [], [], []
    for operation in ("encrypt", "decrypt"):
        order = list(blocks.by(operation, "energy_uj"))
        of_aes = [name for name in order if name.startswith("AES")]
        if len(order) < 2 * len(KEYS) or not of_aes:
            return None
        speck.append(order[: len(KEYS)] == [name_of("speck128", "plain", bits) for bits in KEYS])
        aes.append(of_aes[0] == name_of("aes", "plain", 128))
        said.append(f"{operation}: {', '.join(order[: len(KEYS)])}; least of AES: {of_aes[0]}")
    return {"said": "; ".join(said), "speck": all(speck), "aes": all(aes)}


def order_of_energy_of_the_studys(evidence: Evidence) -> Figures:
    """`speck`: whether plain Speck with 128, 192 and 256 bits need least, in this order; `aes`: whether AES 128 is the
    least of AES; both directions. Of the study's library."""
    return _order_of_energy(studys_blocks(evidence))


def order_of_energy_of_ours(evidence: Evidence) -> Figures:
    """As `order_of_energy_of_the_studys`, of Tatu."""
    return _order_of_energy(our_blocks(evidence))
