//! Constants that only the rest reads, moved there: texts, tables, the places that panics name.
//!
//! The linker tells what is where (`--emit-relocs` in `.cargo/config.toml`): each symbol with its address and size, and each
//! address that it wrote, with the symbol that it means. That is exact where addresses alone are not: one that is computed
//! with may lie before its symbol or behind it. Addresses stay what they are through wasm-bindgen.
//!
//! The first part keeps a constant if a function of it mentions it, or variable data, or a constant that it keeps. The others
//! become data of the rest, which writes them into the shared memory when it joins. Until then nobody has their addresses.

use anyhow::{Context, Result, bail, ensure};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use walrus::ir::{self, Value};
use walrus::{ConstExpr, Data, DataId, DataKind, GlobalKind, Module};
use wasmparser::{BinaryReader, Linking, LinkingSectionReader, RelocAddendKind, RelocSectionReader};
use wasmparser::{RelocationType, SymbolInfo};

/// How the names of the linker's segments of constants begin; all others are variable.
const CONSTANT: &str = ".rodata";
/// Bytes to move that lie between bytes to keep; fewer would not outweigh the head of one more segment.
const GAP_MIN: usize = 12;

/// Where a symbol lies: in which segment, and at which addresses.
struct Symbol {
    segment: usize,
    addresses: Range<u32>,
}

/// What the linker tells about data.
pub(crate) struct Symbols {
    /// By their numbers in the linker's table; None is what is no data.
    table: Vec<Option<Symbol>>,
    /// For each segment whether it is constant.
    constant: Vec<bool>,
    /// The symbols that a number means, where it is an address.
    meant: BTreeMap<u32, BTreeSet<usize>>,
}

impl Symbols {
    /// Takes out of a module what the linker tells.
    pub(crate) fn take(module: &mut Module) -> Result<Self> {
        let starts: Vec<_> = module.data.iter().map(start).collect::<Result<_>>()?;
        let mut raw = |name: &str| module.customs.remove_raw(name).map(|section| section.data);
        let linking = raw("linking").context("the page was linked without --emit-relocs")?;
        let mut found = Self { table: Vec::new(), constant: Vec::new(), meant: BTreeMap::new() };
        for subsection in LinkingSectionReader::new(BinaryReader::new(&linking, 0))? {
            match subsection? {
                Linking::SegmentInfo(segments) => {
                    for segment in segments {
                        found.constant.push(segment?.name.starts_with(CONSTANT));
                    }
                }
                Linking::SymbolTable(symbols) => {
                    for symbol in symbols {
                        found.table.push(data_symbol(&symbol?, &starts)?);
                    }
                }
                _ => {}
            }
        }
        ensure!(starts.len() == found.constant.len(), "the page's data are not those that the linker knew");
        for name in ["reloc.CODE", "reloc.DATA"] {
            found.read_addresses(&raw(name).unwrap_or_default())?;
        }
        Ok(found)
    }

    fn read_addresses(&mut self, section: &[u8]) -> Result<()> {
        if section.is_empty() {
            return Ok(());
        }
        for entry in RelocSectionReader::new(BinaryReader::new(section, 0))?.entries() {
            let entry = entry?;
            match entry.ty {
                RelocationType::MemoryAddrLeb | RelocationType::MemoryAddrSleb | RelocationType::MemoryAddrI32 => {
                    let number = entry.index as usize;
                    let symbol = self.table.get(number).and_then(Option::as_ref).context("an address of no data")?;
                    let address = symbol.addresses.start.wrapping_add(entry.addend as u32);
                    self.meant.entry(address).or_default().insert(number);
                }
                ty if ty.addend_kind() == RelocAddendKind::None => {}
                ty => bail!("the page's addresses are of a kind that was not foreseen: {ty:?}"),
            }
        }
        Ok(())
    }

