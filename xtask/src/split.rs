//! Cutting the page's wasm in two: what the first view runs, and the rest, which comes when the first view stands.
//!
//! Both parts share memory and table. A function of the rest that the first part can reach has a slot in the table. The first
//! part calls it through a *door*, one for each type of function, which loads the rest if it has not joined and then calls
//! through the slot, where the rest has put the function by then. A function that had a slot before, since its address is taken,
//! leaves a *stub* there, which goes through the door. So a wrong list costs time and never breaks the page. Constants that only
//! the rest reads move with it (see [`Symbols`]). Binaryen's `wasm-split` does the same for functions; it comes with none of the
//! packages that the build can count on.
//!
//! `xtask/rest.txt` names what goes into the rest: functions that did not run while a browser drew the first view. A
//! name with `*` stands for all that begin with it. What is not listed stays, so new code is in the first view until
//! `cargo xtask first-view` records the list anew.

use crate::cold;
use crate::data::Symbols;
use anyhow::{Context, Result, bail};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;
use walrus::ir::{self, Call, Const, Instr, InstrSeq, LocalId, Value, VisitorMut};
use walrus::{
    ConstExpr, ElementItems, ElementKind, ExportItem, FunctionBuilder, FunctionId, FunctionKind, GlobalId, GlobalKind,
    ImportedFunction, Module, TableId, TypeId, ValType, passes,
};

/// What goes into the rest, one name a line.
pub(crate) const LIST: &str = "xtask/rest.txt";
/// The function that the page exports for the stubs; it asks the loading script for the rest.
const LOAD: &str = "load_rest";
/// The module from which the rest imports.
const FIRST: &str = "first";
/// The global that says whether the rest is there.
const JOINED: &str = "joined";
/// A function of fewer instructions is not worth a stub.
const INSTRUCTIONS_MIN: u64 = 20;

/// The list of [`LIST`].
pub(crate) struct Rest {
    names: HashSet<String>,
    beginnings: BTreeSet<String>,
}

impl Rest {
    /// Reads the list.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let lines = || text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        Ok(Self {
            names: lines().filter(|line| !line.ends_with('*')).map(str::to_owned).collect(),
            beginnings: lines().filter_map(|line| line.strip_suffix('*')).map(str::to_owned).collect(),
        })
    }

    fn has(&self, name: &str) -> bool {
        self.names.contains(name) || self.beginnings.iter().any(|beginning| name.starts_with(beginning.as_str()))
    }
}

/// The two parts.
pub(crate) struct Parts {
    /// What the page starts with.
    pub(crate) first: Vec<u8>,
    /// What joins it later.
    pub(crate) rest: Vec<u8>,
}

/// Cuts a module in two.
pub(crate) fn split(mut module: Module, list: &Rest) -> Result<Parts> {
    let symbols = Symbols::take(&mut module)?;
    outline(&mut module, list);
    let wasm = module.emit_wasm();
    let mut first = parse(&wasm)?;
    let mut rest = parse(&wasm)?;
    let cut = Cut::plan(&first, list)?;
    let twins = Twins::of(&first, &rest);
    let joined = first.globals.add_local(ValType::I32, true, false, ConstExpr::Value(Value::I32(0)));
    cut.link(&mut first, &mut rest, &twins);
    say_joined(&mut first, &mut rest, joined);
    cut.thin_first(&mut first, joined);
    passes::gc::run(&mut rest);
    passes::gc::run(&mut first);
    symbols.share(&mut first, &mut rest)?;
    Ok(Parts { first: first.emit_wasm(), rest: rest.emit_wasm() })
}

/// Makes functions of the cold regions of what stays.
fn outline(module: &mut Module, list: &Rest) {
    let (listed, kept): (BTreeSet<_>, Vec<_>) = {
        let ids = module.funcs.iter_local().map(|(id, _)| id);
        let (listed, kept): (Vec<_>, Vec<_>) = ids.partition(|id| list.has(&plain_name(module, *id)));
        (listed.into_iter().collect(), kept)
    };
    cold::outline(module, &kept, |id| listed.contains(&id));
}

