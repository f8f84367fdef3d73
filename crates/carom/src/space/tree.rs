use glam::DVec3;

/// A tree of boxes along the axes: which of very many triangles, walls or balls are near?
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    /// Numbers of parts, those of a leaf together.
    items: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    low: DVec3,
    high: DVec3,
    /// Of a leaf its items; otherwise `number` is zero and `first` is the second child (the first comes next).
    first: u32,
    number: u32,
}

/// Items of a leaf.
const FEW: usize = 4;

impl Tree {
    /// Over boxes, each with its lowest and highest corner.
    pub fn new(boxes: &[(DVec3, DVec3)]) -> Self {
        let mut tree = Tree {
            nodes: Vec::with_capacity(2 * boxes.len()),
            items: (0..boxes.len() as u32).collect(),
        };
        tree.split(boxes, 0, boxes.len());
        tree
    }

    fn split(&mut self, boxes: &[(DVec3, DVec3)], from: usize, to: usize) {
        let around = self.items[from..to].iter().map(|&i| boxes[i as usize]);
        let (low, high) = around.fold(
            (DVec3::INFINITY, DVec3::NEG_INFINITY),
            |(low, high), (l, h)| (low.min(l), high.max(h)),
        );
        let here = self.nodes.len();
        self.nodes.push(Node {
            low,
            high,
            first: from as u32,
            number: (to - from) as u32,
        });
        if to - from <= FEW {
            return;
        }
        let extent = high - low;
        let axis = if extent.x >= extent.y && extent.x >= extent.z {
            0
        } else if extent.y >= extent.z {
            1
        } else {
            2
        };
        let middle = |i: u32| boxes[i as usize].0[axis] + boxes[i as usize].1[axis];
        let half = (to - from) / 2;
        // By number where the middles are equal: the same tree on every machine.
        self.items[from..to].select_nth_unstable_by(half, |&i, &j| {
            middle(i).total_cmp(&middle(j)).then(i.cmp(&j))
        });
        self.split(boxes, from, from + half);
        self.nodes[here].first = self.nodes.len() as u32;
        self.nodes[here].number = 0;
        self.split(boxes, from + half, to);
    }

    /// The numbers of all items whose boxes meet a box, in ascending order.
    pub fn near(&self, low: DVec3, high: DVec3) -> Vec<u32> {
        let mut found = Vec::new();
        let mut open = vec![0_u32];
        while let Some(node) = open.pop() {
            let Some(here) = self.nodes.get(node as usize) else {
                continue;
            };
            if here.low.cmpgt(high).any() || here.high.cmplt(low).any() {
                continue;
            }
            if here.number > 0 {
                let items = &self.items[here.first as usize..(here.first + here.number) as usize];
                found.extend_from_slice(items);
            } else {
                open.push(here.first);
                open.push(node + 1);
            }
        }
        found.sort_unstable();
        found
    }
}