    /// Moves constants from the first part to the rest.
    pub(crate) fn share(&self, first: &mut Module, rest: &mut Module) -> Result<()> {
        let memory = rest.memories.iter().next().context("the rest has no memory")?.id();
        let kept = self.kept(first)?;
        let ids: Vec<DataId> = first.data.iter().map(Data::id).collect();
        for (segment, id) in ids.into_iter().enumerate().filter(|(segment, _)| self.constant[*segment]) {
            let data = first.data.get(id);
            let DataKind::Active { memory: own, .. } = data.kind else { continue };
            let (start, bytes) = (start(data)?, data.value.clone());
            first.data.delete(id);
            first.memories.get_mut(own).data_segments.remove(&id);
            for (range, stays) in runs(&self.stays(segment, start, bytes.len(), &kept)) {
                let offset = ConstExpr::Value(Value::I32(start as i32 + range.start as i32));
                let (module, memory) = if stays { (&mut *first, own) } else { (&mut *rest, memory) };
                let made = module.data.add(DataKind::Active { memory, offset }, bytes[range].to_vec());
                module.memories.get_mut(memory).data_segments.insert(made);
            }
        }
        Ok(())
    }

    /// The symbols that the functions of a module, its globals or its variable data mention, and those that these mention.
    fn kept(&self, module: &Module) -> Result<BTreeSet<usize>> {
        let mut numbers = Numbers::default();
        for (_, function) in module.funcs.iter_local() {
            ir::dfs_in_order(&mut numbers, function, function.entry_block());
        }
        for global in module.globals.iter() {
            if let GlobalKind::Local(ConstExpr::Value(value)) = &global.kind {
                ir::Visitor::visit_value(&mut numbers, value);
            }
        }
        let data: Vec<_> = module.data.iter().map(|data| Ok((start(data)?, &data.value))).collect::<Result<_>>()?;
        for ((start, bytes), _) in data.iter().zip(&self.constant).filter(|(_, constant)| !**constant) {
            numbers.0.extend(words(*start, bytes));
        }
        let mut kept = BTreeSet::new();
        let mut open: Vec<u32> = numbers.0.into_iter().collect();
        while let Some(number) = open.pop() {
            for at in self.meant.get(&number).into_iter().flatten() {
                if let (true, Some(symbol)) = (kept.insert(*at), &self.table[*at]) {
                    let (start, bytes) = data[symbol.segment];
                    let Range { start: from, end: to } = symbol.addresses;
                    let inside = bytes.get((from - start) as usize..(to - start) as usize);
                    open.extend(words(from, inside.context("a symbol lies outside of its segment")?));
                }
            }
        }
        Ok(kept)
    }

    /// For each byte of a segment whether it stays in the first part: those of kept symbols, and those of none.
    fn stays(&self, segment: usize, start: u32, len: usize, kept: &BTreeSet<usize>) -> Vec<bool> {
        let mut stays = vec![true; len];
        for stay in [false, true] {
            for (at, symbol) in self.table.iter().enumerate() {
                if let Some(symbol) = symbol.as_ref().filter(|symbol| symbol.segment == segment)
                    && kept.contains(&at) == stay
                {
                    let Range { start: from, end: to } = symbol.addresses;
                    stays[(from - start) as usize..(to - start) as usize].fill(stay);
                }
            }
        }
        stays
    }
}

fn data_symbol(symbol: &SymbolInfo<'_>, starts: &[u32]) -> Result<Option<Symbol>> {
    let SymbolInfo::Data { symbol: Some(symbol), .. } = symbol else { return Ok(None) };
    let segment = symbol.index as usize;
    let start = *starts.get(segment).context("a symbol lies in no segment")? + symbol.offset;
    Ok(Some(Symbol { segment, addresses: start..start + symbol.size }))
}

/// Where a segment begins.
fn start(data: &Data) -> Result<u32> {
    match &data.kind {
        DataKind::Active { offset: ConstExpr::Value(Value::I32(start)), .. } => Ok(*start as u32),
        kind => bail!("the page fills its memory in a way that was not foreseen: {kind:?}"),
    }
}

/// The aligned words of bytes that begin at an address: addresses among them are aligned.
fn words(start: u32, bytes: &[u8]) -> impl Iterator<Item = u32> {
    let skipped = start.wrapping_neg() as usize % size_of::<u32>();
    let (words, _) = bytes.get(skipped..).unwrap_or_default().as_chunks();
    words.iter().map(|word| u32::from_le_bytes(*word))
}

