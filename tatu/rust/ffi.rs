//! Functions of Tatu's headers as they are, without their structures. The headers document them.

#![allow(missing_docs)]

use core::ffi::{c_int, c_void};

/// struct tatu_ed25519_key.
#[repr(C)]
pub struct Ed25519Key {
    pub public_key: [u8; 32],
    pub scalar: [u8; 32],
    pub prefix: [u8; 32],
}

extern "C" {
    pub fn tatu_equal(a: *const c_void, b: *const c_void, length: usize) -> c_int;
    pub fn tatu_wipe(buffer: *mut c_void, length: usize);

    pub fn tatu_sha256(digest: *mut u8, input: *const u8, length: usize);
    pub fn tatu_sha384(digest: *mut u8, input: *const u8, length: usize);
    pub fn tatu_sha512(digest: *mut u8, input: *const u8, length: usize);
    pub fn tatu_sha3_256(digest: *mut u8, input: *const u8, length: usize);
    pub fn tatu_sha3_512(digest: *mut u8, input: *const u8, length: usize);
    pub fn tatu_shake128(output: *mut u8, output_length: usize, input: *const u8, length: usize);
    pub fn tatu_shake256(output: *mut u8, output_length: usize, input: *const u8, length: usize);
    pub fn tatu_ascon_hash256(digest: *mut u8, input: *const u8, length: usize);

    pub fn tatu_hmac_sha256(
        key: *const u8,
        key_length: usize,
        tag: *mut u8,
        input: *const u8,
        length: usize,
    );
    pub fn tatu_hmac_sha256_verify(
        key: *const u8,
        key_length: usize,
        tag: *const u8,
        tag_length: usize,
        input: *const u8,
        length: usize,
    ) -> c_int;
    pub fn tatu_hkdf_sha256(
        output: *mut u8,
        output_length: usize,
        salt: *const u8,
        salt_length: usize,
        secret: *const u8,
        secret_length: usize,
        info: *const u8,
        info_length: usize,
    ) -> c_int;

    pub fn tatu_ascon_aead128_encrypt(
        key: *const u8,
        output: *mut u8,
        input: *const u8,
        length: usize,
        associated_data: *const u8,
        associated_data_length: usize,
        nonce: *const u8,
        tag: *mut u8,
        tag_length: usize,
    ) -> c_int;
    pub fn tatu_ascon_aead128_decrypt(
        key: *const u8,
        output: *mut u8,
        input: *const u8,
        length: usize,
        associated_data: *const u8,
        associated_data_length: usize,
        nonce: *const u8,
        tag: *const u8,
        tag_length: usize,
    ) -> c_int;
    pub fn tatu_chacha20_poly1305_encrypt(
        key: *const u8,
        output: *mut u8,
        input: *const u8,
        length: usize,
        associated_data: *const u8,
        associated_data_length: usize,
        nonce: *const u8,
        tag: *mut u8,
    ) -> c_int;
    pub fn tatu_chacha20_poly1305_decrypt(
        key: *const u8,
        output: *mut u8,
        input: *const u8,
        length: usize,
        associated_data: *const u8,
        associated_data_length: usize,
        nonce: *const u8,
        tag: *const u8,
    ) -> c_int;

    pub fn tatu_x25519_public_key(public_key: *mut u8, secret_key: *const u8);
    pub fn tatu_x25519(
        shared_secret: *mut u8,
        secret_key: *const u8,
        peer_public_key: *const u8,
    ) -> c_int;

    pub fn tatu_ed25519_set_key(key: *mut Ed25519Key, secret_key: *const u8);
    pub fn tatu_ed25519_sign(
        key: *const Ed25519Key,
        signature: *mut u8,
        message: *const u8,
        length: usize,
    );
    pub fn tatu_ed25519_verify(
        public_key: *const u8,
        signature: *const u8,
        message: *const u8,
        length: usize,
    ) -> c_int;

    pub fn tatu_p256_public_key(public_key: *mut u8, secret_key: *const u8) -> c_int;
    pub fn tatu_p256_ecdh(
        shared_secret: *mut u8,
        secret_key: *const u8,
        peer_public_key: *const u8,
    ) -> c_int;
    pub fn tatu_p256_sign(secret_key: *const u8, signature: *mut u8, digest: *const u8) -> c_int;
    pub fn tatu_p256_verify(
        public_key: *const u8,
        signature: *const u8,
        digest: *const u8,
    ) -> c_int;

    pub fn tatu_rsa2048_verify_pkcs1(
        modulus: *const u8,
        exponent: u32,
        signature: *const u8,
        digest: *const u8,
    ) -> c_int;
    pub fn tatu_rsa2048_verify_pss(
        modulus: *const u8,
        exponent: u32,
        signature: *const u8,
        digest: *const u8,
    ) -> c_int;
    pub fn tatu_rsa3072_verify_pkcs1(
        modulus: *const u8,
        exponent: u32,
        signature: *const u8,
        digest: *const u8,
    ) -> c_int;
    pub fn tatu_rsa3072_verify_pss(
        modulus: *const u8,
        exponent: u32,
        signature: *const u8,
        digest: *const u8,
    ) -> c_int;
    pub fn tatu_lms_verify(
        public_key: *const u8,
        message: *const u8,
        length: usize,
        signature: *const u8,
        signature_length: usize,
    ) -> c_int;
    pub fn tatu_slh_dsa_sha2_128s_verify(
        public_key: *const u8,
        message: *const u8,
        length: usize,
        context: *const u8,
        context_length: usize,
        signature: *const u8,
        signature_length: usize,
    ) -> c_int;
}
