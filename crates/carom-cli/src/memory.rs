//! How much memory there is, and whether a scene fits into it.

use crate::output::Failure;
use carom_scene::{Method, Scene, bytes_per_body, gigabytes};
use std::path::Path;

/// As much memory as can be had, in bytes, as far as the system says; `None` where it does not.
pub fn available() -> Option<u64> {
    let free = std::fs::read_to_string("/proc/meminfo").ok();
    let free = free.as_deref().and_then(of_system);
    let groups = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let left = groups.lines().filter_map(of_group).min();
    [free, left].into_iter().flatten().min()
}

/// What `/proc/meminfo` says is available, in bytes.
fn of_system(text: &str) -> Option<u64> {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// What a control group, as a line of `/proc/self/cgroup` names it, may have, in bytes. In a container the group's own
/// folder may be the root.
fn of_group(line: &str) -> Option<u64> {
    let mut parts = line.splitn(3, ':');
    let (_, controllers, path) = (parts.next()?, parts.next()?, parts.next()?);
    let (root, most) = match controllers {
        "" => ("/sys/fs/cgroup", "memory.max"),
        list if list.split(',').any(|one| one == "memory") => {
            ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
        }
        _ => return None,
    };
    let own = Path::new(root).join(path.trim_start_matches('/'));
    let limit = |folder: &Path| -> Option<u64> {
        let text = std::fs::read_to_string(folder.join(most)).ok()?;
        text.trim().parse().ok()
    };
    // What the group uses now is not taken off: most of that is copies of files, which make room when it is needed.
    [own.as_path(), Path::new(root)]
        .into_iter()
        .filter_map(limit)
        .min()
}

/// Refuses a scene whose run does not fit, with what it would take.
pub fn check(scene: &Scene, method: Method) -> Result<(), Failure> {
    let (bodies, dimension) = (scene.world.len() as u64, scene.world.dimension());
    // The world is there already, a third of it all.
    let takes = bodies.saturating_mul(bytes_per_body(dimension, method)) / 3 * 2;
    match available() {
        Some(there) if takes > there => Err(Failure::BadInput(format!(
            "error: a run of {bodies} bodies takes about {} of memory more, and {} are there\n",
            gigabytes(takes),
            gigabytes(there)
        ))),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_says_is_read() {
        let text =
            "MemTotal:       32 kB\nMemFree:  1 kB\nMemAvailable:   19389748 kB\nBuffers: 3 kB\n";
        assert_eq!(of_system(text), Some(19_389_748 * 1024));
        assert_eq!(of_system("MemTotal: 3 kB\n"), None);
        assert_eq!(of_system("MemAvailable: much kB\n"), None);
        assert_eq!(of_group("0::"), of_group("0::/"));
        assert_eq!(of_group("3:cpuset:/"), None);
        assert_eq!(of_group("nonsense"), None);
    }
}
