//! Tatu, cryptography for constrained devices, in Rust without `std`: whole messages, with lengths that the types hold.
//!
//! The C functions are in [`ffi`]. The functions of this file are safe: no length can be wrong, a failure is an
//! [`Error`] and cannot be overlooked, and decryption gives no plaintext before the tag holds.
//!
//! ```
//! let digest = tatu_sys::sha256(b"abc");
//! assert_eq!(digest[..4], [0xba, 0x78, 0x16, 0xbf]);
//! ```

#![no_std]
#![warn(missing_docs)]

use core::ffi::{c_int, c_void};

pub mod ffi;

/// Why a function did not do what it was asked (tatu/error.h).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Error {
    /// A length that the function cannot take.
    Length,
    /// A tag or a signature does not match.
    Authentication,
    /// A public key that must not be used.
    Key,
    /// Another code of tatu/error.h.
    Other(c_int),
}

impl core::fmt::Display for Error {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Error::Length => formatter.write_str("a length that the function cannot take"),
            Error::Authentication => formatter.write_str("the tag or signature does not match"),
            Error::Key => formatter.write_str("a public key that must not be used"),
            Error::Other(code) => write!(formatter, "Tatu's error {code}"),
        }
    }
}

fn result(code: c_int) -> Result<(), Error> {
    match code {
        0 => Ok(()),
        -1 => Err(Error::Length),
        -4 => Err(Error::Authentication),
        -6 => Err(Error::Key),
        other => Err(Error::Other(other)),
    }
}

