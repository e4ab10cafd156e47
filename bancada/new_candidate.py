"""Writes the folder of a new candidate: it builds at once, and fails conformance until its functions are filled in."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from bancada import catalogue
from bancada.errors import UserError

_NAME = re.compile(r"[a-z][a-z0-9]*")
_SOURCE_SUFFIXES = (".c", ".S", ".cpp")


@dataclass(frozen=True)
class Written:
    """What was written: the candidate's folder, its files, and what to set BANCADA_PATH to (None if it is set already)."""

    folder: Path
    files: tuple[Path, ...]
    path_to_add: Path | None


@dataclass(frozen=True)
class _Template:
    primitive: str
    key_bits: int
    sizes: str
    operations: str
    block_bytes: int = 0


_BLOCK = '"set-key", "encrypt", "decrypt"'
_TEMPLATES = {
    "aes": _Template("block-cipher", 128, "block_bytes = 16", _BLOCK, 16),
    "rc6": _Template("block-cipher", 128, "block_bytes = 16", _BLOCK, 16),
    "speck64": _Template("block-cipher", 128, "block_bytes = 8", _BLOCK, 8),
    "speck128": _Template("block-cipher", 128, "block_bytes = 16", _BLOCK, 16),
    "sha-256": _Template("hash", 0, "digest_bytes = 32", '"hash"'),
    "sha3-256": _Template("hash", 0, "digest_bytes = 32", '"hash"'),
    "ascon-hash256": _Template("hash", 0, "digest_bytes = 32", '"hash"'),
    "ascon-aead128": _Template("aead", 128, "nonce_bytes = 16\ntag_bytes = 16", _BLOCK),
    "aes-ccm": _Template("aead", 128, "nonce_bytes = 13\ntag_bytes = 16", _BLOCK),
    "chacha20-poly1305": _Template("aead", 256, "nonce_bytes = 12\ntag_bytes = 16", _BLOCK),
}
ALGORITHMS = tuple(_TEMPLATES)

_TOML = """\
name = "{name}"
title = "{name}"
version = "0"
licence = "not stated"
about = "One sentence: what it is, and why a person considers it on a small device."
root = "{root}"

[[implementation]]
name = "{algorithm}"
primitive = "{primitive}"
algorithm = "{algorithm}"
variant = ["plain"]
key_bits = [{key_bits}]
{sizes}
adapter = "adapter.h"
sources = [{sources}]
include = [{include}]
operations = [{operations}]
"""

_BLOCK_ADAPTER = """\
/* Puts {name} behind the contract of a block cipher (harness/include/bancada/block_cipher.h).
 * What stands in these functions is what is timed: let it be one call of the library. */
#include "{header}"

#define BANCADA_ONE_KEY 1 /* one key schedule serves both directions */

typedef struct {name}_context bancada_encrypt_context;

static inline void bancada_set_encrypt_key(bancada_encrypt_context *context, const uint8_t *key)
{{
    {name}_set_key(context, key);
}}

static inline void bancada_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{{
    {name}_encrypt(context, output, input);
}}

static inline void bancada_decrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{{
    {name}_decrypt(context, output, input);
}}
"""
_BLOCK_HEADER = """\
#ifndef {upper}_H
#define {upper}_H

#include <stdint.h>

struct {name}_context {{
    uint8_t key[{key_bytes}];
}};

void {name}_set_key(struct {name}_context *context, const uint8_t key[{key_bytes}]);
void {name}_encrypt(const struct {name}_context *context, uint8_t output[{block}], const uint8_t input[{block}]);
void {name}_decrypt(const struct {name}_context *context, uint8_t output[{block}], const uint8_t input[{block}]);

#endif
"""
_BLOCK_SOURCE = """\
#include "{name}.h"

#include <string.h>

void {name}_set_key(struct {name}_context *context, const uint8_t key[{key_bytes}])
{{
    memcpy(context->key, key, {key_bytes});
}}

/* Fill in: the block leaves as it came. */
void {name}_encrypt(const struct {name}_context *context, uint8_t output[{block}], const uint8_t input[{block}])
{{
    (void)context;
    memmove(output, input, {block});
}}

/* Fill in: the block leaves as it came. */
void {name}_decrypt(const struct {name}_context *context, uint8_t output[{block}], const uint8_t input[{block}])
{{
    (void)context;
    memmove(output, input, {block});
}}
"""

