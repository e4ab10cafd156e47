//! An ELF file as the engine needs it: bytes for each memory, and names for addresses.

use std::fs;
use std::path::Path;

use object::elf::{FileHeader32, PT_LOAD, STB_GLOBAL, STB_LOCAL, STT_FUNC, STT_NOTYPE};
use object::read::elf::{FileHeader, ProgramHeader, Sym};
use object::LittleEndian;

/// avr-gcc gives each memory its own range of ELF addresses.
const DATA_OFFSET: u32 = 0x0080_0000;
const EEPROM_OFFSET: u32 = 0x0081_0000;
const FUSE_OFFSET: u32 = 0x0082_0000;

const EM_AVR: u16 = 83;

pub struct Segment {
    pub address: u32,
    pub bytes: Vec<u8>,
}

pub struct Symbol {
    pub address: u32,
    pub name: String,
}

pub struct Firmware {
    pub flash: Vec<Segment>,
    pub eeprom: Vec<Segment>,
    /// One past the last loaded flash byte.
    pub flash_end: u32,
    /// Address of `main` in flash, if the file names it.
    pub main: Option<u32>,
    /// First data address after `.data`, `.bss` and `.noinit` (the linker's `_end`).
    pub data_end: Option<u16>,
    /// Functions, by address, one for each address.
    functions: Vec<Symbol>,
}

impl Firmware {
    pub fn read(path: &Path) -> Result<Firmware, String> {
        let bytes = fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        parse(&bytes).map_err(|why| format!("{} is not AVR firmware: {why}", path.display()))
    }

    /// Index of the function that holds a flash address.
    pub fn function_index(&self, address: u32) -> Option<usize> {
        if address >= self.flash_end {
            return None;
        }
        self.functions
            .partition_point(|symbol| symbol.address <= address)
            .checked_sub(1)
    }

    pub fn function_name(&self, address: u32) -> Option<&str> {
        self.function_index(address)
            .map(|index| self.functions[index].name.as_str())
    }

    /// Where a function begins: `place` is its name, or an address in bytes (decimal, or hexadecimal after 0x).
    pub fn function_address(&self, place: &str) -> Option<u32> {
        let number = match place.strip_prefix("0x") {
            Some(digits) => u32::from_str_radix(digits, 16).ok(),
            None => place.parse().ok(),
        };
        match number {
            Some(address) => (address < self.flash_end && address % 2 == 0).then_some(address),
            None => self
                .functions()
                .iter()
                .find(|symbol| symbol.name == place)
                .map(|symbol| symbol.address),
        }
    }

    pub fn functions(&self) -> &[Symbol] {
        &self.functions
    }
}

fn parse(bytes: &[u8]) -> Result<Firmware, String> {
    let header = FileHeader32::<LittleEndian>::parse(bytes).map_err(|_| "no 32-bit ELF header".to_string())?;
    let endian = header.endian().map_err(|_| "not little-endian".to_string())?;
    if header.e_machine(endian) != EM_AVR {
        return Err(format!(
            "the ELF file is for machine {}, AVR is {EM_AVR}",
            header.e_machine(endian)
        ));
    }
    let mut firmware = Firmware {
        flash: Vec::new(),
        eeprom: Vec::new(),
        flash_end: 0,
        main: None,
        data_end: None,
        functions: Vec::new(),
    };
    let program_headers = header
        .program_headers(endian, bytes)
        .map_err(|error| error.to_string())?;
    for segment in program_headers {
        if segment.p_type(endian) != PT_LOAD || segment.p_filesz(endian) == 0 {
            continue;
        }
        let content = segment
            .data(endian, bytes)
            .map_err(|()| "a segment lies outside the file".to_string())?
            .to_vec();
        let address = segment.p_paddr(endian);
        match address {
            0..DATA_OFFSET => {
                firmware.flash_end = firmware.flash_end.max(address + content.len() as u32);
                firmware.flash.push(Segment {
                    address,
                    bytes: content,
                });
            }
            EEPROM_OFFSET..FUSE_OFFSET => firmware.eeprom.push(Segment {
                address: address - EEPROM_OFFSET,
                bytes: content,
            }),
            _ => {} // fuses, lock bits and signature change nothing that is simulated
        }
    }
    if firmware.flash.is_empty() {
        return Err("it has nothing to load into flash".to_string());
    }
    read_symbols(&mut firmware, header, endian, bytes)?;
    Ok(firmware)
}

fn read_symbols(
    firmware: &mut Firmware,
    header: &FileHeader32<LittleEndian>,
    endian: LittleEndian,
    bytes: &[u8],
) -> Result<(), String> {
    let sections = header.sections(endian, bytes).map_err(|error| error.to_string())?;
    let table = sections
        .symbols(endian, bytes, object::elf::SHT_SYMTAB)
        .map_err(|error| error.to_string())?;
    let mut candidates: Vec<(u32, u8, String)> = Vec::new();
    for symbol in table.iter() {
        let name = match table.symbol_name(endian, symbol) {
            Ok(name) => String::from_utf8_lossy(name).into_owned(),
            Err(_) => continue,
        };
        let value = symbol.st_value(endian);
        if name == "_end" && value >= DATA_OFFSET {
            firmware.data_end = Some((value & 0xffff) as u16);
        }
        // An absolute symbol (`__SREG__`, `__tmp_reg__`) is a number, not an address.
        let in_section =
            symbol.st_shndx(endian) != object::elf::SHN_UNDEF && symbol.st_shndx(endian) < object::elf::SHN_LORESERVE;
        if name.is_empty() || !in_section || value >= firmware.flash_end {
            continue;
        }
        let kind = symbol.st_type();
        let rank = match (kind, symbol.st_bind()) {
            (STT_FUNC, STB_GLOBAL) => 0,
            (STT_FUNC, _) => 1,
            (STT_NOTYPE, bind) if bind != STB_LOCAL => 2,
            _ => continue,
        };
        if name == "main" {
            firmware.main = Some(value);
        }
        candidates.push((value, rank, name));
    }
    candidates.sort();
    candidates.dedup_by_key(|candidate| candidate.0);
    firmware.functions = candidates
        .into_iter()
        .map(|(address, _, name)| Symbol { address, name })
        .collect();
    Ok(())
}