macro_rules! hash {
    ($(#[$about:meta])* $name:ident, $function:ident, $bytes:literal) => {
        $(#[$about])*
        #[must_use]
        pub fn $name(message: &[u8]) -> [u8; $bytes] {
            let mut digest = [0; $bytes];
            // SAFETY: `digest` has the bytes that the function writes; it reads `message.len()` bytes of the message.
            unsafe { ffi::$function(digest.as_mut_ptr(), message.as_ptr(), message.len()) };
            digest
        }
    };
}

hash!(/** SHA-256 (FIPS 180-4). */ sha256, tatu_sha256, 32);
hash!(/** SHA-384 (FIPS 180-4). */ sha384, tatu_sha384, 48);
hash!(/** SHA-512 (FIPS 180-4). */ sha512, tatu_sha512, 64);
hash!(/** SHA3-256 (FIPS 202). */ sha3_256, tatu_sha3_256, 32);
hash!(/** SHA3-512 (FIPS 202). */ sha3_512, tatu_sha3_512, 64);
hash!(/** Ascon-Hash256 (NIST SP 800-232). */ ascon_hash256, tatu_ascon_hash256, 32);

/// SHAKE128 (FIPS 202): as many bytes as `output` has.
pub fn shake128(output: &mut [u8], message: &[u8]) {
    // SAFETY: both lengths are those of the slices.
    unsafe {
        ffi::tatu_shake128(
            output.as_mut_ptr(),
            output.len(),
            message.as_ptr(),
            message.len(),
        )
    };
}

/// SHAKE256 (FIPS 202): as many bytes as `output` has.
pub fn shake256(output: &mut [u8], message: &[u8]) {
    // SAFETY: both lengths are those of the slices.
    unsafe {
        ffi::tatu_shake256(
            output.as_mut_ptr(),
            output.len(),
            message.as_ptr(),
            message.len(),
        )
    };
}

/// Whether the slices are equal. The time depends on the lengths only.
#[must_use]
pub fn equal(a: &[u8], b: &[u8]) -> bool {
    // SAFETY: both slices have `a.len()` bytes.
    a.len() == b.len()
        && unsafe {
            ffi::tatu_equal(
                a.as_ptr().cast::<c_void>(),
                b.as_ptr().cast::<c_void>(),
                a.len(),
            ) == 1
        }
}

/// Erases a secret. The compiler cannot remove this.
pub fn wipe(secret: &mut [u8]) {
    // SAFETY: the length is that of the slice.
    unsafe { ffi::tatu_wipe(secret.as_mut_ptr().cast::<c_void>(), secret.len()) };
}

/// HMAC-SHA-256 (RFC 2104, FIPS 198-1).
#[must_use]
pub fn hmac_sha256(key: &[u8], message: &[u8]) -> [u8; 32] {
    let mut tag = [0; 32];
    // SAFETY: lengths are those of the slices; the function writes 32 bytes.
    unsafe {
        ffi::tatu_hmac_sha256(
            key.as_ptr(),
            key.len(),
            tag.as_mut_ptr(),
            message.as_ptr(),
            message.len(),
        );
    };
    tag
}

/// Whether the HMAC-SHA-256 of the message begins with `tag`. [`Error::Authentication`] if not, [`Error::Length`] for a
/// tag that is too short or too long.
pub fn hmac_sha256_verify(key: &[u8], tag: &[u8], message: &[u8]) -> Result<(), Error> {
    // SAFETY: lengths are those of the slices.
    result(unsafe {
        ffi::tatu_hmac_sha256_verify(
            key.as_ptr(),
            key.len(),
            tag.as_ptr(),
            tag.len(),
            message.as_ptr(),
            message.len(),
        )
    })
}

/// HKDF with SHA-256 (RFC 5869): as many bytes as `output` has. [`Error::Length`] for more than 8,160.
pub fn hkdf_sha256(
    output: &mut [u8],
    salt: &[u8],
    secret: &[u8],
    info: &[u8],
) -> Result<(), Error> {
    // SAFETY: lengths are those of the slices.
    result(unsafe {
        ffi::tatu_hkdf_sha256(
            output.as_mut_ptr(),
            output.len(),
            salt.as_ptr(),
            salt.len(),
            secret.as_ptr(),
            secret.len(),
            info.as_ptr(),
            info.len(),
        )
    })
}

/// Authenticated encryption with whole messages that are encrypted in place.
pub mod aead {
    use super::{ffi, result, Error};

    /// Ascon-AEAD128 (NIST SP 800-232): encrypts `message` in place and gives the tag. A nonce must never come twice
    /// with one key.
    pub fn ascon128_encrypt(
        key: &[u8; 16],
        nonce: &[u8; 16],
        associated_data: &[u8],
        message: &mut [u8],
    ) -> Result<[u8; 16], Error> {
        let mut tag = [0; 16];
        let bytes = message.as_mut_ptr();
        // SAFETY: output and input may be equal (tatu/ascon.h); lengths are those of the slices.
        result(unsafe {
            ffi::tatu_ascon_aead128_encrypt(
                key.as_ptr(),
                bytes,
                bytes,
                message.len(),
                associated_data.as_ptr(),
                associated_data.len(),
                nonce.as_ptr(),
                tag.as_mut_ptr(),
                tag.len(),
            )
        })?;
        Ok(tag)
    }

    /// Decrypts `message` in place. With [`Error::Authentication`] there is no plaintext in it.
    pub fn ascon128_decrypt(
        key: &[u8; 16],
        nonce: &[u8; 16],
        associated_data: &[u8],
        message: &mut [u8],
        tag: &[u8; 16],
    ) -> Result<(), Error> {
        let bytes = message.as_mut_ptr();
        // SAFETY: as above.
        result(unsafe {
            ffi::tatu_ascon_aead128_decrypt(
                key.as_ptr(),
                bytes,
                bytes,
                message.len(),
                associated_data.as_ptr(),
                associated_data.len(),
                nonce.as_ptr(),
                tag.as_ptr(),
                tag.len(),
            )
        })
    }

    /// ChaCha20-Poly1305 (RFC 8439): encrypts `message` in place and gives the tag. A nonce must never come twice with
    /// one key.
    pub fn chacha20_poly1305_encrypt(
        key: &[u8; 32],
        nonce: &[u8; 12],
        associated_data: &[u8],
        message: &mut [u8],
    ) -> Result<[u8; 16], Error> {
        let mut tag = [0; 16];
        let bytes = message.as_mut_ptr();
        // SAFETY: output and input may be equal (tatu/chacha20_poly1305.h); lengths are those of the slices.
        result(unsafe {
            ffi::tatu_chacha20_poly1305_encrypt(
                key.as_ptr(),
                bytes,
                bytes,
                message.len(),
                associated_data.as_ptr(),
                associated_data.len(),
                nonce.as_ptr(),
                tag.as_mut_ptr(),
            )
        })?;
        Ok(tag)
    }

    /// Decrypts `message` in place. With [`Error::Authentication`] there is no plaintext in it.
    pub fn chacha20_poly1305_decrypt(
        key: &[u8; 32],
        nonce: &[u8; 12],
        associated_data: &[u8],
        message: &mut [u8],
        tag: &[u8; 16],
    ) -> Result<(), Error> {
        let bytes = message.as_mut_ptr();
        // SAFETY: as above.
        result(unsafe {
            ffi::tatu_chacha20_poly1305_decrypt(
                key.as_ptr(),
                bytes,
                bytes,
                message.len(),
                associated_data.as_ptr(),
                associated_data.len(),
                nonce.as_ptr(),
                tag.as_ptr(),
            )
        })
    }
}

/// X25519 (RFC 7748): the public key of a secret one.
#[must_use]
pub fn x25519_public_key(secret_key: &[u8; 32]) -> [u8; 32] {
    let mut public_key = [0; 32];
    // SAFETY: both have 32 bytes.
    unsafe { ffi::tatu_x25519_public_key(public_key.as_mut_ptr(), secret_key.as_ptr()) };
    public_key
}

/// X25519 (RFC 7748): the shared secret. [`Error::Key`] for a public key with which everybody would know it.
pub fn x25519(secret_key: &[u8; 32], peer_public_key: &[u8; 32]) -> Result<[u8; 32], Error> {
    let mut shared = [0; 32];
    // SAFETY: all have 32 bytes.
    result(unsafe {
        ffi::tatu_x25519(
            shared.as_mut_ptr(),
            secret_key.as_ptr(),
            peer_public_key.as_ptr(),
        )
    })?;
    Ok(shared)
}

/// A key of Ed25519 (RFC 8032) that signs. It is wiped when it goes.
pub struct Ed25519Key(ffi::Ed25519Key);

impl Ed25519Key {
    /// The key of 32 secret bytes, which must come from a generator of random bytes.
    #[must_use]
    pub fn new(secret_key: &[u8; 32]) -> Self {
        let mut key = ffi::Ed25519Key {
            public_key: [0; 32],
            scalar: [0; 32],
            prefix: [0; 32],
        };
        // SAFETY: the structure has the layout of the C one, and the secret key 32 bytes.
        unsafe { ffi::tatu_ed25519_set_key(&mut key, secret_key.as_ptr()) };
        Self(key)
    }

    /// The public key, which others need to verify.
    #[must_use]
    pub fn public_key(&self) -> &[u8; 32] {
        &self.0.public_key
    }

    /// The signature of a message.
    #[must_use]
    pub fn sign(&self, message: &[u8]) -> [u8; 64] {
        let mut signature = [0; 64];
        // SAFETY: the function writes 64 bytes and reads the message's.
        unsafe {
            ffi::tatu_ed25519_sign(
                &self.0,
                signature.as_mut_ptr(),
                message.as_ptr(),
                message.len(),
            )
        };
        signature
    }
}

impl Drop for Ed25519Key {
    fn drop(&mut self) {
        wipe(&mut self.0.scalar);
        wipe(&mut self.0.prefix);
    }
}

/// Ed25519 (RFC 8032). [`Error::Authentication`] for a wrong signature, [`Error::Key`] for a public key that is none.
pub fn ed25519_verify(
    public_key: &[u8; 32],
    signature: &[u8; 64],
    message: &[u8],
) -> Result<(), Error> {
    // SAFETY: the types hold the lengths, and the message has its own.
    result(unsafe {
        ffi::tatu_ed25519_verify(
            public_key.as_ptr(),
            signature.as_ptr(),
            message.as_ptr(),
            message.len(),
        )
    })
}

/// P-256: the public key, x and y, of a secret one. [`Error::Key`] for 0 and for what is not below the order.
pub fn p256_public_key(secret_key: &[u8; 32]) -> Result<[u8; 64], Error> {
    let mut public_key = [0; 64];
    // SAFETY: the types hold the lengths.
    result(unsafe { ffi::tatu_p256_public_key(public_key.as_mut_ptr(), secret_key.as_ptr()) })?;
    Ok(public_key)
}

/// ECDH on P-256 (SP 800-56A): the shared secret. [`Error::Key`] for a key that is none.
pub fn p256_ecdh(secret_key: &[u8; 32], peer_public_key: &[u8; 64]) -> Result<[u8; 32], Error> {
    let mut shared = [0; 32];
    // SAFETY: the types hold the lengths.
    result(unsafe {
        ffi::tatu_p256_ecdh(
            shared.as_mut_ptr(),
            secret_key.as_ptr(),
            peer_public_key.as_ptr(),
        )
    })?;
    Ok(shared)
}

/// ECDSA on P-256 with the nonce of RFC 6979: r and s of a digest of SHA-256. [`Error::Key`] for a key that is none.
pub fn p256_sign(secret_key: &[u8; 32], digest: &[u8; 32]) -> Result<[u8; 64], Error> {
    let mut signature = [0; 64];
    // SAFETY: the types hold the lengths.
    result(unsafe {
        ffi::tatu_p256_sign(secret_key.as_ptr(), signature.as_mut_ptr(), digest.as_ptr())
    })?;
    Ok(signature)
}

/// ECDSA on P-256 with SHA-256. [`Error::Authentication`] for a wrong signature, [`Error::Key`] for a public key that is
/// none.
pub fn p256_verify(
    public_key: &[u8; 64],
    signature: &[u8; 64],
    digest: &[u8; 32],
) -> Result<(), Error> {
    // SAFETY: the types hold the lengths.
    result(unsafe {
        ffi::tatu_p256_verify(public_key.as_ptr(), signature.as_ptr(), digest.as_ptr())
    })
}

macro_rules! rsa {
    ($(#[$about:meta])* $name:ident, $function:ident, $bytes:literal) => {
        $(#[$about])*
        pub fn $name(
            modulus: &[u8; $bytes],
            exponent: u32,
            signature: &[u8; $bytes],
            digest: &[u8; 32],
        ) -> Result<(), Error> {
            // SAFETY: the types hold the lengths.
            result(unsafe {
                ffi::$function(modulus.as_ptr(), exponent, signature.as_ptr(), digest.as_ptr())
            })
        }
    };
}

rsa!(/** RSASSA-PKCS1-v1_5 with 2,048 bits and SHA-256 (RFC 8017, section 8.2). */ rsa2048_verify_pkcs1, tatu_rsa2048_verify_pkcs1, 256);
rsa!(/** RSASSA-PSS with 2,048 bits, SHA-256 and a salt of 32 bytes (RFC 8017, section 8.1). */ rsa2048_verify_pss, tatu_rsa2048_verify_pss, 256);
rsa!(/** RSASSA-PKCS1-v1_5 with 3,072 bits and SHA-256 (RFC 8017, section 8.2). */ rsa3072_verify_pkcs1, tatu_rsa3072_verify_pkcs1, 384);
rsa!(/** RSASSA-PSS with 3,072 bits, SHA-256 and a salt of 32 bytes (RFC 8017, section 8.1). */ rsa3072_verify_pss, tatu_rsa3072_verify_pss, 384);

/// LMS with SHA-256 (RFC 8554).
pub fn lms_verify(public_key: &[u8; 56], message: &[u8], signature: &[u8]) -> Result<(), Error> {
    // SAFETY: lengths are those of the slices.
    result(unsafe {
        ffi::tatu_lms_verify(
            public_key.as_ptr(),
            message.as_ptr(),
            message.len(),
            signature.as_ptr(),
            signature.len(),
        )
    })
}

/// SLH-DSA-SHA2-128s (FIPS 205), of a message with a context of at most 255 bytes.
pub fn slh_dsa_sha2_128s_verify(
    public_key: &[u8; 32],
    message: &[u8],
    context: &[u8],
    signature: &[u8],
) -> Result<(), Error> {
    // SAFETY: lengths are those of the slices.
    result(unsafe {
        ffi::tatu_slh_dsa_sha2_128s_verify(
            public_key.as_ptr(),
            message.as_ptr(),
            message.len(),
            context.as_ptr(),
            context.len(),
            signature.as_ptr(),
            signature.len(),
        )
    })
}
