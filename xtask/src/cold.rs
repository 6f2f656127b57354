//! Regions of functions that never run together with what the first view runs, made functions of their own.
//!
//! A function that the first view runs has parts that it does not run: an arm for another service, the words for a refusal.
//! Nothing has to record them. A position of a function is *warm* if it lies on a way from the function's beginning to its end
//! that meets no *mark*: a call of a function of the rest, or a trap. The first view meets no mark, so it runs warm positions
//! alone. What is not warm becomes a function, which goes into the rest like any other (see [`crate::split`]).
//!
//! The new function takes the locals that live into the region and returns those that live out of it, before them the number
//! of the way out where there are several. In the compiler's output the stack is empty at the edges of a region; were it not,
//! the new function would not be valid, and the build would fail.

use std::collections::{BTreeSet, HashMap};
use walrus::ir::{Block, Br, BrTable, Instr, InstrLocId, InstrSeqId, InstrSeqType, LocalId};
use walrus::{FunctionBuilder, FunctionId, LocalFunction, Module, ValType};

/// The names of the new functions end so.
pub(crate) const SUFFIX: &str = "{cold}";
/// Instructions that a region has beyond those that call it; below, it is not worth a function.
const GAIN_MIN: usize = 8;
/// Locals that go in, and that come out.
const LOCALS_MAX: usize = 16;

/// Makes functions of the cold regions of some functions.
pub(crate) fn outline(module: &mut Module, functions: &[FunctionId], is_mark: impl Fn(FunctionId) -> bool) {
    for id in functions {
        let flow = Flow::of(module.funcs.get(*id).kind.unwrap_local(), &is_mark);
        let mut regions: Vec<_> = flow.regions(module.funcs.get(*id).kind.unwrap_local());
        // From the end of a sequence to its beginning: so positions stay what they are.
        regions.sort_by_key(|region| std::cmp::Reverse(region.start));
        for region in regions {
            if let Some(plan) = Plan::of(module.funcs.get(*id).kind.unwrap_local(), &flow, region) {
                plan.carry_out(module, *id);
            }
        }
    }
}

/// Instructions of one sequence, one after the other.
#[derive(Clone, Copy)]
struct Region {
    seq: InstrSeqId,
    start: usize,
    end: usize,
}

/// The ways through a function. Its nodes are the instructions and the end of each sequence, and the end of the function.
struct Flow {
    first: HashMap<InstrSeqId, usize>,
    /// Where a branch to a sequence leads, and where its end leads: for a loop they differ.
    target: HashMap<InstrSeqId, usize>,
    leave: HashMap<InstrSeqId, usize>,
    next: Vec<Vec<usize>>,
    reached: Vec<bool>,
    warm: Vec<bool>,
    live: Vec<BTreeSet<LocalId>>,
}

impl Flow {
    fn of(function: &LocalFunction, is_mark: &impl Fn(FunctionId) -> bool) -> Self {
        let (first, target, leave) = (HashMap::new(), HashMap::new(), HashMap::new());
        let mut flow =
            Self { first, target, leave, next: Vec::new(), reached: Vec::new(), warm: Vec::new(), live: Vec::new() };
        let mut nodes = Vec::new();
        flow.number(function, function.entry_block(), &mut nodes);
        let out = nodes.len();
        flow.target.insert(function.entry_block(), out);
        flow.leave.insert(function.entry_block(), out);
        flow.next = nodes.iter().enumerate().map(|(node, (seq, instr))| flow.ways(node, *seq, *instr, out)).collect();
        flow.next.push(Vec::new());
        let marks = nodes.iter().map(|(_, instr)| match instr {
            Some(Instr::Call(call)) => is_mark(call.func),
            Some(Instr::Unreachable(_)) => true,
            _ => false,
        });
        let marks: Vec<_> = marks.chain([false]).collect();
        flow.reached = reached(0, &flow.next, &vec![false; marks.len()]);
        flow.warm = flow.between(&marks);
        flow.live = flow.lives(&nodes);
        flow
    }

