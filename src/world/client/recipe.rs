//! ZooKeeper's lock recipe ("ZooKeeper Recipes and Solutions", Locks):
//!
//! 1. `create` an ephemeral sequential node whose name begins with an id of one's own;
//! 2. `getChildren`, without a watch;
//! 3. whose node has the lowest number has the lock;
//! 4. everybody else calls `exists` with a watch on the node right before its own;
//! 5. if that is gone, go to 2; else wait for the watch, then go to 2.
//!
//! To give the lock back, delete the node. Each of these steps is a knob of [`Recipe`](crate::vocabulary::Recipe), since
//! real code gets each of them wrong: watching the parent wakes everybody, sleeping although `exists` said no sleeps for
//! ever, and without the id a client whose `create` was answered to a dead connection does not know its own node.
//!
//! A client whose `create` was not confirmed lists the children of its next server and looks for its id, as Curator (protected
//! nodes), kazoo and ZooKeeper's own `WriteLock` do. None of them calls `sync` first. So a hole stays open: if that server is
//! behind, or the `create` is still on its way to the leader, the node is not among them; the client makes a second one, and
//! waits behind its own until its session ends. The knob `sync` closes it, since the leader takes no update any more from a
//! server that the session has left, and answers a `sync` after all that it took before.
//!
//! After a lost connection the step that was asked is repeated, after a lost session the recipe begins anew. The parent is
//! made when a `create` finds none. `check` asks for the client's own node: a round trip.

use std::sync::Arc;

use super::session::ZkHandle;
use super::{Awaiting, Client, Hold, Lock};
use crate::vocabulary::{Nonce, ReleaseMode, ServiceIx, Token, TokenSource, Watched};
use crate::world::message::{Child, ZkAnswer, ZkRequest, ZkUpdate};
use crate::world::observation::{Closing, Observation};
use crate::world::out::{Ctx, Out};
use crate::world::random::Purpose;
use crate::world::zookeeper::Name;

/// What a client wants of its ensemble next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Goal {
    Nothing,
    /// Has its server come as far as the leader?
    Sync,
    /// Does the node that it asked for exist?
    Find,
    Create,
    CreateParent,
    List,
    /// Watch the node before its own.
    Watch(Name),
    /// Sleep until a watch fires.
    Sleep,
    /// Raise the version of the parent: the token.
    Count,
    Check,
    Release,
    Close,
}

impl Client {
    pub(super) fn is_zookeeper(service: ServiceIx, ctx: Ctx<'_>) -> bool {
        ctx.setup.service(service).ensemble.is_some()
    }

    /// The `acquire` line.
    #[inline(never)]
    pub(super) fn queue_up(&mut self, service: ServiceIx, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let servers = ctx.setup.service(service).nodes.len() as u16;
        let (first, wish) = (self.ix % servers, self.driver(service, ctx).recipe.session);
        let guid = ctx.word(Purpose::Nonce, self.draws);
        self.draws += 1;
        let lock = self.lock(service);
        let mut handle = lock.zookeeper.take().unwrap_or_else(|| Box::new(ZkHandle::new(first, wish)));
        (handle.guid, handle.mine) = (guid, None);
        *lock = Lock { wants: true, zookeeper: Some(handle), ..Lock::default() };
        out.note(Observation::Wants { service });
        self.set_out(service, Goal::Create, ctx, out);
    }

    /// The `check` line.
    #[inline(never)]
    pub(super) fn look_up_node(&mut self, service: ServiceIx, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let lock = &self.locks[service.ix()];
        let known = lock.hold.is_some() && lock.zookeeper.as_ref().is_some_and(|handle| handle.mine.is_some());
        if known {
            self.set_out(service, Goal::Check, ctx, out);
        } else {
            self.check_failed(service, ctx, out);
        }
    }

    fn check_failed(&mut self, service: ServiceIx, ctx: Ctx<'_>, out: &mut Out<'_>) {
        out.note(Observation::CheckFailed { service });
        self.close_hold(service, Closing::Notice, out);
        self.abort(service, ctx, out);
    }

    /// The `release` line.
    #[inline(never)]
    pub(super) fn leave_queue(&mut self, service: ServiceIx, ctx: Ctx<'_>, out: &mut Out<'_>) {
        self.close_hold(service, Closing::Released, out);
        let lock = self.lock(service);
        (lock.lost, lock.acting, lock.token) = (false, None, None);
        let mine = lock.zookeeper.as_ref().is_some_and(|handle| handle.mine.is_some());
        let driver = self.driver(service, ctx);
        if !mine || driver.release == ReleaseMode::Never {
            return self.next_line(ctx, out);
        }
        self.set_out(service, Goal::Release, ctx, out);
        if !driver.await_release {
            self.next_line(ctx, out);
        }
    }