/// The ranges of what stays and of what moves, one after the other. What moves and is short stays.
fn runs(stays: &[bool]) -> Vec<(Range<usize>, bool)> {
    let mut runs: Vec<(Range<usize>, bool)> = Vec::new();
    let mut end = 0;
    for run in stays.chunk_by(bool::eq) {
        let stay = run[0] || run.len() < GAP_MIN;
        match runs.last_mut() {
            Some((last, stayed)) if *stayed == stay => last.end += run.len(),
            _ => runs.push((end..end + run.len(), stay)),
        }
        end += run.len();
    }
    runs
}

/// The numbers that functions mention, as constants or as offsets of what they read and write.
#[derive(Default)]
struct Numbers(BTreeSet<u32>);

impl ir::Visitor<'_> for Numbers {
    fn visit_value(&mut self, value: &Value) {
        if let Value::I32(number) = value {
            self.0.insert(*number as u32);
        }
    }

    fn visit_load(&mut self, load: &ir::Load) {
        self.0.insert(load.arg.offset as u32);
    }

    fn visit_store(&mut self, store: &ir::Store) {
        self.0.insert(store.arg.offset as u32);
    }
}

#[cfg(test)]
mod tests {
    use super::{Symbols, runs, words};
    use walrus::{ConstExpr, Data, DataKind, FunctionBuilder, GlobalId, Module, RawCustomSection, ir::Value};

    /// Where the constants begin.
    const CONSTANTS: u32 = 64;
    /// The size of each.
    const SIZE: u32 = 16;
    const VARIABLES: u32 = 256;

    /// A module with five constants, each of its own bytes, and two variable words. Its function mentions the given numbers. The
    /// linker wrote the given addresses, a constant's number and what was added to it, into code; the third constant's first word
    /// is the address of the fourth; and a variable word is that of the fifth, if it `points`.
    fn module(mentioned: &[u32], in_code: &[(u8, i8)], points: bool) -> Module {
        let mut module = Module::default();
        let memory = module.memories.add_local(false, false, 1, None, None);
        let mut constants: Vec<u8> = (1..=5).flat_map(|at| [at; SIZE as usize]).collect();
        constants[2 * SIZE as usize..][..4].copy_from_slice(&(CONSTANTS + 3 * SIZE).to_le_bytes());
        let pointer = if points { CONSTANTS + 4 * SIZE } else { 7 };
        for (start, bytes) in [(CONSTANTS, constants), (VARIABLES, [pointer.to_le_bytes(), [9; 4]].concat())] {
            let offset = ConstExpr::Value(Value::I32(start as i32));
            module.data.add(DataKind::Active { memory, offset }, bytes);
        }
        let mut function = FunctionBuilder::new(&mut module.types, &[], &[]);
        for number in mentioned {
            function.func_body().i32_const(*number as i32).drop();
        }
        let function = function.finish(Vec::new(), &mut module.funcs);
        module.exports.add("f", function);
        tell(&mut module, in_code);
        module
    }

    /// Adds what the linker tells: <https://github.com/WebAssembly/tool-conventions/blob/main/Linking.md>.
    fn tell(module: &mut Module, in_code: &[(u8, i8)]) {
        let mut segments = vec![2, 7];
        segments.extend(b".rodata\0\0\x05.data\0\0");
        let mut symbols = vec![5];
        for at in 0..5 {
            symbols.extend([1, 0, 1, b'a' + at, 0, at * SIZE as u8, SIZE as u8]);
        }
        let mut linking = vec![2];
        for (kind, content) in [(5, segments), (8, symbols)] {
            linking.extend([kind, content.len() as u8]);
            linking.extend(content);
        }
        let addresses = |kind: u8, of: &[(u8, i8)]| {
            let entries = of.iter().flat_map(|(symbol, added)| [kind, 0, *symbol, *added as u8 & 0x7f]);
            [0, of.len() as u8].into_iter().chain(entries).collect::<Vec<u8>>()
        };
        let (code, data) = (addresses(4, in_code), addresses(5, &[(3, 0), (4, 0)]));
        for (name, data) in [("linking", linking), ("reloc.CODE", code), ("reloc.DATA", data)] {
            module.customs.add(RawCustomSection { name: name.to_owned(), data });
        }
    }

