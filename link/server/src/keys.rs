//! Device keys: drawn, derived, and kept sealed in the database. In memory they are wiped when they are done with
//! (`Zeroizing`).

use std::fs;
use std::path::Path;

use ascon_aead::AsconAead128;
use ccm::aead::array::Array;
use ccm::aead::{AeadInOut, KeyInit};
use hmac::{Hmac, Mac};
use sha2::Sha256;
use zeroize::{Zeroize, Zeroizing};

use crate::error::{Result, UserError};
use crate::suite::{Suite, KEY_BYTES};

pub const MASTER_BYTES: usize = 32;
const NONCE_BYTES: usize = 16;
const TAG_BYTES: usize = 16;
pub const SEALED_BYTES: usize = NONCE_BYTES + MASTER_BYTES + TAG_BYTES;
const DIRECTION_UP: u8 = 0;

/// Bytes from the operating system's generator.
pub fn random<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0u8; N];
    getrandom::fill(&mut bytes)
        .map_err(|error| UserError(format!("The system's random generator failed: {error}.")))?;
    Ok(bytes)
}

/// The key of one device, epoch and suite: the first 16 bytes of an HMAC-SHA-256 under the device's master.
pub fn device_key(master: &[u8; MASTER_BYTES], epoch: u8, suite: Suite) -> Zeroizing<[u8; KEY_BYTES]> {
    let mut mac = <Hmac<Sha256> as hmac::KeyInit>::new((&*padded(master)).into());
    mac.update(b"bancada link v1");
    mac.update(&[epoch, suite.number(), DIRECTION_UP]);
    let mut digest = mac.finalize().into_bytes();
    let mut key = Zeroizing::new([0u8; KEY_BYTES]);
    key.copy_from_slice(&digest[..KEY_BYTES]);
    digest.as_mut_slice().zeroize();
    key
}

/// HMAC's key padded to SHA-256's block, as RFC 2104 does with a short key: this constructor cannot fail.
fn padded(master: &[u8; MASTER_BYTES]) -> Zeroizing<[u8; 64]> {
    let mut block = Zeroizing::new([0u8; 64]);
    block[..MASTER_BYTES].copy_from_slice(master);
    block
}

/// The server's sealing key: the database without this file gives away no device's key.
/// In a box, so that moving it leaves no copy behind.
pub struct Seal(Box<AsconAead128>);

impl Seal {
    /// Draws a sealing key and writes it, readable by its owner only.
    pub fn create(path: &Path) -> Result<Seal> {
        let key = Zeroizing::new(random::<KEY_BYTES>()?);
        let text = Zeroizing::new(crate::hex::encode(&*key));
        crate::site::write_secret(path, text.as_bytes())?;
        Ok(Seal::new(&key))
    }

    pub fn read(path: &Path) -> Result<Seal> {
        let text = fs::read_to_string(path)
            .map(Zeroizing::new)
            .map_err(|error| UserError(format!("The sealing key {} cannot be read: {error}.", path.display())))?;
        let bytes = crate::hex::decode(text.trim()).map(Zeroizing::new);
        let key = bytes.as_ref().and_then(|bytes| bytes.as_slice().try_into().ok());
        let key: &[u8; KEY_BYTES] = key.ok_or_else(|| {
            UserError(format!(
                "{} is not a sealing key: 32 hexadecimal digits.",
                path.display()
            ))
        })?;
        Ok(Seal::new(key))
    }

    pub fn new(key: &[u8; KEY_BYTES]) -> Seal {
        Seal(Box::new(AsconAead128::new(key.into())))
    }

    /// nonce ‖ ciphertext ‖ tag; bound to the device, so that rows cannot be swapped.
    pub fn close(&self, device: u16, master: &[u8; MASTER_BYTES]) -> Result<Vec<u8>> {
        let nonce = random::<NONCE_BYTES>()?;
        let mut text = *master;
        let tag = self
            .0
            .encrypt_inout_detached(&Array::from(nonce), &associated(device), text.as_mut_slice().into())
            .map_err(|_| UserError("A device's master key could not be sealed.".into()))?;
        Ok([nonce.as_slice(), &text, &tag].concat())
    }

    pub fn open(&self, device: u16, sealed: &[u8]) -> Option<Zeroizing<[u8; MASTER_BYTES]>> {
        let sealed: &[u8; SEALED_BYTES] = sealed.try_into().ok()?;
        let (nonce, rest) = sealed.split_at(NONCE_BYTES);
        let (text, tag) = rest.split_at(MASTER_BYTES);
        let mut master = Zeroizing::new(<[u8; MASTER_BYTES]>::try_from(text).ok()?);
        let nonce = Array::try_from(nonce).ok()?;
        let tag = Array::try_from(tag).ok()?;
        self.0
            .decrypt_inout_detached(&nonce, &associated(device), master.as_mut_slice().into(), &tag)
            .ok()?;
        Some(master)
    }
}

fn associated(device: u16) -> Vec<u8> {
    [b"bancada link master".as_slice(), &device.to_be_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sealed_master_opens_for_its_device_only() {
        let seal = Seal::new(&[7; KEY_BYTES]);
        let master = [9u8; MASTER_BYTES];
        let sealed = seal.close(12, &master).expect("sealed");
        assert_eq!(seal.open(12, &sealed).as_deref(), Some(&master));
        assert_eq!(seal.open(13, &sealed), None);
        assert_eq!(Seal::new(&[8; KEY_BYTES]).open(12, &sealed), None);
        for position in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[position] ^= 1;
            assert_eq!(seal.open(12, &changed), None, "byte {position}");
        }
        assert_eq!(seal.open(12, &sealed[1..]), None);
    }
}