    /// Numbers the positions of a sequence, and after them those of the sequences in it.
    fn number<'a>(
        &mut self,
        function: &'a LocalFunction,
        seq: InstrSeqId,
        nodes: &mut Vec<(InstrSeqId, Option<&'a Instr>)>,
    ) {
        let instrs = &function.block(seq).instrs;
        let first = nodes.len();
        self.first.insert(seq, first);
        nodes.extend(instrs.iter().map(|(instr, _)| (seq, Some(instr))));
        nodes.push((seq, None));
        for (at, (instr, _)) in instrs.iter().enumerate() {
            for inner in inside(instr) {
                self.leave.insert(inner, first + at + 1);
                self.target.insert(inner, if matches!(instr, Instr::Loop(_)) { nodes.len() } else { first + at + 1 });
                self.number(function, inner, nodes);
            }
        }
    }

    fn ways(&self, node: usize, seq: InstrSeqId, instr: Option<&Instr>, out: usize) -> Vec<usize> {
        match instr {
            None => vec![self.leave[&seq]],
            Some(instr @ (Instr::Block(_) | Instr::Loop(_) | Instr::IfElse(_))) => {
                inside(instr).iter().map(|seq| self.first[seq]).collect()
            }
            Some(Instr::Return(_)) => vec![out],
            Some(Instr::Unreachable(_)) => Vec::new(),
            Some(instr) => {
                let mut ways: Vec<_> = branches(instr).iter().map(|seq| self.target[seq]).collect();
                if !matches!(instr, Instr::Br(_) | Instr::BrTable(_)) {
                    ways.push(node + 1);
                }
                ways
            }
        }
    }

    /// Which nodes lie on a way from the first node to the last that meets no mark.
    fn between(&self, marks: &[bool]) -> Vec<bool> {
        let mut back = vec![Vec::new(); self.next.len()];
        for (from, ways) in self.next.iter().enumerate() {
            for to in ways {
                back[*to].push(from);
            }
        }
        let (from, to) = (reached(0, &self.next, marks), reached(self.next.len() - 1, &back, marks));
        from.into_iter().zip(to).map(|(from, to)| from && to).collect()
    }

    /// The locals that are read after a node is reached, before they are written.
    fn lives(&self, nodes: &[(InstrSeqId, Option<&Instr>)]) -> Vec<BTreeSet<LocalId>> {
        let mut live = vec![BTreeSet::new(); self.next.len()];
        loop {
            let mut changed = false;
            for (node, (_, instr)) in nodes.iter().enumerate().rev() {
                let mut now: BTreeSet<LocalId> = self.next[node].iter().flat_map(|to| &live[*to]).copied().collect();
                match instr {
                    Some(Instr::LocalGet(get)) => drop(now.insert(get.local)),
                    Some(Instr::LocalSet(set)) => drop(now.remove(&set.local)),
                    Some(Instr::LocalTee(tee)) => drop(now.remove(&tee.local)),
                    _ => {}
                }
                if now.len() > live[node].len() {
                    live[node] = now;
                    changed = true;
                }
            }
            if !changed {
                return live;
            }
        }
    }

    /// The cold regions, each as large as it can be. A function that is cold from its beginning has none.
    fn regions(&self, function: &LocalFunction) -> Vec<Region> {
        let mut regions = Vec::new();
        let mut open = if self.warm[0] { vec![function.entry_block()] } else { Vec::new() };
        while let Some(seq) = open.pop() {
            let instrs = &function.block(seq).instrs;
            let is_warm = |at: usize| self.warm[self.first[&seq] + at];
            let mut start = 0;
            for (at, (instr, _)) in instrs.iter().enumerate() {
                if is_warm(at) {
                    open.extend(inside(instr));
                    regions.extend((start < at).then_some(Region { seq, start, end: at }));
                    start = at + 1;
                }
            }
            regions.extend((start < instrs.len()).then_some(Region { seq, start, end: instrs.len() }));
        }
        regions.retain(|region| self.reached[self.first[&region.seq] + region.start]);
        regions
    }
}

/// The nodes that ways from one lead to without a mark.
fn reached(start: usize, ways: &[Vec<usize>], marks: &[bool]) -> Vec<bool> {
    let mut seen = vec![false; ways.len()];
    let mut open = vec![start];
    while let Some(node) = open.pop() {
        if !marks[node] && !std::mem::replace(&mut seen[node], true) {
            open.extend(&ways[node]);
        }
    }
    seen
}

