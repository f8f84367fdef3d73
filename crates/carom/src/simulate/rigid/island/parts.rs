//! Which of the members of an island hang together.

/// Which members hang together.
pub(super) struct Parts {
    members: Vec<u32>,
    parent: Vec<usize>,
}

impl Parts {
    pub(super) fn new(members: &[u32]) -> Self {
        Parts {
            members: members.to_vec(),
            parent: (0..members.len()).collect(),
        }
    }

    fn find(&mut self, mut at: usize) -> usize {
        while self.parent[at] != at {
            self.parent[at] = self.parent[self.parent[at]];
            at = self.parent[at];
        }
        at
    }

    pub(super) fn root(&mut self, slot: u32) -> u32 {
        let at = self.members.binary_search(&slot).unwrap_or_default();
        let root = self.find(at);
        self.members[root]
    }

    pub(super) fn join(&mut self, a: u32, b: u32) {
        let [a, b] = [a, b].map(|slot| self.members.binary_search(&slot).unwrap_or_default());
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b)] = a.min(b);
    }
}
