//! Which of the members of an island hang together.

/// Members by their places in the list.
pub(in crate::simulate) struct Parts {
    /// Towards the least member of each part, which is its own.
    parent: Vec<usize>,
}

impl Parts {
    pub fn new(members: usize) -> Self {
        Parts {
            parent: (0..members).collect(),
        }
    }

    fn root(&mut self, mut at: usize) -> usize {
        while self.parent[at] != at {
            self.parent[at] = self.parent[self.parent[at]];
            at = self.parent[at];
        }
        at
    }

    pub fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b)] = a.min(b);
    }

    /// Which part each member is of, by the order of their least members, and how many there are.
    pub fn numbered(mut self) -> (Vec<usize>, usize) {
        let (mut numbers, mut count) = (vec![0; self.parent.len()], 0);
        for at in 0..numbers.len() {
            let root = self.root(at);
            numbers[at] = if root == at { count } else { numbers[root] };
            count += usize::from(root == at);
        }
        (numbers, count)
    }
}