    /// Begins something that the current line waits for.
    fn set_out(&mut self, service: ServiceIx, goal: Goal, ctx: Ctx<'_>, out: &mut Out<'_>) {
        self.awaiting = Awaiting::ZooKeeper;
        if let Some(handle) = self.handle_of(service) {
            handle.goal = goal;
        }
        self.ensure_connected(service, ctx, out);
        self.pursue(service, ctx, out);
    }

    /// Asks for what the goal needs, if it can ask now.
    pub(super) fn pursue(&mut self, service: ServiceIx, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let recipe = self.driver(service, ctx).recipe;
        let Some(handle) = self.handle_of(service) else { return };
        if !handle.is_connected() || handle.rpc.is_some() {
            return;
        }
        let mine = handle.mine.map(|child| child.name);
        let request = match (handle.goal, mine) {
            (Goal::Create, _) => {
                let guid = recipe.id_in_name.then_some(handle.guid);
                ZkRequest::Update(ZkUpdate::Create { guid, ephemeral: recipe.ephemeral })
            }
            (Goal::CreateParent, _) => ZkRequest::Update(ZkUpdate::CreateParent),
            (Goal::Sync, _) => ZkRequest::Sync,
            (Goal::Find, _) => ZkRequest::Children { watch: false },
            (Goal::List, _) => ZkRequest::Children { watch: recipe.watched == Watched::Parent },
            (Goal::Watch(name), _) => ZkRequest::Exists { name, watch: true },
            (Goal::Count, _) => ZkRequest::Update(ZkUpdate::SetData),
            (Goal::Check, Some(name)) => ZkRequest::Exists { name, watch: false },
            (Goal::Release, Some(name)) => ZkRequest::Update(ZkUpdate::Delete { name }),
            (Goal::Close, _) => ZkRequest::Update(ZkUpdate::CloseSession { expired: false }),
            (Goal::Nothing | Goal::Sleep | Goal::Check | Goal::Release, _) => return,
        };
        self.ask(service, request, ctx, out);
    }

    fn aim(&mut self, service: ServiceIx, goal: Goal, ctx: Ctx<'_>, out: &mut Out<'_>) {
        if let Some(handle) = self.handle_of(service) {
            handle.goal = goal;
        }
        self.pursue(service, ctx, out);
    }

    /// The server answered.
    pub(super) fn on_answer(&mut self, service: ServiceIx, answer: &ZkAnswer, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let list_again = self.driver(service, ctx).recipe.list_again;
        let Some(handle) = self.handle_of(service) else { return };
        match (handle.goal, answer) {
            (Goal::Create, ZkAnswer::Created(child)) => {
                handle.mine = Some(*child);
                self.aim(service, Goal::List, ctx, out);
            }
            (Goal::Create | Goal::Find | Goal::List, ZkAnswer::NoNode) => {
                self.aim(service, Goal::CreateParent, ctx, out);
            }
            (Goal::CreateParent, _) => self.aim(service, Goal::Create, ctx, out),
            (Goal::Sync, _) => self.aim(service, Goal::Find, ctx, out),
            (Goal::Find, ZkAnswer::Children(all)) => {
                let guid = handle.guid;
                handle.mine = all.iter().find(|child| child.name.guid == Some(guid)).copied();
                let goal = if handle.mine.is_some() { Goal::List } else { Goal::Create };
                self.aim(service, goal, ctx, out);
            }
            (Goal::List, ZkAnswer::Children(all)) => self.look_at_queue(service, all, ctx, out),
            (Goal::Watch(_), ZkAnswer::NoNode) if list_again => self.aim(service, Goal::List, ctx, out),
            (Goal::Watch(_), _) => handle.goal = Goal::Sleep,
            (Goal::Count, ZkAnswer::DataSet { version }) => {
                let token = Token(u64::from(*version));
                self.believe_lowest(service, Some(token), ctx, out);
            }
            (Goal::Check, ZkAnswer::Exists(_)) => {
                handle.goal = Goal::Nothing;
                out.note(Observation::CheckPassed { service });
                self.next_line(ctx, out);
            }
            (Goal::Check, _) => {
                handle.goal = Goal::Nothing;
                self.check_failed(service, ctx, out);
            }
            (Goal::Release, _) => {
                (handle.goal, handle.mine) = (Goal::Nothing, None);
                self.done_waiting(ctx, out);
            }
            _ => {}
        }
    }