    /// Which constants the two parts hold, and how many bytes of variable data.
    fn shared(mut first: Module) -> [(Vec<u8>, usize); 2] {
        let symbols = Symbols::take(&mut first).expect("what the linker tells is read");
        let mut rest = Module::default();
        rest.add_import_memory("first", "memory", false, false, 1, None, None);
        symbols.share(&mut first, &mut rest).expect("the constants are shared out");
        [first, rest].map(|mut module| {
            let module = Module::from_buffer(&module.emit_wasm()).expect("what is written is valid");
            assert!(module.customs.iter().all(|(_, section)| !section.name().contains("link")));
            let (constants, variables): (Vec<_>, Vec<_>) =
                module.data.iter().map(place).partition(|(start, _)| *start < VARIABLES);
            let mut held = Vec::new();
            for (start, bytes) in constants {
                for (at, constant) in (start..).zip(bytes).filter(|(at, _)| at % SIZE == SIZE - 1) {
                    assert_eq!(u32::from(*constant), (at - CONSTANTS) / SIZE + 1, "bytes stay at their addresses");
                    held.push(*constant - 1);
                }
            }
            held.sort_unstable();
            (held, variables.iter().map(|(_, bytes)| bytes.len()).sum())
        })
    }

    fn place(data: &Data) -> (u32, &Vec<u8>) {
        (super::start(data).expect("a segment has a start"), &data.value)
    }

    #[test]
    fn what_nobody_mentions_moves_and_variable_data_stays() {
        let [first, rest] = shared(module(&[], &[(0, 0)], false));
        assert_eq!((first, rest), ((vec![], 8), (vec![0, 1, 2, 3, 4], 0)));
    }

    #[test]
    fn what_a_function_mentions_stays_with_what_that_mentions() {
        let [(first, _), (rest, _)] = shared(module(&[CONSTANTS + 2 * SIZE + 4], &[(2, 4)], false));
        assert_eq!((first, rest), (vec![2, 3], vec![0, 1, 4]));
    }

    #[test]
    fn what_variable_data_mention_stays() {
        let [(first, _), (rest, _)] = shared(module(&[], &[], true));
        assert_eq!((first, rest), (vec![4], vec![0, 1, 2, 3]));
    }

    #[test]
    fn an_address_before_its_constant_or_behind_it_means_that_constant() {
        let [before, behind] = [(CONSTANTS + SIZE - 8, (1, -8)), (CONSTANTS + 2 * SIZE + 2, (1, SIZE as i8 + 2))];
        for (address, meaning) in [before, behind] {
            let [(first, _), (rest, _)] = shared(module(&[address], &[meaning], false));
            assert_eq!((first, rest), (vec![1], vec![0, 2, 3, 4]));
        }
    }

    #[test]
    fn a_number_that_the_linker_did_not_write_as_an_address_is_none() {
        let [(first, _), _] = shared(module(&[CONSTANTS + SIZE], &[(0, 0)], false));
        assert!(first.is_empty());
    }

    #[test]
    fn offsets_and_globals_mention_too() {
        let mut read = module(&[], &[(0, 0), (1, 0)], false);
        let memory = read.memories.iter().next().expect("there is a memory").id();
        let function = read.funcs.iter_local().next().expect("there is a function").0;
        let arg = walrus::ir::MemArg { align: 1, offset: CONSTANTS.into() };
        let kind = walrus::ir::LoadKind::I32_8 { kind: walrus::ir::ExtendedLoad::ZeroExtend };
        let body = read.funcs.get_mut(function).kind.unwrap_local_mut().builder_mut();
        body.func_body().i32_const(0).load(memory, kind, arg).drop();
        let value = ConstExpr::Value(Value::I32((CONSTANTS + SIZE) as i32));
        let global: GlobalId = read.globals.add_local(walrus::ValType::I32, false, false, value);
        read.exports.add("g", global);
        let [(first, _), _] = shared(read);
        assert_eq!(first, [0, 1]);
    }

    #[test]
    fn without_what_the_linker_tells_nothing_is_cut() {
        assert!(Symbols::take(&mut Module::default()).is_err());
    }

    #[test]
    fn short_gaps_stay() {
        let stays = [vec![false; 20], vec![true; 2], vec![false; 3], vec![true; 2], vec![false; 20]].concat();
        assert_eq!(runs(&stays), [(0..20, false), (20..27, true), (27..47, false)]);
    }

    #[test]
    fn words_are_aligned_by_address() {
        let bytes = [0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3];
        assert_eq!(words(2, &bytes).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(words(1, &[0, 0]).count(), 0);
    }
}
