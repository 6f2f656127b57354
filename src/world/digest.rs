//! A 64-bit hash with specified values: the same natively, in wasm and in every release.
//!
//! Each word `w` is folded into the state `s` by `z = (s ^ w) * φ; s = z ^ (z >> 32)` with φ the odd 64-bit fraction of the
//! golden ratio, which loses nothing; the value is the state after the finaliser of `SplitMix64` (Steele, Lea, Flood,
//! "Fast splittable pseudorandom number generators", 2014). Widths that differ between machines (`usize`, `isize`) are
//! hashed as 64 bits.

use std::hash::{Hash, Hasher};

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The hasher.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Digest(u64);

impl Digest {
    /// A hasher that has seen nothing.
    pub const fn new() -> Self {
        Self(0x6c6f_636b_7374_6570)
    }

    /// A hasher that starts from an earlier value.
    pub const fn from_value(value: u64) -> Self {
        Self(value)
    }

    /// The digest of one value.
    pub fn of<T: Hash + ?Sized>(value: &T) -> u64 {
        let mut digest = Self::new();
        value.hash(&mut digest);
        digest.finish()
    }

    const fn fold(&mut self, word: u64) {
        let z = (self.0 ^ word).wrapping_mul(GOLDEN);
        self.0 = z ^ (z >> 32);
    }
}

impl Default for Digest {
    fn default() -> Self {
        Self::new()
    }
}

impl Hasher for Digest {
    fn finish(&self) -> u64 {
        let mut z = self.0.wrapping_add(GOLDEN);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.fold(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, n: u8) {
        self.fold(u64::from(n));
    }

    fn write_u16(&mut self, n: u16) {
        self.fold(u64::from(n));
    }

    fn write_u32(&mut self, n: u32) {
        self.fold(u64::from(n));
    }

    fn write_u64(&mut self, n: u64) {
        self.fold(n);
    }

    fn write_usize(&mut self, n: usize) {
        self.fold(n as u64);
    }

    fn write_i8(&mut self, n: i8) {
        self.fold(i64::from(n) as u64);
    }

    fn write_i16(&mut self, n: i16) {
        self.fold(i64::from(n) as u64);
    }

    fn write_i32(&mut self, n: i32) {
        self.fold(i64::from(n) as u64);
    }

    fn write_i64(&mut self, n: i64) {
        self.fold(n as u64);
    }

    fn write_isize(&mut self, n: isize) {
        self.fold(n as i64 as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected values were computed by another program from the specification above.
    #[test]
    fn values_are_fixed() {
        assert_eq!(Digest::of(&1_u64), 0xaef4_ad16_2eaa_a794);
        assert_eq!(Digest::of(&(1_u8, -1_isize, Some(3_usize))), 0xf2c9_477b_7028_3054);
    }

    #[test]
    fn order_matters() {
        assert_ne!(Digest::of(&(1_u8, 2_u8)), Digest::of(&(2_u8, 1_u8)));
    }
}