fn inside(instr: &Instr) -> Vec<InstrSeqId> {
    match instr {
        Instr::Block(block) => vec![block.seq],
        Instr::Loop(body) => vec![body.seq],
        Instr::IfElse(arms) => vec![arms.consequent, arms.alternative],
        _ => Vec::new(),
    }
}

fn branches(instr: &Instr) -> Vec<InstrSeqId> {
    match instr {
        Instr::Br(br) => vec![br.block],
        Instr::BrIf(br) => vec![br.block],
        Instr::BrTable(table) => table.blocks.iter().chain([&table.default]).copied().collect(),
        _ => Vec::new(),
    }
}

/// A region as a function.
struct Plan {
    region: Region,
    takes: Vec<LocalId>,
    gives: Vec<LocalId>,
    /// The ways out: the sequences that it branches to; none is the position after it.
    exits: Vec<Option<InstrSeqId>>,
}

/// What a region holds.
#[derive(Default)]
struct Inside {
    size: usize,
    seqs: BTreeSet<InstrSeqId>,
    branches: BTreeSet<InstrSeqId>,
    touched: BTreeSet<LocalId>,
    written: BTreeSet<LocalId>,
    /// Nodes that it leads to.
    next: BTreeSet<usize>,
}

impl Inside {
    /// None for what this module does not know how to move.
    fn add(&mut self, function: &LocalFunction, flow: &Flow, region: Region) -> Option<()> {
        for (at, (instr, _)) in function.block(region.seq).instrs[region.start..region.end].iter().enumerate() {
            self.size += 1;
            self.branches.extend(branches(instr));
            let node = flow.first[&region.seq] + region.start + at;
            if flow.reached[node] {
                self.next.extend(&flow.next[node]);
            }
            match instr {
                Instr::LocalGet(get) => drop(self.touched.insert(get.local)),
                Instr::LocalSet(set) => drop(self.written.insert(set.local)),
                Instr::LocalTee(tee) => drop(self.written.insert(tee.local)),
                Instr::Return(_) => drop(self.branches.insert(function.entry_block())),
                Instr::Try(_) | Instr::TryTable(_) | Instr::ReturnCall(_) | Instr::ReturnCallIndirect(_) => {
                    return None;
                }
                _ => {}
            }
            for seq in inside(instr) {
                self.seqs.insert(seq);
                self.add(function, flow, Region { seq, start: 0, end: function.block(seq).instrs.len() })?;
            }
        }
        let end = flow.first[&region.seq] + region.end;
        if self.seqs.contains(&region.seq) && flow.reached[end] {
            self.next.insert(flow.leave[&region.seq]);
        }
        Some(())
    }
}

impl Plan {
    fn of(function: &LocalFunction, flow: &Flow, region: Region) -> Option<Self> {
        let mut inside = Inside::default();
        inside.add(function, flow, region)?;
        let after = flow.first[&region.seq] + region.end;
        let falls = inside.next.contains(&after);
        let mut exits: Vec<Option<InstrSeqId>> = falls.then_some(None).into_iter().collect();
        exits.extend(inside.branches.iter().filter(|seq| !inside.seqs.contains(seq)).copied().map(Some));
        let carries_values = |seq: InstrSeqId| function.block(seq).ty != InstrSeqType::Simple(None);
        let at_end = region.end == function.block(region.seq).instrs.len();
        if exits.iter().flatten().any(|seq| carries_values(*seq)) || falls && at_end && carries_values(region.seq) {
            return None;
        }
        let touched: BTreeSet<LocalId> = inside.touched.union(&inside.written).copied().collect();
        let takes: Vec<_> = flow.live[flow.first[&region.seq] + region.start].intersection(&touched).copied().collect();
        let outside = exits.iter().map(|exit| exit.map_or(after, |seq| flow.target[&seq]));
        let live: BTreeSet<LocalId> = outside.flat_map(|node| &flow.live[node]).copied().collect();
        let gives: Vec<_> = live.intersection(&inside.written).copied().collect();
        let call = takes.len() + gives.len() + if exits.len() > 1 { exits.len() + 3 } else { 3 };
        let pays = inside.size >= call + GAIN_MIN && takes.len() <= LOCALS_MAX && gives.len() <= LOCALS_MAX;
        pays.then_some(Self { region, takes, gives, exits })
    }