/// The module with a global `ran:N` for its N-th function, set once that function runs; and the functions' names.
pub(crate) fn instrument(wasm: &[u8]) -> Result<(Vec<u8>, Vec<String>)> {
    let mut module = parse(wasm)?;
    let ids: Vec<FunctionId> = module.funcs.iter_local().map(|(id, _)| id).collect();
    let mut names = Vec::new();
    for (at, id) in ids.into_iter().enumerate() {
        names.push(plain_name(&module, id));
        let ran = module.globals.add_local(ValType::I32, true, false, ConstExpr::Value(Value::I32(0)));
        module.exports.add(&format!("ran:{at}"), ran);
        let body = module.funcs.get_mut(id).kind.unwrap_local_mut().builder_mut();
        body.func_body().const_at(0, Value::I32(1)).global_set_at(1, ran);
    }
    Ok((module.emit_wasm(), names))
}

/// What the framework's scheduler does with work that waits, and how much waits at once, depends on how busy the processor
/// is: a record catches it one day and misses it the next. Functions that name one of these count as run.
const BY_LOAD: [&str; 3] = ["yew::scheduler::", "lifecycle::RenderRunner", "lifecycle::ComponentState>::suspend"];

/// The lines of [`LIST`] for functions of which some ran: each that did not run, by the shortest beginning that none of the
/// others shares.
pub(crate) fn list(names: &[String], ran: &HashSet<usize>) -> Vec<String> {
    let runs = |at: &usize, name: &str| ran.contains(at) || BY_LOAD.iter().any(|part| name.contains(part));
    let (hot, cold): (Vec<_>, Vec<_>) = names.iter().enumerate().partition(|(at, name)| runs(at, name));
    let hot: BTreeSet<&str> = hot.into_iter().map(|(_, name)| name.as_str()).collect();
    let mut lines = BTreeSet::new();
    for (_, name) in cold {
        if name.is_empty() || hot.contains(name.as_str()) {
            continue;
        }
        let ends = name.match_indices("::").map(|(at, _)| at + 2);
        let shared = |beginning: &str| hot.range(beginning..).next().is_some_and(|next| next.starts_with(beginning));
        let short = ends.map(|end| &name[..end]).find(|beginning| beginning.contains("lockstep") && !shared(beginning));
        lines.insert(short.map_or_else(|| name.clone(), |beginning| format!("{beginning}*")));
    }
    lines.into_iter().collect()
}

/// Reads a module.
pub(crate) fn parse(wasm: &[u8]) -> Result<Module> {
    Module::from_buffer(wasm).context("cannot read the page's wasm")
}

/// A function's name without what differs between two compilers: the hashes of crates, and numbers at the end.
fn plain_name(module: &Module, id: FunctionId) -> String {
    let mut name = String::new();
    let mut left = module.funcs.get(id).name.as_deref().unwrap_or_default();
    while let Some(at) = left.find('[') {
        let is_hash = left.as_bytes()[at + 1..].iter().take_while(|byte| byte.is_ascii_hexdigit()).count() == 16;
        let end = at + if is_hash { 18 } else { 1 };
        name.push_str(&left[..if is_hash { at } else { end }]);
        left = left.get(end..).unwrap_or_default();
    }
    name.push_str(left);
    let digits = name.len() - name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    if digits > 0 && name[..name.len() - digits].ends_with('.') {
        name.truncate(name.len() - digits - 1);
    }
    name
}

/// Which functions move, and through which slots of the table they are reached.
struct Cut {
    table: TableId,
    load: FunctionId,
    kept: Vec<FunctionId>,
    /// What the moved functions use of the first part.
    uses: Uses,
    slots: BTreeMap<FunctionId, Vec<i32>>,
    /// Those that had no slot before, in the order of their new ones.
    fresh: Vec<FunctionId>,
    table_end: i32,
}

