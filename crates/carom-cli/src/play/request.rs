//! What is asked for, if it may be.

use std::io::{ErrorKind, Read};

/// The most bytes of a request's head.
pub const LONGEST_HEAD: usize = 16 << 10;
const MOST_HEADERS: usize = 64;
const LONGEST_PATH: usize = 512;

/// A request that is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Without the first slash and the query, decoded.
    pub path: String,
    /// Whether only the head of the answer is wanted.
    pub head_only: bool,
    /// The bytes that are wanted.
    pub range: Option<Range>,
}

/// A range of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// From one to another (both included), or to the end.
    From(u64, Option<u64>),
    /// The last ones.
    Last(u64),
}

impl Range {
    /// The first byte and the number of bytes, in a file of that length; `None` where there is nothing.
    pub fn within(self, length: u64) -> Option<(u64, u64)> {
        match self {
            Range::From(first, last) => {
                let end = last.map_or(length, |last| last.saturating_add(1).min(length));
                (first < end).then(|| (first, end - first))
            }
            Range::Last(count) => {
                let count = count.min(length);
                (count > 0).then(|| (length - count, count))
            }
        }
    }
}

/// A status to refuse with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal(pub u16, pub &'static str);

const BAD: Refusal = Refusal(400, "Bad Request");
const FORBIDDEN: Refusal = Refusal(403, "Forbidden");

/// Reads the head of a request; `None` where the other side has gone.
pub fn read_head(from: &mut impl Read) -> Result<Option<Vec<u8>>, Refusal> {
    let mut head = Vec::new();
    let mut piece = [0; 2048];
    loop {
        match from.read(&mut piece) {
            Ok(0) if head.is_empty() => return Ok(None),
            Ok(0) => return Err(BAD),
            Ok(count) => head.extend_from_slice(&piece[..count]),
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => return Err(Refusal(408, "Request Timeout")),
        }
        if head.windows(4).any(|end| end == b"\r\n\r\n") {
            return Ok(Some(head));
        }
        if head.len() > LONGEST_HEAD {
            return Err(Refusal(431, "Request Header Fields Too Large"));
        }
    }
}

/// What a head asks for, where it comes from this machine's own page: a name that leads here by a trick of the name
/// server (DNS rebinding) is in `Host`, a foreign page in `Origin`.
pub fn parse(head: &[u8], port: u16) -> Result<Request, Refusal> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    match parsed.parse(head) {
        Ok(httparse::Status::Complete(_)) => (),
        Ok(httparse::Status::Partial) => return Err(BAD),
        Err(httparse::Error::TooManyHeaders) => {
            return Err(Refusal(431, "Request Header Fields Too Large"));
        }
        Err(_) => return Err(BAD),
    }
    let header = |name: &str| {
        let mut found = parsed
            .headers
            .iter()
            .filter(|header| header.name.eq_ignore_ascii_case(name));
        match (found.next(), found.next()) {
            (None, _) => Ok(None),
            (Some(one), None) => std::str::from_utf8(one.value).map(Some).map_err(|_| BAD),
            // Twice: whoever is in between may have read the other one.
            _ => Err(BAD),
        }
    };
    let own = |host: &str| is_own(host, port);
    match header("host")? {
        Some(host) if own(host) => (),
        _ => return Err(Refusal(421, "Misdirected Request")),
    }
    if let Some(origin) = header("origin")?
        && !origin.strip_prefix("http://").is_some_and(own)
    {
        return Err(FORBIDDEN);
    }
    if matches!(header("sec-fetch-site")?, Some("cross-site" | "same-site")) {
        return Err(FORBIDDEN);
    }
    let has_body = header("content-length")?.is_some_and(|length| length.trim() != "0")
        || header("transfer-encoding")?.is_some();
    if has_body {
        return Err(Refusal(413, "Content Too Large"));
    }
    let head_only = match parsed.method {
        Some("GET") => false,
        Some("HEAD") => true,
        _ => return Err(Refusal(405, "Method Not Allowed")),
    };
    Ok(Request {
        path: path(parsed.path.unwrap_or_default())?,
        head_only,
        range: header("range")?.and_then(range),
    })
}

/// Whether a host is this server by one of its own names.
fn is_own(host: &str, port: u16) -> bool {
    let Some((name, its)) = host.rsplit_once(':') else {
        return false;
    };
    let known = ["127.0.0.1", "localhost"].contains(&name.to_ascii_lowercase().as_str());
    known && its.parse() == Ok(port)
}