    fn carry_out(self, module: &mut Module, id: FunctionId) {
        let types = |locals: &[LocalId]| locals.iter().map(|local| module.locals.get(*local).ty()).collect::<Vec<_>>();
        let (params, mut results) = (types(&self.takes), types(&self.gives));
        if self.exits.len() > 1 {
            results.insert(0, ValType::I32);
        }
        let mut made = FunctionBuilder::new(&mut module.types, &params, &results);
        self.write_body(module.funcs.get(id).kind.unwrap_local(), &mut made);
        let made = made.finish(self.takes.clone(), &mut module.funcs);
        let name = module.funcs.get(id).name.clone().unwrap_or_default();
        module.funcs.get_mut(made).name = Some(name + SUFFIX);
        self.write_call(module.funcs.get_mut(id).kind.unwrap_local_mut(), made);
    }

    /// One block around the region for each way out, the first the innermost; behind each, what is returned there.
    fn write_body(&self, from: &LocalFunction, to: &mut FunctionBuilder) {
        let doors: Vec<_> = self.exits.iter().map(|_| to.dangling_instr_seq(None).id()).collect();
        let entry = to.func_body_id();
        let innermost = doors.first().copied().unwrap_or(entry);
        let mut copy = Copy { from, to, seqs: HashMap::new() };
        for (exit, door) in self.exits.iter().zip(&doors) {
            exit.map(|seq| copy.seqs.insert(seq, *door));
        }
        copy.instrs(self.region, innermost);
        for (at, (exit, door)) in self.exits.iter().zip(&doors).enumerate() {
            if exit.is_none() {
                to.instr_seq(innermost).br(*door);
            }
            let mut outer = to.instr_seq(doors.get(at + 1).copied().unwrap_or(entry));
            outer.instr(Block { seq: *door });
            if doors.len() > 1 {
                outer.i32_const(at as i32);
            }
            for local in &self.gives {
                outer.local_get(*local);
            }
            outer.return_();
        }
        if doors.is_empty() {
            to.func_body().unreachable();
        }
    }

    fn write_call(&self, function: &mut LocalFunction, made: FunctionId) {
        let builder = function.builder_mut();
        let mut call = builder.dangling_instr_seq(None);
        for local in &self.takes {
            call.local_get(*local);
        }
        call.call(made);
        for local in self.gives.iter().rev() {
            call.local_set(*local);
        }
        let block = call.id();
        match self.exits.as_slice() {
            [] => {
                call.unreachable();
            }
            [None] => {}
            [Some(seq)] => {
                call.br(*seq);
            }
            several => {
                let mut blocks: Vec<_> = several.iter().map(|exit| exit.unwrap_or(block)).collect();
                let default = blocks.pop().unwrap_or(block);
                call.instr(BrTable { blocks: blocks.into(), default });
            }
        }
        let Region { seq, start, end } = self.region;
        builder.instr_seq(seq).instrs_mut().splice(start..end, [(Block { seq: block }.into(), InstrLocId::default())]);
    }
}

/// Copies instructions from one function to another.
struct Copy<'a> {
    from: &'a LocalFunction,
    to: &'a mut FunctionBuilder,
    /// The sequences of the copy for those of the original.
    seqs: HashMap<InstrSeqId, InstrSeqId>,
}

