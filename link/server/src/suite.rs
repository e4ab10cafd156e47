//! The two suites of the link, by RustCrypto's implementations: what the firmware does with Tatu, done by other hands.

use aes::Aes128;
use ascon_aead::{AsconAead128, TruncatedAsconAead128};
use ccm::aead::array::Array;
use ccm::aead::{AeadInOut, KeyInit};
use ccm::consts::{U13, U16, U8};
use ccm::Ccm;
use link_wire::air::{self, Frame, CIPHERTEXT_BYTES, HEADER_BYTES};
use zeroize::{Zeroize, Zeroizing};

pub const KEY_BYTES: usize = 16;

type Ascon = TruncatedAsconAead128<U8>;
type AesCcm = Ccm<Aes128, U8, U13>;
type WholeAesCcm = Ccm<Aes128, U16, U13>;
type Key = Zeroizing<[u8; KEY_BYTES]>;

/// A suite's number on the air (frame, byte 1, high nibble).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suite {
    Ascon,
    AesCcm,
}

impl Suite {
    pub fn from_number(number: u8) -> Option<Suite> {
        match number {
            air::SUITE_ASCON_AEAD128 => Some(Suite::Ascon),
            air::SUITE_AES128_CCM => Some(Suite::AesCcm),
            _ => None,
        }
    }

    pub fn number(self) -> u8 {
        match self {
            Suite::Ascon => air::SUITE_ASCON_AEAD128,
            Suite::AesCcm => air::SUITE_AES128_CCM,
        }
    }
}

/// A device's key made ready: the AES key schedule is computed once, not for each frame. Wiped when it is dropped
/// (feature `zeroize` of both crates).
pub enum Opener {
    Ascon(Box<Ascon>),
    AesCcm(Box<AesCcm>),
}

impl Opener {
    pub fn new(suite: Suite, key: &[u8; KEY_BYTES]) -> Opener {
        match suite {
            Suite::Ascon => Opener::Ascon(Box::new(Ascon::new(key.into()))),
            Suite::AesCcm => Opener::AesCcm(Box::new(AesCcm::new(key.into()))),
        }
    }

    /// The plaintext of a frame whose tag holds; nothing otherwise.
    pub fn open(&self, frame: &Frame) -> Option<[u8; CIPHERTEXT_BYTES]> {
        let header = &frame.header_bytes;
        match self {
            Opener::Ascon(cipher) => {
                let mut text = frame.ciphertext;
                let tag = Array::from(frame.tag);
                cipher
                    .decrypt_inout_detached(&ascon_nonce(header), header, text.as_mut_slice().into(), &tag)
                    .ok()?;
                Some(text)
            }
            Opener::AesCcm(cipher) => {
                let mut text = frame.ciphertext;
                let tag = Array::from(frame.tag);
                cipher
                    .decrypt_inout_detached(&ccm_nonce(header), header, text.as_mut_slice().into(), &tag)
                    .ok()?;
                Some(text)
            }
        }
    }

    /// A frame with this header, sealed. Nothing only if the text were too long for the cipher, which none is.
    pub fn seal(&self, header: air::Header, plaintext: [u8; CIPHERTEXT_BYTES]) -> Option<Frame> {
        let header_bytes = header.encode();
        let mut ciphertext = plaintext;
        let mut tag = [0u8; air::TAG_BYTES];
        match self {
            Opener::Ascon(cipher) => {
                let whole = cipher
                    .encrypt_inout_detached(
                        &ascon_nonce(&header_bytes),
                        &header_bytes,
                        ciphertext.as_mut_slice().into(),
                    )
                    .ok()?;
                tag.copy_from_slice(&whole);
            }
            Opener::AesCcm(cipher) => {
                let whole = cipher
                    .encrypt_inout_detached(
                        &ccm_nonce(&header_bytes),
                        &header_bytes,
                        ciphertext.as_mut_slice().into(),
                    )
                    .ok()?;
                tag.copy_from_slice(&whole);
            }
        }
        Some(Frame {
            header,
            header_bytes,
            ciphertext,
            tag,
        })
    }
}

/// A key that is derived from a device's: the whole tag of a frame of version 0 without text, as the firmware makes it
/// (link/firmware/core/derive.h).
pub fn derive(suite: Suite, key: &[u8; KEY_BYTES], epoch: u8, device: u16, purpose: u8, number: u32) -> Option<Key> {
    let mut header = [0; HEADER_BYTES];
    header[0] = purpose;
    header[1] = suite.number() << 4 | epoch;
    header[2..4].copy_from_slice(&device.to_be_bytes());
    header[4..].copy_from_slice(&number.to_be_bytes());
    let mut derived = Zeroizing::new([0; KEY_BYTES]);
    let mut tag = match suite {
        Suite::Ascon => AsconAead128::new(key.into())
            .encrypt_inout_detached(&ascon_nonce(&header), &header, (&mut [][..]).into())
            .ok()?,
        Suite::AesCcm => WholeAesCcm::new(key.into())
            .encrypt_inout_detached(&ccm_nonce(&header), &header, (&mut [][..]).into())
            .ok()?,
    };
    derived.copy_from_slice(&tag);
    tag.as_mut_slice().zeroize();
    Some(derived)
}

/// Of frames to the device.
pub const DERIVE_DOWN: u8 = 1;
/// Of the next stage of a key that ratchets.
pub const DERIVE_NEXT: u8 = 2;
/// Of the frames that bring the next key: another one for each eight frames of the device.
pub const DERIVE_KEY: u8 = 3;

fn ascon_nonce(header: &[u8; HEADER_BYTES]) -> Array<u8, U16> {
    let mut nonce = [0u8; 16];
    nonce[..HEADER_BYTES].copy_from_slice(header);
    Array::from(nonce)
}

fn ccm_nonce(header: &[u8; HEADER_BYTES]) -> Array<u8, U13> {
    let mut nonce = [0u8; 13];
    nonce[..HEADER_BYTES].copy_from_slice(header);
    Array::from(nonce)
}
