"""Every assembly function of Tatu for AVR, Cortex-M, Armv7-A and AArch64 is proved, or is part of one that is, or
stands here with the reason."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection
from elftools.elf.sections import SymbolTableSection

from bancada.prove.needs import needs_of_every
from bancada.prove.program import Machine
from tests.prove.changed_proofs import PROOFS
from tests.prove.conftest import FLAGS, ON_LINUX, TATU
from tests.tatu.compiled import objects_of

pytestmark = pytest.mark.long


BRANCHES = "it branches on whether public numbers are equal, which no proof about numbers follows"
MODULO_3329 = "products of numbers modulo 3329: polynomials follow the bytes of an AVR only, so far"
ML_KEM_ON_ARM = {
    **{f"tatu_internal_ml_kem_{name}": MODULO_3329 for name in ("ntt", "inverse_ntt", "multiply_add", "scale")},
    "tatu_internal_ml_kem_multiply_add_encoded": MODULO_3329,
    "tatu_internal_ml_kem_sample_interleaved": "how much it writes depends on its input: no specification yet",
}
MODULO_8380417 = "products of numbers modulo 8380417: polynomials follow the bytes of an AVR only, so far"
ML_DSA_ON_ARM = {
    f"tatu_internal_ml_dsa_{name}": MODULO_8380417 for name in ("ntt", "inverse_ntt", "multiply", "multiply_add")
}
NOT_PROVED = {
    "tatu_internal_x25519_ladder_avr": "the addresses of two squares depend on the scalar",
    "tatu_internal_ml_dsa_decode_z_half": BRANCHES,
    "tatu_internal_rsa_multiply_64": BRANCHES,
    "tatu_internal_rsa_square_256": BRANCHES,
}
# What the linker's relocations do not show: a jump within a section, and a call by a proved function in C. The function
# that goes there.
PART_OF = {
    **{
        f"tatu_internal_aes_{variant}_long_{operation}": f"tatu_aes256_{variant}_{operation}"
        for variant in ("small", "tiny")
        for operation in ("encrypt", "decrypt")
    },
    **{
        f"tatu_internal_speck128_{operation}": f"tatu_speck128_256_{operation}"
        for operation in ("small_encrypt", "small_decrypt", "small_set_decrypt_key", "tiny_encrypt", "tiny_decrypt")
    },
    "tatu_internal_rc6_set_key": "tatu_rc6_128_set_key",
    "tatu_internal_rc6_tiny_set_key": "tatu_rc6_tiny_128_set_key",
}


@cache
def called_by_proofs(machine: Machine) -> frozenset[str]:
    needs = needs_of_every(PROOFS).values()
    return frozenset(function for need in needs if machine in need.machines for function in need.functions)


def test_every_proof_names_its_functions_without_a_program() -> None:
    """A proof that breaks off there is looked for in every firmware, and fails in the first one."""
    assert [name for name, need in needs_of_every(PROOFS).items() if not need.functions] == []


def globals_and_references(path: Path) -> tuple[set[str], set[str]]:
    """The global functions that an object file defines, and every symbol that its relocations name."""
    with path.open("rb") as file:
        elf = ELFFile(file)
        table = elf.get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        defined = {
            symbol.name
            for symbol in table.iter_symbols()
            if symbol["st_shndx"] != "SHN_UNDEF"
            and symbol["st_info"]["bind"] == "STB_GLOBAL"
            and symbol["st_info"]["type"] == "STT_FUNC"
        }
        referenced = {
            table.get_symbol(each["r_info_sym"]).name
            for section in elf.iter_sections()
            if isinstance(section, RelocationSection)
            for each in section.iter_relocations()
        }
    return defined, referenced


def test_no_kernel_is_forgotten() -> None:
    sources = sorted(TATU.glob("*/avr/*.S"))
    objects = [globals_and_references(each) for each in objects_of("avr-gcc", FLAGS, sources)]
    every = {name for defined, _ in objects for name in defined}
    proved = set(called_by_proofs("avr"))
    while True:
        parts = {
            name for defined, referenced in objects if defined & proved for name in referenced & every
        } - NOT_PROVED.keys()
        if parts <= proved:
            break
        proved |= parts
    texts = [path.read_text() for path in sorted(TATU.rglob("*.[cSi]*")) if path.suffix in (".c", ".S", ".inc")]
    for part, caller in PART_OF.items():
        assert caller in proved, part
        assert any(caller in text and part in text for text in texts), part
        proved.add(part)
    assert len(every & proved) > 80
    assert sorted(every - proved - NOT_PROVED.keys()) == []
    assert sorted(NOT_PROVED.keys() - (every - proved)) == [], "proved, or not there"


LONG_PRODUCTS = "long products of secret numbers, which formulas of bits do not reach"
NOT_PROVED_ON_ARM = (
    ML_KEM_ON_ARM
    | ML_DSA_ON_ARM
    | {
        "tatu_internal_poly1305_multiply": LONG_PRODUCTS,
        "tatu_internal_x25519_arm": LONG_PRODUCTS,
        "tatu_internal_x25519_ladder": LONG_PRODUCTS,
        "tatu_internal_field25519_multiply": LONG_PRODUCTS,
        "tatu_internal_field25519_square": LONG_PRODUCTS,
        "tatu_internal_field25519_multiply_arm": LONG_PRODUCTS,
        "tatu_internal_field25519_square_arm": LONG_PRODUCTS,
        **{
            f"tatu_internal_{curve}_{name}": LONG_PRODUCTS
            for curve in ("p256", "secp256k1")
            for name in ("run", "double", "add", "begin_addition", "end_addition", "order_product")
        },
        "tatu_internal_inverse_steps": "30 division steps, of which no proof was tried yet",
        "tatu_internal_inverse_multiply": LONG_PRODUCTS,
        "tatu_internal_field25519_add_multiple": "a product with 121665 in formulas of bits: ABC has no answer yet",
        "tatu_internal_wipe_stack": "it wipes below the stack pointer, which every proof here forbids",
    }
)
# Called by proved functions in C.
PART_OF_ON_ARM = {
    "tatu_internal_aes_fixsliced_encrypt_rounds": "tatu_internal_aes_fixsliced_encrypt",
    "tatu_internal_aes_fixsliced_decrypt_rounds": "tatu_internal_aes_fixsliced_decrypt",
    "tatu_internal_aes_fixsliced_substitute_word": "tatu_aes128_set_key",
    "tatu_internal_aes_fixsliced_slice": "tatu_aes128_set_key",
    "tatu_internal_aes_ram_encrypt": "tatu_aes128_ram_encrypt",
    "tatu_internal_aes_ram_decrypt": "tatu_aes128_ram_decrypt",
}


@pytest.mark.parametrize("core", ["cortex-m0plus", "cortex-m4"])
def test_no_kernel_for_a_cortex_m_is_forgotten(core: str) -> None:
    folder = "thumb1" if core == "cortex-m0plus" else "thumb2"
    sources = [*sorted(TATU.glob(f"*/{folder}/*.S")), *sorted((TATU / "common").glob("*_arm.S"))]
    flags = (f"-mcpu={core}", "-mthumb", "-std=c99", "-DTATU_AES_TABLES_IN_RAM")
    objects = [globals_and_references(each) for each in objects_of("arm-none-eabi-gcc", flags, sources)]
    every = {name for defined, _ in objects for name in defined}
    proved = set(called_by_proofs("thumb"))
    proved |= {name for defined, referenced in objects if defined & proved for name in referenced & every}
    proved |= {part for part, caller in PART_OF_ON_ARM.items() if caller in proved}
    assert len(every & proved) > 8
    assert sorted(every - proved - NOT_PROVED_ON_ARM.keys()) == []
    assert sorted((NOT_PROVED_ON_ARM.keys() & every) - (every - proved)) == [], "proved"


NOT_PROVED_ON_LINUX = {
    "tatu_internal_poly1305_products_4_blocks": LONG_PRODUCTS,
    **{f"tatu_internal_p256_points_{name}": LONG_PRODUCTS for name in ("multiply", "double", "add")},
}


@pytest.mark.parametrize(("machine", "folder", "least"), [("aarch64", "aarch64", 3), ("armv7-a", "neon", 8)])
def test_no_kernel_for_linux_is_forgotten(machine: Machine, folder: str, least: int) -> None:
    compiler, *core = ON_LINUX[machine]
    objects = [
        globals_and_references(each)
        for each in objects_of(compiler, (*core, "-std=gnu99"), sorted(TATU.glob(f"*/{folder}/*.S")))
    ]
    every = {name for defined, _ in objects for name in defined}
    proved = called_by_proofs(machine)
    assert sorted(every - proved) == sorted(NOT_PROVED_ON_LINUX.keys() & every)
    assert len(every & proved) >= least