/// A path without its first slash and its query; only plain letters, and nothing that leads elsewhere.
fn path(given: &str) -> Result<String, Refusal> {
    let path = given.split(['?', '#']).next().unwrap_or_default();
    let path = path.strip_prefix('/').ok_or(BAD)?;
    if path.len() > LONGEST_PATH {
        return Err(Refusal(414, "URI Too Long"));
    }
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-".contains(&byte);
    if !path.bytes().all(plain) || path.split('/').any(|part| part == "..") {
        return Err(Refusal(404, "Not Found"));
    }
    Ok(path.to_owned())
}

/// A range, where it is one of those that are answered; others may be ignored.
fn range(given: &str) -> Option<Range> {
    let (first, last) = given.trim().strip_prefix("bytes=")?.split_once('-')?;
    match (first.trim(), last.trim()) {
        ("", last) => Some(Range::Last(last.parse().ok()?)),
        (first, "") => Some(Range::From(first.parse().ok()?, None)),
        (first, last) => {
            let (first, last) = (first.parse().ok()?, last.parse().ok()?);
            (first <= last).then_some(Range::From(first, Some(last)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(lines: &str) -> Result<Request, Refusal> {
        let head = format!("{}\r\n\r\n", lines.replace('\n', "\r\n"));
        parse(head.as_bytes(), 4321)
    }

    #[test]
    fn own_pages_are_answered() {
        let asked = ask("GET /assets/page.js?x=1 HTTP/1.1\nHost: 127.0.0.1:4321").unwrap();
        assert_eq!(
            (asked.path.as_str(), asked.head_only),
            ("assets/page.js", false)
        );
        let asked = ask("HEAD / HTTP/1.1\nHost: LOCALHOST:4321\nOrigin: http://localhost:4321");
        assert!(asked.unwrap().head_only);
    }

    #[test]
    fn foreign_hosts_and_origins_are_refused() {
        for host in [
            "evil.example:4321",
            "127.0.0.1",
            "127.0.0.1:80",
            "127.0.0.1.evil.example:4321",
            "",
        ] {
            let refused = ask(&format!("GET / HTTP/1.1\nHost: {host}")).unwrap_err();
            assert_eq!(refused.0, 421, "{host}");
        }
        assert_eq!(ask("GET / HTTP/1.1").unwrap_err().0, 421);
        let twice = "GET / HTTP/1.1\nHost: 127.0.0.1:4321\nHost: evil.example:4321";
        assert_eq!(ask(twice).unwrap_err().0, 400);
        for origin in ["http://evil.example", "https://127.0.0.1:4321", "null"] {
            let refused = ask(&format!(
                "GET / HTTP/1.1\nHost: 127.0.0.1:4321\nOrigin: {origin}"
            ));
            assert_eq!(refused.unwrap_err().0, 403, "{origin}");
        }
        let foreign = "GET / HTTP/1.1\nHost: 127.0.0.1:4321\nSec-Fetch-Site: cross-site";
        assert_eq!(ask(foreign).unwrap_err().0, 403);
    }

    #[test]
    fn nothing_is_written_and_no_path_leads_elsewhere() {
        for method in ["POST", "PUT", "DELETE", "OPTIONS", "CONNECT"] {
            let refused = ask(&format!("{method} / HTTP/1.1\nHost: 127.0.0.1:4321"));
            assert_eq!(refused.unwrap_err().0, 405, "{method}");
        }
        for path in ["/../etc/passwd", "/a/../b", "/%2e%2e/x", "/a\\b", "/a:b"] {
            let refused = ask(&format!("GET {path} HTTP/1.1\nHost: 127.0.0.1:4321"));
            assert_eq!(refused.unwrap_err().0, 404, "{path}");
        }
        let body = "GET / HTTP/1.1\nHost: 127.0.0.1:4321\nContent-Length: 5";
        assert_eq!(ask(body).unwrap_err().0, 413);
    }

    #[test]
    fn ranges_stay_within_the_file() {
        assert_eq!(range("bytes=0-9"), Some(Range::From(0, Some(9))));
        assert_eq!(range("bytes=5-"), Some(Range::From(5, None)));
        assert_eq!(range("bytes=-8"), Some(Range::Last(8)));
        for ignored in [
            "bytes=9-0",
            "bytes=a-b",
            "lines=1-2",
            "bytes=0-1,3-4",
            "bytes=-",
        ] {
            assert_eq!(range(ignored), None, "{ignored}");
        }
        assert_eq!(Range::From(2, Some(4)).within(10), Some((2, 3)));
        assert_eq!(Range::From(2, Some(u64::MAX)).within(10), Some((2, 8)));
        assert_eq!(Range::From(10, None).within(10), None);
        assert_eq!(Range::Last(20).within(10), Some((0, 10)));
        assert_eq!(Range::Last(1).within(0), None);
    }
}