_HASH_ADAPTER = """\
/* Puts {name} behind the contract of a hash (harness/include/bancada/hash.h).
 * What stands in this function is what is timed: let it be the library's calls and no more. */
#include "{header}"

#define BANCADA_ONE_SHOT 1 /* the caller keeps no context */
typedef bancada_no_context bancada_hash_context;

static inline void bancada_hash(bancada_hash_context *context, uint8_t *digest, const uint8_t *message, size_t length)
{{
    (void)context;
    {name}_hash(digest, message, length);
}}
"""
_HASH_HEADER = """\
#ifndef {upper}_H
#define {upper}_H

#include <stddef.h>
#include <stdint.h>

void {name}_hash(uint8_t digest[32], const uint8_t *message, size_t length);

#endif
"""
_HASH_SOURCE = """\
#include "{name}.h"

#include <string.h>

/* Fill in: the digest is zero. */
void {name}_hash(uint8_t digest[32], const uint8_t *message, size_t length)
{{
    (void)message;
    (void)length;
    memset(digest, 0, 32);
}}
"""

_AEAD_ARGUMENTS = "uint8_t *output, const uint8_t *input, size_t length, const uint8_t *associated"
_AEAD_ADAPTER = """\
/* Puts {name} behind the contract of authenticated encryption (harness/include/bancada/aead.h).
 * What stands in these functions is what is timed: let it be one call of the library. */
#include "{header}"

typedef struct {name}_context bancada_aead_context;

static inline void bancada_set_key(bancada_aead_context *context, const uint8_t *key)
{{
    {name}_set_key(context, key);
}}

static inline int bancada_aead_encrypt(bancada_aead_context *context, {arguments},
                                       size_t associated_length, const uint8_t *nonce, uint8_t *tag)
{{
    return {name}_encrypt(context, output, input, length, associated, associated_length, nonce, tag);
}}

static inline int bancada_aead_decrypt(bancada_aead_context *context, {arguments},
                                       size_t associated_length, const uint8_t *nonce, const uint8_t *tag)
{{
    return {name}_decrypt(context, output, input, length, associated, associated_length, nonce, tag);
}}
"""
_AEAD_HEADER = """\
#ifndef {upper}_H
#define {upper}_H

#include <stddef.h>
#include <stdint.h>

struct {name}_context {{
    uint8_t key[{key_bytes}];
}};

void {name}_set_key(struct {name}_context *context, const uint8_t key[{key_bytes}]);
/* Both return 0; decryption anything else when the tag does not hold, and then it leaves no plaintext. */
int {name}_encrypt(const struct {name}_context *context, {arguments},
                   size_t associated_length, const uint8_t *nonce, uint8_t *tag);
int {name}_decrypt(const struct {name}_context *context, {arguments},
                   size_t associated_length, const uint8_t *nonce, const uint8_t *tag);

#endif
"""
_AEAD_SOURCE = """\
#include "{name}.h"

#include <string.h>

void {name}_set_key(struct {name}_context *context, const uint8_t key[{key_bytes}])
{{
    memcpy(context->key, key, {key_bytes});
}}

/* Fill in: the message leaves as it came, with no tag. */
int {name}_encrypt(const struct {name}_context *context, {arguments},
                   size_t associated_length, const uint8_t *nonce, uint8_t *tag)
{{
    (void)context, (void)associated, (void)associated_length, (void)nonce, (void)tag;
    memmove(output, input, length);
    return 0;
}}

/* Fill in: no tag holds. */
int {name}_decrypt(const struct {name}_context *context, {arguments},
                   size_t associated_length, const uint8_t *nonce, const uint8_t *tag)
{{
    (void)context, (void)input, (void)associated, (void)associated_length, (void)nonce, (void)tag;
    memset(output, 0, length);
    return -1;
}}
"""
_FILES = {
    "block-cipher": (_BLOCK_ADAPTER, _BLOCK_HEADER, _BLOCK_SOURCE),
    "hash": (_HASH_ADAPTER, _HASH_HEADER, _HASH_SOURCE),
    "aead": (_AEAD_ADAPTER, _AEAD_HEADER, _AEAD_SOURCE),
}


