"""Writes the folder of a new candidate: it builds at once, and fails conformance until its functions are filled in."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path

from bancada import adapter_templates, catalogue
from bancada.arduino import SUFFIXES, Library, arduino_library, is_arduino_library
from bancada.compilers import CPP_SUFFIXES
from bancada.errors import UserError

_NAME = re.compile(r"[a-z][a-z0-9]*")
_NO_LIBRARY = ("test", "tests", "examples", "extras")


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
title = "{title}"
version = "{version}"
licence = "not stated"
about = "One sentence: what it is, and why a person considers it on a small device."
root = "{root}"
{arduino}
[[implementation]]
name = "{algorithm}"
primitive = "{primitive}"
algorithm = "{algorithm}"
variant = ["plain"]
key_bits = [{key_bits}]
{sizes}
adapter = "{adapter}"
{compiled}operations = [{operations}]
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
    return ", ".join(json.dumps(text) for text in texts)


def _layout(folder: Path) -> Library:
    """A folder of sources as if it were a library: everything in it but tests, examples and extras."""
    sources, headers = [], set()
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if inside.parts[0] in _NO_LIBRARY or any(part.startswith(".") for part in inside.parts):
            continue
        if path.suffix in SUFFIXES:
            sources.append(path)
        if path.suffix in (".h", ".hpp"):
            headers.add(path.parent)
    if not sources:
        raise UserError(f"There is no {', '.join(SUFFIXES)} file in {folder}: give the folder that holds the library.")
    return Library(folder, {}, tuple(sources), tuple(sorted(headers)))


def _headers(library: Library, name: str) -> list[Path]:
    """The headers that a program includes: those that library.properties names, else the one that is called as the library is."""
    every = [path for folder in library.include for pattern in ("*.h", "*.hpp") for path in sorted(folder.glob(pattern))]
    wanted = [part.strip() for part in library.properties.get("includes", "").split(",") if part.strip()]
    named = [path for path in every for one in wanted if path.name == Path(one).name]
    called = {text.lower() for text in (name, library.folder.name, library.properties.get("name", name))}
    return named or [path for path in every if path.stem.lower() in called][:1] or every[:1]


def _classes(headers: list[Path]) -> list[str]:
    """Names of the classes that can be made: those without a function that a derived class must define."""
    found = []
    for path in headers:
        text = re.sub(r"//[^\n]*|/\*.*?\*/", "", path.read_text(encoding="utf-8", errors="replace"), flags=re.DOTALL)
        parts = re.split(r"^\s*class\s+(\w+)(?=[^;(){]*\{)", text, flags=re.MULTILINE)
        found += [name for name, body in zip(parts[1::2], parts[2::2], strict=True) if not re.search(r"=\s*0\s*;", body)]
    return found


def _adapter(template: _Template, library: Library, name: str, is_cpp: bool) -> str:
    headers = _headers(library, name)
    classes = _classes(headers) if is_cpp else []
    types = {"block-cipher": "bancada_encrypt_context", "hash": "bancada_hash_context", "aead": "bancada_aead_context"}
    calls = adapter_templates.CALLS_CPP if is_cpp and classes else adapter_templates.CALLS_C
    values = {"name": classes[0] if classes else name, "type": types[template.primitive]}
    return adapter_templates.ADAPTERS[template.primitive].format(
        title=library.properties.get("name", name),
        includes="\n".join(f"#include <{path.name}>" for path in headers),
        what=f"// Its classes: {', '.join(classes)}." if classes else "// Put its functions where the comments are.",
        **{key: text.format(**values) for key, text in calls.items()},
    )


def _of_library(name: str, template: _Template, sources: Path, is_arduino: bool) -> tuple[dict[str, str], dict[str, str]]:
    """(files, values of candidate.toml) for a library that is there already."""
    folder = sources.expanduser().resolve()
    library = arduino_library(folder) if is_arduino else _layout(folder)
    is_cpp = is_arduino or any(path.suffix in CPP_SUFFIXES for path in library.sources)
    adapter = "adapter.hpp" if is_cpp else "adapter.h"
    patterns = sorted({f"{path.relative_to(folder).parent}/*{path.suffix}".removeprefix("./") for path in library.sources})
    include = sorted(str(path.relative_to(folder)) for path in library.include)
    values = {
        "root": str(folder), "title": library.properties.get("name", name), "version": library.properties.get("version", "0"),
        "adapter": adapter, "arduino": "arduino = true\n" if is_arduino else "",
        "compiled": "" if is_arduino else f"sources = [{_quoted(patterns)}]\ninclude = [{_quoted(include)}]\n",
    }  # fmt: skip
    return {adapter: _adapter(template, library, name, is_cpp)}, values


def new_candidate(name: str, algorithm: str, folder: Path, sources: Path | None = None, arduino: Path | None = None) -> Written:
    """Writes `<folder>/candidates/<name>/`.

    Without `sources` it has a source file of its own, whose functions are to be filled in. With `sources`, a folder anywhere on
    disk, or `arduino`, an Arduino library, it has an adapter into which that library's calls are to be put; a folder of `sources` that
    holds library.properties is an Arduino library. UserError if the name is no name, is taken, or there is nothing to compile.
    """
    if not _NAME.fullmatch(name):
        raise UserError(f"'{name}' cannot name a candidate: small letters and digits, a letter first, as in 'mycipher'.")
    if name in catalogue.candidates():
        raise UserError(f"There is a candidate '{name}' already, in {catalogue.candidates()[name].folder}; choose another name.")
    if sources is not None and arduino is not None:
        raise UserError("A candidate is either --sources or --arduino; give one of them.")
    target = folder / "candidates" / name
    if target.exists():
        raise UserError(f"{target} is there already; choose another name or another --folder.")
    template = _TEMPLATES[algorithm]
    values = {
        "name": name, "upper": name.upper(), "algorithm": algorithm, "primitive": template.primitive,
        "key_bits": str(template.key_bits), "key_bytes": str(template.key_bits // 8), "block": str(template.block_bytes),
        "sizes": template.sizes, "operations": template.operations, "arguments": _AEAD_ARGUMENTS, "header": f"{name}.h",
        "root": "src", "title": name, "version": "0", "adapter": "adapter.h", "arduino": "",
        "compiled": f'sources = ["{name}.c"]\ninclude = ["."]\n',
    }  # fmt: skip
    there = arduino or sources
    if there is not None:
        written, found = _of_library(name, template, there, arduino is not None or is_arduino_library(there))
        texts = {"candidate.toml": _TOML.format(**{**values, **{key: _in_toml(text) if key in ("root", "title", "version") else text for key, text in found.items()}}), **written}
    else:
        adapter, header, source = _FILES[template.primitive]
        own = {"candidate.toml": _TOML, "adapter.h": adapter, f"src/{name}.h": header, f"src/{name}.c": source}
        texts = {place: text.format(**values) for place, text in own.items()}
    files = []
    for place, text in texts.items():
        path = target / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        files.append(path)
    catalogue.forget()
    known = {Path(part).expanduser().resolve() for part in os.environ.get("BANCADA_PATH", "").split(os.pathsep) if part}
    return Written(target, tuple(files), None if folder.resolve() in known else folder.resolve())


def _in_toml(text: str) -> str:
    """The inside of a basic string (TOML 1.0)."""
    return json.dumps(text, ensure_ascii=False)[1:-1]
