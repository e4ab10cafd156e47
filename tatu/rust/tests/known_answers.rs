//! The safe layer against known answers of the standards.

use tatu_sys::{aead, Error};

fn bytes(hexadecimal: &str) -> Vec<u8> {
    let digits: Vec<u8> = hexadecimal.bytes().filter(u8::is_ascii_hexdigit).collect();
    digits
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}

fn array<const N: usize>(hexadecimal: &str) -> [u8; N] {
    bytes(hexadecimal).try_into().unwrap()
}

#[test]
fn hashes_of_abc() {
    // FIPS 180-4's and FIPS 202's examples
    let sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(tatu_sys::sha256(b"abc"), array(sha256));
    let sha384 = "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7";
    assert_eq!(tatu_sys::sha384(b"abc"), array(sha384));
    let sha512 = "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a\
                  2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f";
    assert_eq!(tatu_sys::sha512(b"abc"), array(sha512));
    let sha3_256 = "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532";
    assert_eq!(tatu_sys::sha3_256(b"abc"), array(sha3_256));
    let sha3_512 = "b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e\
                    10e116e9192af3c91a7ec57647e3934057340b4cf408d5a56592f8274eec53f0";
    assert_eq!(tatu_sys::sha3_512(b"abc"), array(sha3_512));
    let mut output = [0; 32];
    tatu_sys::shake128(&mut output, b"");
    assert_eq!(
        output,
        array("7f9c2ba4e88f827d616045507605853ed73b8093f6efbc88eb1a6eacfa66ef26")
    );
    tatu_sys::shake256(&mut output, b"");
    assert_eq!(
        output,
        array("46b9dd2b0ba88d13233b3feb743eeb243fcd52ea62b81b82b50c27646ed5762f")
    );
}

#[test]
fn hmac_of_rfc_4231() {
    let (key, message) = ([0x0b; 20], b"Hi There");
    let tag = array("b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
    assert_eq!(tatu_sys::hmac_sha256(&key, message), tag);
    assert_eq!(tatu_sys::hmac_sha256_verify(&key, &tag, message), Ok(()));
    assert_eq!(
        tatu_sys::hmac_sha256_verify(&key, &tag, b"Hi there"),
        Err(Error::Authentication)
    );
    assert_eq!(
        tatu_sys::hmac_sha256_verify(&key, &tag[..8], message),
        Err(Error::Length)
    );
}

#[test]
fn hkdf_of_rfc_5869() {
    let mut output = [0; 42];
    let info = bytes("f0f1f2f3f4f5f6f7f8f9");
    tatu_sys::hkdf_sha256(
        &mut output,
        &bytes("000102030405060708090a0b0c"),
        &[0x0b; 22],
        &info,
    )
    .unwrap();
    assert_eq!(
        output,
        array(
            "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
        )
    );
    assert_eq!(
        tatu_sys::hkdf_sha256(&mut [0; 8161], b"", b"secret", b""),
        Err(Error::Length)
    );
}

#[test]
fn key_exchange_of_rfc_7748() {
    // Section 6.1
    let bob: [u8; 32] = array("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb");
    let bobs = array("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f");
    assert_eq!(tatu_sys::x25519_public_key(&bob), bobs);
    let alices: [u8; 32] =
        array("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a");
    let shared = array("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742");
    assert_eq!(tatu_sys::x25519(&bob, &alices), Ok(shared));
    assert_eq!(tatu_sys::x25519(&bob, &[0; 32]), Err(Error::Key));
}

#[test]
fn signature_of_rfc_8032() {
    // Section 7.1, test 2
    let key = tatu_sys::Ed25519Key::new(&array(
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
    ));
    let public = array("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c");
    assert_eq!(key.public_key(), &public);
    let signature = array(
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da\
         085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    );
    assert_eq!(key.sign(&[0x72]), signature);
    assert_eq!(
        tatu_sys::ed25519_verify(&public, &signature, &[0x72]),
        Ok(())
    );
    assert_eq!(
        tatu_sys::ed25519_verify(&public, &signature, &[0x73]),
        Err(Error::Authentication)
    );
}

#[test]
fn signature_of_rfc_6979() {
    // Section A.2.5, SHA-256 of "sample"
    let secret = array("c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721");
    let public = array(
        "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6\
         7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299",
    );
    let digest = array("af2bdbe1aa9b6ec1e2ade1d694f41fc71a831d0268e9891562113d8a62add1bf");
    let signature = array(
        "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716\
         f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8",
    );
    assert_eq!(tatu_sys::p256_public_key(&secret), Ok(public));
    assert_eq!(tatu_sys::p256_sign(&secret, &digest), Ok(signature));
    assert_eq!(tatu_sys::p256_verify(&public, &signature, &digest), Ok(()));
    assert_eq!(
        tatu_sys::p256_verify(&public, &signature, &[0; 32]),
        Err(Error::Authentication)
    );
    let other = [7; 32];
    let others = tatu_sys::p256_public_key(&other).unwrap();
    assert_eq!(
        tatu_sys::p256_ecdh(&secret, &others),
        tatu_sys::p256_ecdh(&other, &public)
    );
    assert_eq!(tatu_sys::p256_public_key(&[0; 32]), Err(Error::Key));
}

#[test]
fn sealing_of_rfc_8439() {
    let key: [u8; 32] = array("808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f");
    let nonce: [u8; 12] = array("070000004041424344454647");
    let associated = bytes("50515253c0c1c2c3c4c5c6c7");
    let text = b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, \
                 sunscreen would be it.";
    let mut message = text.to_vec();
    let tag = aead::chacha20_poly1305_encrypt(&key, &nonce, &associated, &mut message).unwrap();
    assert_eq!(tag, array("1ae10b594f09e26a7e902ecbd0600691"));
    assert_eq!(message[..8], bytes("d31a8d34648e60db"));
    let mut forged = message.clone();
    forged[3] ^= 1;
    let refused = aead::chacha20_poly1305_decrypt(&key, &nonce, &associated, &mut forged, &tag);
    assert_eq!(refused, Err(Error::Authentication));
    assert!(
        forged
            .iter()
            .zip(text)
            .filter(|(found, sent)| found == sent)
            .count()
            < 16
    );
    aead::chacha20_poly1305_decrypt(&key, &nonce, &associated, &mut message, &tag).unwrap();
    assert_eq!(message, text);
}

#[test]
fn ascon_and_what_is_forged() {
    let (key, nonce) = ([7; 16], [9; 16]);
    let mut message = *b"twenty-one degrees";
    let tag = aead::ascon128_encrypt(&key, &nonce, b"sensor 4", &mut message).unwrap();
    assert_ne!(&message, b"twenty-one degrees");
    let mut other = message;
    let refused = aead::ascon128_decrypt(&key, &nonce, b"sensor 5", &mut other, &tag);
    assert_eq!(refused, Err(Error::Authentication));
    aead::ascon128_decrypt(&key, &nonce, b"sensor 4", &mut message, &tag).unwrap();
    assert_eq!(&message, b"twenty-one degrees");
}

#[test]
fn comparing_and_wiping() {
    assert!(tatu_sys::equal(b"secret", b"secret"));
    assert!(!tatu_sys::equal(b"secret", b"secreT"));
    assert!(!tatu_sys::equal(b"secret", b"secret "));
    let mut secret = [1, 2, 3];
    tatu_sys::wipe(&mut secret);
    assert_eq!(secret, [0; 3]);
}
