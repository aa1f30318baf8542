//! Attempts at a method: one that becomes too large is taken back, and less of the method is woven.

use super::ClassWeaver;

/// What a failed attempt at a method must take back.
pub(super) struct Mark {
    sites: usize,
    methods: usize,
    counts: [u64; 6],
    unwoven: usize,
}

impl ClassWeaver<'_, '_> {
    /// As it is before an attempt.
    pub(super) fn mark(&self) -> Mark {
        let account = &self.account;
        Mark {
            sites: self.sites.sites.len(),
            methods: self.sites.methods(),
            counts: [
                account.accesses,
                account.monitors,
                account.calls,
                account.method_refs,
                self.before_super,
                self.class_initialisation,
            ],
            unwoven: account.unwoven.len(),
        }
    }

    /// As it was. Added helper methods stay: nothing calls them.
    pub(super) fn rewind(&mut self, mark: Mark) {
        self.sites.truncate(mark.methods, mark.sites);
        let account = &mut self.account;
        [
            account.accesses,
            account.monitors,
            account.calls,
            account.method_refs,
            self.before_super,
            self.class_initialisation,
        ] = mark.counts;
        account.unwoven.truncate(mark.unwoven);
    }
}