impl Cut {
    fn plan(module: &Module, list: &Rest) -> Result<Self> {
        let table = module.tables.main_function_table()?.context("the page has no table of functions")?;
        let exported: HashSet<FunctionId> = module
            .exports
            .iter()
            .filter_map(|export| if let ExportItem::Function(id) = export.item { Some(id) } else { None })
            .collect();
        let goes = |id: &FunctionId| {
            let size = module.funcs.get(*id).kind.unwrap_local().size();
            let name = plain_name(module, *id);
            let listed = size >= INSTRUCTIONS_MIN && list.has(&name);
            (listed || name.ends_with(cold::SUFFIX)) && !exported.contains(id) && module.start != Some(*id)
        };
        let locals = module.funcs.iter_local().map(|(id, _)| id);
        let (moved, kept): (BTreeSet<_>, Vec<_>) = {
            let (moved, kept): (Vec<_>, Vec<_>) = locals.partition(goes);
            (moved.into_iter().collect(), kept)
        };
        let mut slots = old_slots(module, &moved)?;
        let mut table_end = i32::try_from(module.tables.get(table).initial)?;
        let called = Uses::of(module, kept.iter().copied()).functions;
        let fresh: Vec<_> = called.into_iter().filter(|id| moved.contains(id) && !slots.contains_key(id)).collect();
        for id in &fresh {
            slots.insert(*id, vec![table_end]);
            table_end += 1;
        }
        let mut uses = Uses::of(module, moved.iter().copied());
        uses.functions.retain(|id| !moved.contains(id));
        uses.tables.insert(table);
        let load = module.exports.get_func(LOAD).context("the page does not export what loads its rest")?;
        Ok(Self { table, load, kept, uses, slots, fresh, table_end })
    }

    /// Exports from the first part what the rest uses, and turns that into imports there.
    fn link(&self, first: &mut Module, rest: &mut Module, twins: &Twins) {
        strip(rest);
        let mut names = (0_u32..).map(|n| format!("_{n:x}"));
        let mut name = || names.next().unwrap_or_default();
        for id in &self.uses.functions {
            let (name, twin) = (name(), twins.functions[id]);
            first.exports.add(&name, *id);
            if let FunctionKind::Import(function) = &rest.funcs.get(twin).kind {
                let import = rest.imports.get_mut(function.import);
                (import.module, import.name) = (FIRST.to_owned(), name);
            } else {
                let (ty, import) = (rest.funcs.get(twin).ty(), rest.imports.add(FIRST, &name, twin));
                rest.funcs.get_mut(twin).kind = FunctionKind::Import(ImportedFunction { import, ty });
            }
        }
        for id in &self.uses.globals {
            let (name, twin) = (name(), twins.globals[id]);
            first.exports.add(&name, *id);
            rest.globals.get_mut(twin).kind = GlobalKind::Import(rest.imports.add(FIRST, &name, twin));
        }
        for id in &self.uses.tables {
            let (name, twin) = (name(), twins.tables[id]);
            first.exports.add(&name, *id);
            let import = rest.imports.add(FIRST, &name, twin);
            rest.tables.get_mut(twin).import = Some(import);
        }
        for (id, memory) in first.memories.iter().map(walrus::Memory::id).zip(twins.memories.iter().copied()) {
            let name = name();
            first.exports.add(&name, id);
            let import = rest.imports.add(FIRST, &name, memory);
            rest.memories.get_mut(memory).import = Some(import);
        }
        let table = twins.tables[&self.table];
        self.grow(rest, table);
        for (id, slots) in &self.slots {
            for slot in slots {
                let items = ElementItems::Functions(vec![twins.functions[id]]);
                rest.elements.add(active(table, *slot), items);
            }
        }
    }

    fn grow(&self, module: &mut Module, table: TableId) {
        let table = module.tables.get_mut(table);
        table.initial = self.table_end as u64;
        table.maximum = table.maximum.map(|_| self.table_end as u64);
    }

