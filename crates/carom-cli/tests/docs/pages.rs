//! Pages of Markdown, taken apart as far as the tests need it.

use super::common::root;

/// A fenced block.
pub struct Block {
    /// Where it is: `docs/laws.md:12`.
    pub place: String,
    info: String,
    pub text: String,
}

impl Block {
    /// `console`, `toml`, `rust` and so on; empty where none is given.
    pub fn language(&self) -> &str {
        self.info.split([' ', ',']).next().unwrap_or("")
    }

    /// Whether the first line says so behind the language: `console fails`.
    pub fn has(&self, word: &str) -> bool {
        self.info.split([' ', ',']).skip(1).any(|own| own == word)
    }
}

pub struct Page {
    /// From the root of the repository on: `docs/laws.md`.
    pub name: String,
    pub blocks: Vec<Block>,
    /// Lines, from 1, and targets of links and pictures.
    pub links: Vec<(usize, String)>,
    pub headings: Vec<String>,
}

impl Page {
    pub fn read(name: &str, text: &str) -> Page {
        let mut page = Page {
            name: name.to_owned(),
            blocks: Vec::new(),
            links: Vec::new(),
            headings: Vec::new(),
        };
        let mut open = false;
        for (number, line) in text.lines().enumerate() {
            let fence = line.trim_start().strip_prefix("```");
            match (fence, open) {
                (Some(info), false) => page.blocks.push(Block {
                    place: format!("{name}:{}", number + 1),
                    info: info.trim().to_owned(),
                    text: String::new(),
                }),
                (None, true) => {
                    let block = page.blocks.last_mut().expect("one is open");
                    block.text.push_str(line);
                    block.text.push('\n');
                }
                (None, false) => page.prose(number + 1, line),
                (Some(_), true) => {}
            }
            open ^= fence.is_some();
        }
        assert!(!open, "{name}: a block is not closed");
        page
    }

    fn prose(&mut self, number: usize, line: &str) {
        let title = line.trim_start_matches('#');
        if title.len() < line.len() && title.starts_with(' ') {
            self.headings.push(title.trim().to_owned());
        }
        // What is between backquotes is no link: `[[bodies]](x)`, say.
        let mut rest = line;
        while let Some(at) = rest.find("](") {
            let before = &rest[..at];
            rest = &rest[at + 2..];
            let Some(end) = rest.find(')') else { break };
            let in_code = before.matches('`').count() % 2 == 1;
            if !in_code {
                self.links.push((number, rest[..end].to_owned()));
            }
            rest = &rest[end..];
        }
    }
}

/// The name by which a heading is linked to: small letters, hyphens for spaces, nothing else but letters, digits and
/// underscores.
pub fn anchor(title: &str) -> String {
    let kept = title.to_lowercase().chars().collect::<Vec<char>>();
    kept.into_iter()
        .filter(|c| c.is_alphanumeric() || " -_".contains(*c))
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}

/// The README and all pages in `docs/`.
pub fn pages() -> Vec<Page> {
    let mut names = vec!["README.md".to_owned()];
    let mut folders = vec!["docs".to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(root().join(&folder)).unwrap() {
            let entry = entry.unwrap();
            let name = format!("{folder}/{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                folders.push(name);
            } else if name.ends_with(".md") {
                names.push(name);
            }
        }
    }
    names.sort();
    let read = |name: String| {
        let text = std::fs::read_to_string(root().join(&name)).unwrap();
        Page::read(&name, &text)
    };
    names.into_iter().map(read).collect()
}