    /// Step 3: is its own node the lowest?
    fn look_at_queue(&mut self, service: ServiceIx, all: &[Child], ctx: Ctx<'_>, out: &mut Out<'_>) {
        let driver = self.driver(service, ctx);
        let mine = self.handle_of(service).and_then(|handle| handle.mine);
        let place = all.iter().position(|child| Some(*child) == mine);
        match (place, mine) {
            (Some(0), Some(mine)) => {
                let token = match driver.token {
                    TokenSource::ParentVersion => return self.aim(service, Goal::Count, ctx, out),
                    TokenSource::Czxid => Some(Token(mine.czxid.0)),
                    TokenSource::Sequence => Some(Token(u64::from(mine.name.seq))),
                    TokenSource::NodeVersion => Some(Token(0)),
                    _ => None,
                };
                self.believe_lowest(service, token, ctx, out);
            }
            (Some(place), _) => {
                out.note(Observation::Queued { service, ahead: place as u32 });
                let goal = match driver.recipe.watched {
                    Watched::Parent => Goal::Sleep,
                    Watched::Predecessor => Goal::Watch(all[place - 1].name),
                };
                self.aim(service, goal, ctx, out);
            }
            // Somebody deleted it.
            (None, _) => self.aim(service, Goal::Create, ctx, out),
        }
    }

    fn believe_lowest(&mut self, service: ServiceIx, token: Option<Token>, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let lock = self.lock(service);
        let Some(handle) = lock.zookeeper.as_deref_mut() else { return };
        handle.goal = Goal::Nothing;
        let nonce = Nonce(handle.mine.map_or(0, |child| child.czxid.0));
        if let Some(token) = token {
            out.note(Observation::TokenGiven { service, client: ctx.me, token });
        }
        let hold = out.fresh_hold();
        let since = ctx.mono_us;
        lock.hold = Some(Arc::new(Hold { service, hold, nonce, token, since, believed_until: None, wall_until: None }));
        (lock.wants, lock.token, lock.acting) = (false, token, Some(hold));
        out.note(Observation::Acquired { service, hold, nonce, token, believed_until: None });
        self.next_line(ctx, out);
    }

    fn done_waiting(&mut self, ctx: Ctx<'_>, out: &mut Out<'_>) {
        if self.waits_for_zookeeper() {
            self.next_line(ctx, out);
        }
    }

    /// A watch fired: whatever it says, the queue is looked at again.
    pub(super) fn on_watch(&mut self, service: ServiceIx, ctx: Ctx<'_>, out: &mut Out<'_>) {
        if self.handle_of(service).is_some_and(|handle| handle.goal == Goal::Sleep) {
            self.aim(service, Goal::List, ctx, out);
        }
    }

    /// What to do first once there is a connection again. `asked`: an answer is lost.
    pub(super) fn after_disconnect(&mut self, service: ServiceIx, asked: bool, ctx: Ctx<'_>) {
        let recipe = self.driver(service, ctx).recipe;
        let first = if recipe.syncs { Goal::Sync } else { Goal::Find };
        let Some(handle) = self.handle_of(service) else { return };
        handle.goal = match handle.goal {
            Goal::Create if asked && recipe.id_in_name => first,
            Goal::Find => first,
            // Watches are gone with the connection.
            Goal::Watch(_) | Goal::Sleep => Goal::List,
            goal => goal,
        };
    }

    /// The session is over, and the node with it. The next one gets another id: a server that is behind may still show the
    /// old node, and it must not be taken for one of the new session (Curator’s `ProtectedMode` drops what it finds then).
    pub(super) fn after_expiry(&mut self, service: ServiceIx, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let guid = ctx.word(Purpose::Nonce, self.draws);
        self.draws += 1;
        let Some(handle) = self.handle_of(service) else { return };
        handle.guid = guid;
        match std::mem::replace(&mut handle.goal, Goal::Nothing) {
            Goal::Nothing | Goal::Close => {}
            Goal::Release => self.done_waiting(ctx, out),
            Goal::Check => self.check_failed(service, ctx, out),
            _ => self.set_out(service, Goal::Create, ctx, out),
        }
    }
}