    /// Lets what stays call through doors, and puts stubs where the table had moved functions.
    fn thin_first(&self, first: &mut Module, joined: GlobalId) {
        self.grow(first, self.table);
        let mut doors = BTreeMap::new();
        for id in self.slots.keys() {
            let ty = first.funcs.get(*id).ty();
            doors.entry(ty).or_insert_with(|| self.door(first, ty, joined));
        }
        let ways = self.slots.iter().map(|(id, slots)| (*id, (slots[0], doors[&first.funcs.get(*id).ty()])));
        let mut detour = Detour { ways: ways.collect() };
        for id in &self.kept {
            let function = first.funcs.get_mut(*id).kind.unwrap_local_mut();
            let entry = function.entry_block();
            ir::dfs_pre_order_mut(&mut detour, function, entry);
        }
        for (id, (slot, door)) in detour.ways.into_iter().filter(|(id, _)| !self.fresh.contains(id)) {
            let (mut stub, args) = builder_like(first, first.funcs.get(id).ty(), &[]);
            let mut body = stub.func_body();
            for arg in &args {
                body.local_get(*arg);
            }
            body.i32_const(slot).call(door);
            first.funcs.get_mut(id).kind = FunctionKind::Local(stub.local_func(args));
        }
    }

    /// A function that takes the arguments of a moved function of this type, and its slot, and calls it there. Has the rest
    /// loaded if it has not joined.
    fn door(&self, first: &mut Module, ty: TypeId, joined: GlobalId) -> FunctionId {
        let (mut door, args) = builder_like(first, ty, &[ValType::I32]);
        let mut body = door.func_body();
        body.global_get(joined).if_else(
            None,
            |_| {},
            |absent| {
                absent.call(self.load);
            },
        );
        for arg in &args {
            body.local_get(*arg);
        }
        body.call_indirect(ty, self.table);
        door.finish(args, &mut first.funcs)
    }
}

/// A builder for a function of a type with some more parameters, and those parameters.
fn builder_like(module: &mut Module, ty: TypeId, more: &[ValType]) -> (FunctionBuilder, Vec<LocalId>) {
    let (params, results) = module.types.params_results(ty);
    let (params, results) = ([params, more].concat(), results.to_vec());
    let args = params.iter().map(|param| module.locals.add(*param)).collect();
    (FunctionBuilder::new(&mut module.types, &params, &results), args)
}

/// The rest sets a global of the first part when it has joined: by then the table holds its functions.
fn say_joined(first: &mut Module, rest: &mut Module, joined: GlobalId) {
    first.exports.add(JOINED, joined);
    let (twin, _) = rest.add_import_global(FIRST, JOINED, ValType::I32, true, false);
    let mut start = FunctionBuilder::new(&mut rest.types, &[], &[]);
    start.func_body().i32_const(1).global_set(twin);
    rest.start = Some(start.finish(Vec::new(), &mut rest.funcs));
}

/// Where the moved functions stand in the table already.
fn old_slots(module: &Module, moved: &BTreeSet<FunctionId>) -> Result<BTreeMap<FunctionId, Vec<i32>>> {
    let mut slots = BTreeMap::<_, Vec<i32>>::new();
    for element in module.elements.iter() {
        match (&element.kind, &element.items) {
            (
                ElementKind::Active { offset: ConstExpr::Value(Value::I32(start)), .. },
                ElementItems::Functions(functions),
            ) => {
                for (slot, id) in (*start..).zip(functions).filter(|(_, id)| moved.contains(id)) {
                    slots.entry(*id).or_default().push(slot);
                }
            }
            (kind, _) => bail!("the page fills its table in a way that was not foreseen: {kind:?}"),
        }
    }
    Ok(slots)
}

const fn active(table: TableId, slot: i32) -> ElementKind {
    ElementKind::Active { table, offset: ConstExpr::Value(Value::I32(slot)) }
}