impl Copy<'_> {
    fn instrs(&mut self, region: Region, into: InstrSeqId) {
        for (instr, place) in &self.from.block(region.seq).instrs[region.start..region.end] {
            for seq in inside(instr) {
                let made = self.to.dangling_instr_seq(self.from.block(seq).ty).id();
                self.seqs.insert(seq, made);
                self.instrs(Region { seq, start: 0, end: self.from.block(seq).instrs.len() }, made);
            }
            let instr = self.renamed(instr.clone());
            self.to.instr_seq(into).instrs_mut().push((instr, *place));
        }
    }

    fn renamed(&self, mut instr: Instr) -> Instr {
        let seq = |id: &mut InstrSeqId| *id = self.seqs[id];
        match &mut instr {
            Instr::Block(block) => seq(&mut block.seq),
            Instr::Loop(body) => seq(&mut body.seq),
            Instr::IfElse(arms) => {
                seq(&mut arms.consequent);
                seq(&mut arms.alternative);
            }
            Instr::Br(br) => seq(&mut br.block),
            Instr::BrIf(br) => seq(&mut br.block),
            Instr::BrTable(table) => {
                table.blocks.iter_mut().for_each(seq);
                table.default = self.seqs[&table.default];
            }
            Instr::Return(_) => {
                if let Some(door) = self.seqs.get(&self.from.entry_block()) {
                    instr = Br { block: *door }.into();
                }
            }
            _ => {}
        }
        instr
    }
}

#[cfg(test)]
mod tests {
    use super::{SUFFIX, outline};
    use walrus::ir::BinaryOp;
    use walrus::{FunctionBuilder, FunctionId, Module, ValType};

    /// A module with a function that adds its second argument to itself, or, if its first is not zero, hands it to another;
    /// and that other function.
    fn module() -> (Module, FunctionId, FunctionId) {
        let mut module = Module::default();
        let mut rare = FunctionBuilder::new(&mut module.types, &[ValType::I32], &[ValType::I32]);
        let argument = module.locals.add(ValType::I32);
        rare.func_body().local_get(argument);
        let rare = rare.finish(vec![argument], &mut module.funcs);
        let [which, value] = [(); 2].map(|()| module.locals.add(ValType::I32));
        let mut usual = FunctionBuilder::new(&mut module.types, &[ValType::I32, ValType::I32], &[ValType::I32]);
        let mut body = usual.func_body();
        let twice = |arm: &mut walrus::InstrSeqBuilder<'_>| {
            for _ in 0..4 {
                arm.local_get(value).local_get(value).binop(BinaryOp::I32Add).local_set(value);
            }
        };
        body.local_get(which);
        body.if_else(
            None,
            |arm| {
                twice(arm);
                arm.local_get(value).call(rare).local_set(value);
            },
            twice,
        );
        body.local_get(value);
        let usual = usual.finish(vec![which, value], &mut module.funcs);
        module.exports.add("usual", usual);
        (module, usual, rare)
    }

    fn calls(module: &Module, id: FunctionId) -> String {
        let function = module.funcs.get(id).kind.unwrap_local();
        let mut text = String::new();
        let mut open = vec![function.entry_block()];
        while let Some(seq) = open.pop() {
            for (instr, _) in &function.block(seq).instrs {
                open.extend(super::inside(instr));
                if let walrus::ir::Instr::Call(call) = instr {
                    text += module.funcs.get(call.func).name.as_deref().unwrap_or("rare");
                }
            }
        }
        text
    }

    #[test]
    fn an_arm_that_calls_the_rest_becomes_a_function() {
        let (mut module, usual, rare) = module();
        module.funcs.get_mut(usual).name = Some("usual".to_owned());
        outline(&mut module, &[usual], |id| id == rare);
        let made = module
            .funcs
            .iter()
            .find(|function| function.name.as_deref() == Some("usual{cold}"))
            .map(walrus::Function::id);
        let made = made.expect("the arm is a function");
        assert!("usual{cold}".ends_with(SUFFIX));
        assert_eq!((calls(&module, usual).as_str(), calls(&module, made).as_str()), ("usual{cold}", "rare"));
        let ty = module.types.params_results(module.funcs.get(made).ty());
        assert_eq!(ty, (&[ValType::I32][..], &[ValType::I32][..]), "the value goes in and comes out");
        Module::from_buffer(&module.emit_wasm()).expect("what is written is valid");
    }

    #[test]
    fn what_the_first_view_may_run_stays() {
        let (mut module, usual, rare) = module();
        outline(&mut module, &[usual, rare], |_| false);
        assert_eq!(module.funcs.iter().count(), 2);
    }
}