def _quoted(texts: list[str]) -> str:
    return ", ".join(f'"{text}"' for text in texts)


def _layout(sources: Path) -> tuple[list[str], list[str]]:
    """(sources, include folders) of a folder: an Arduino library's `src/` or root and `utility/`, else every folder."""
    whole = (sources / "src").is_dir() and (sources / "library.properties").is_file()
    bases = [Path("src")] if whole else [Path(".")]
    deep = whole or not (sources / "library.properties").is_file()
    folders: set[Path] = set()
    patterns: set[str] = set()
    for base in bases:
        # An Arduino library in the old layout is its root and `utility/`, no other folder (library specification 1.5).
        found = (sources / base).rglob("*") if deep else [*(sources / base).glob("*"), *(sources / base).glob("utility/*")]
        for path in found:
            inside = path.relative_to(sources)
            if path.suffix in _SOURCE_SUFFIXES and inside.parts[0] not in ("test", "tests", "examples", "extras"):
                patterns.add(f"{inside.parent}/*{path.suffix}".removeprefix("./"))
                folders.add(inside.parent)
            elif path.suffix == ".h" and inside.parts[0] not in ("test", "tests", "examples", "extras"):
                folders.add(inside.parent)
    if not patterns:
        raise UserError(f"There is no {', '.join(_SOURCE_SUFFIXES)} file in {sources}: give the folder that holds the library.")
    return sorted(patterns), sorted(str(folder) for folder in folders)


def new_candidate(name: str, algorithm: str, folder: Path, sources: Path | None = None) -> Written:
    """Writes `<folder>/candidates/<name>/`.

    Without `sources` it has a source file of its own, whose functions are to be filled in; with `sources`, a folder anywhere
    on disk, its adapter calls functions that are then to be put right. UserError if the name is no name, is taken,
    or there is nothing to compile.
    """
    if not _NAME.fullmatch(name):
        raise UserError(f"'{name}' cannot name a candidate: small letters and digits, a letter first, as in 'mycipher'.")
    if name in catalogue.candidates():
        raise UserError(f"There is a candidate '{name}' already, in {catalogue.candidates()[name].folder}; choose another name.")
    target = folder / "candidates" / name
    if target.exists():
        raise UserError(f"{target} is there already; choose another name or another --folder.")
    template = _TEMPLATES[algorithm]
    adapter, header, source = _FILES[template.primitive]
    if sources is not None:
        patterns, include = _layout(sources.resolve())
        root, headers = str(sources.resolve()), sorted(path.name for path in sources.rglob("*.h"))
        included = next((text for text in headers if text.lower().startswith(name)), (headers or [f"{name}.h"])[0])
    else:
        patterns, include, root, included = [f"{name}.c"], ["."], "src", f"{name}.h"
    values = {
        "name": name, "upper": name.upper(), "algorithm": algorithm, "primitive": template.primitive,
        "key_bits": template.key_bits, "key_bytes": template.key_bits // 8, "block": template.block_bytes,
        "sizes": template.sizes, "operations": template.operations, "root": root, "sources": _quoted(patterns),
        "include": _quoted(include), "header": included, "arguments": _AEAD_ARGUMENTS,
    }  # fmt: skip
    texts = {"candidate.toml": _TOML, "adapter.h": adapter}
    if sources is None:
        texts |= {f"src/{name}.h": header, f"src/{name}.c": source}
    files = []
    for place, text in texts.items():
        path = target / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.format(**values), encoding="utf-8")
        files.append(path)
    catalogue.forget()
    known = {Path(part).expanduser().resolve() for part in os.environ.get("BANCADA_PATH", "").split(os.pathsep) if part}
    return Written(target, tuple(files), None if folder.resolve() in known else folder.resolve())