/// Takes out what only the first part has: data, what fills the table, exports and the start.
fn strip(module: &mut Module) {
    module.start = None;
    for id in module.exports.iter().map(walrus::Export::id).collect::<Vec<_>>() {
        module.exports.delete(id);
    }
    for id in module.data.iter().map(walrus::Data::id).collect::<Vec<_>>() {
        module.data.delete(id);
    }
    for id in module.elements.iter().map(walrus::Element::id).collect::<Vec<_>>() {
        module.elements.delete(id);
    }
    module.memories.iter_mut().for_each(|memory| memory.data_segments.clear());
    module.tables.iter_mut().for_each(|table| table.elem_segments.clear());
}

/// The ids of the second copy for those of the first: the same things in the same order.
struct Twins {
    functions: HashMap<FunctionId, FunctionId>,
    globals: HashMap<GlobalId, GlobalId>,
    tables: HashMap<TableId, TableId>,
    memories: Vec<walrus::MemoryId>,
}

impl Twins {
    fn of(a: &Module, b: &Module) -> Self {
        Self {
            functions: a.funcs.iter().map(walrus::Function::id).zip(b.funcs.iter().map(walrus::Function::id)).collect(),
            globals: a.globals.iter().map(walrus::Global::id).zip(b.globals.iter().map(walrus::Global::id)).collect(),
            tables: a.tables.iter().map(walrus::Table::id).zip(b.tables.iter().map(walrus::Table::id)).collect(),
            memories: b.memories.iter().map(walrus::Memory::id).collect(),
        }
    }
}

/// What functions refer to.
#[derive(Default)]
struct Uses {
    functions: BTreeSet<FunctionId>,
    globals: BTreeSet<GlobalId>,
    tables: BTreeSet<TableId>,
}

impl Uses {
    fn of(module: &Module, ids: impl Iterator<Item = FunctionId>) -> Self {
        let mut uses = Self::default();
        for id in ids {
            let function = module.funcs.get(id).kind.unwrap_local();
            ir::dfs_in_order(&mut uses, function, function.entry_block());
        }
        uses
    }
}

impl ir::Visitor<'_> for Uses {
    fn visit_function_id(&mut self, id: &FunctionId) {
        self.functions.insert(*id);
    }

    fn visit_global_id(&mut self, id: &GlobalId) {
        self.globals.insert(*id);
    }

    fn visit_table_id(&mut self, id: &TableId) {
        self.tables.insert(*id);
    }
}

/// Calls of moved functions become calls of doors.
struct Detour {
    /// The slot and the door of each.
    ways: BTreeMap<FunctionId, (i32, FunctionId)>,
}

impl VisitorMut for Detour {
    fn start_instr_seq_mut(&mut self, seq: &mut InstrSeq) {
        let way = |instr: &Instr| if let Instr::Call(call) = instr { self.ways.get(&call.func).copied() } else { None };
        let old = std::mem::take(&mut seq.instrs);
        for (instr, place) in old {
            if let Some((slot, func)) = way(&instr) {
                seq.instrs.push((Instr::Const(Const { value: Value::I32(slot) }), place));
                seq.instrs.push((Instr::Call(Call { func }), place));
            } else {
                seq.instrs.push((instr, place));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::list;
    use std::collections::HashSet;

    #[test]
    fn a_module_that_never_ran_is_one_line() {
        let names = ["lockstep::web::menu::a", "lockstep::web::menu::b", "lockstep::web::page::c", "core::fmt::d"];
        let names: Vec<String> = names.map(str::to_owned).to_vec();
        assert_eq!(list(&names, &HashSet::from([2])), ["core::fmt::d", "lockstep::web::menu::*"]);
        assert_eq!(list(&names, &HashSet::from([1, 2])), ["core::fmt::d", "lockstep::web::menu::a"]);
    }
    #[test]
    fn what_a_busy_processor_decides_counts_as_run() {
        let names = ["core::ptr::drop_in_place::<alloc::boxed::Box<dyn yew::scheduler::Runnable>>", "core::fmt::d"];
        let names: Vec<String> = names.map(str::to_owned).to_vec();
        assert_eq!(list(&names, &HashSet::new()), ["core::fmt::d"]);
    }
}
