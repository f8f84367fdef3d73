//! What may be asked for: by this machine's own page, and nothing but reading.

use axum::extract::Request;
use axum::http::{HeaderMap, Method, StatusCode, header};

const LONGEST_PATH: usize = 512;

/// A range of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// From one to another (both included), or to the end.
    From(u64, Option<u64>),
    /// The last ones.
    Last(u64),
}

impl Range {
    /// A range, where it is one of those that are answered; others may be ignored.
    pub fn read(given: &str) -> Option<Self> {
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

/// The one value that a header has, if it is there: whoever is in between may have read the other one of two.
fn one(headers: &HeaderMap, name: header::HeaderName) -> Result<Option<&str>, StatusCode> {
    let mut found = headers.get_all(name).iter();
    match (found.next(), found.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value
            .to_str()
            .map(Some)
            .map_err(|_| StatusCode::BAD_REQUEST),
        _ => Err(StatusCode::BAD_REQUEST),
    }
}

/// Whether a request may be answered; the status to refuse it with otherwise. A name that leads here by a trick of the
/// name server (DNS rebinding) is in `Host`, a foreign page in `Origin`.
pub fn check(request: &Request, port: u16) -> Result<(), StatusCode> {
    let headers = request.headers();
    let own = |host: &str| is_own(host, port);
    match one(headers, header::HOST)? {
        Some(host) if own(host) => (),
        _ => return Err(StatusCode::MISDIRECTED_REQUEST),
    }
    if let Some(origin) = one(headers, header::ORIGIN)?
        && !origin.strip_prefix("http://").is_some_and(own)
    {
        return Err(StatusCode::FORBIDDEN);
    }
    let site = header::HeaderName::from_static("sec-fetch-site");
    if matches!(one(headers, site)?, Some("cross-site" | "same-site")) {
        return Err(StatusCode::FORBIDDEN);
    }
    let length = one(headers, header::CONTENT_LENGTH)?;
    if length.is_some_and(|length| length.trim() != "0")
        || headers.contains_key(header::TRANSFER_ENCODING)
    {
        return Err(StatusCode::PAYLOAD_TOO_LARGE);
    }
    if ![Method::GET, Method::HEAD].contains(request.method()) {
        return Err(StatusCode::METHOD_NOT_ALLOWED);
    }
    // For this server, and not for another one by way of it.
    if request.uri().authority().is_some() {
        return Err(StatusCode::BAD_REQUEST);
    }
    plain(request.uri().path())
}

/// Whether a host is this server by one of its own names.
fn is_own(host: &str, port: u16) -> bool {
    let Some((name, its)) = host.rsplit_once(':') else {
        return false;
    };
    let known = ["127.0.0.1", "localhost"].contains(&name.to_ascii_lowercase().as_str());
    known && its.parse() == Ok(port)
}

/// A path has only plain letters, and nothing that leads elsewhere.
fn plain(path: &str) -> Result<(), StatusCode> {
    if path.len() > LONGEST_PATH {
        return Err(StatusCode::URI_TOO_LONG);
    }
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-".contains(&byte);
    if !path.bytes().all(plain) || path.split('/').any(|part| part == "..") {
        return Err(StatusCode::NOT_FOUND);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;

    fn ask(method: &str, path: &str, headers: &[(&str, &str)]) -> Result<(), u16> {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Body::empty()).expect("a request");
        check(&request, 4321).map_err(|status| status.as_u16())
    }

    const HOST: (&str, &str) = ("Host", "127.0.0.1:4321");

    #[test]
    fn own_pages_are_answered() {
        assert_eq!(ask("GET", "/assets/page.js?x=1", &[HOST]), Ok(()));
        let local = ("Host", "LOCALHOST:4321");
        let origin = ("Origin", "http://localhost:4321");
        assert_eq!(ask("HEAD", "/", &[local, origin]), Ok(()));
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
            assert_eq!(ask("GET", "/", &[("Host", host)]), Err(421), "{host}");
        }
        assert_eq!(ask("GET", "/", &[]), Err(421));
        let twice = [HOST, ("Host", "evil.example:4321")];
        assert_eq!(ask("GET", "/", &twice), Err(400));
        for origin in ["http://evil.example", "https://127.0.0.1:4321", "null"] {
            let refused = ask("GET", "/", &[HOST, ("Origin", origin)]);
            assert_eq!(refused, Err(403), "{origin}");
        }
        let foreign = ("Sec-Fetch-Site", "cross-site");
        assert_eq!(ask("GET", "/", &[HOST, foreign]), Err(403));
        assert_eq!(ask("GET", "http://evil.example/", &[HOST]), Err(400));
    }

    #[test]
    fn nothing_is_written_and_no_path_leads_elsewhere() {
        for method in ["POST", "PUT", "DELETE", "OPTIONS", "CONNECT"] {
            assert_eq!(ask(method, "/", &[HOST]), Err(405), "{method}");
        }
        for path in ["/../etc/passwd", "/a/../b", "/%2e%2e/x", "/a:b"] {
            assert_eq!(ask("GET", path, &[HOST]), Err(404), "{path}");
        }
        assert_eq!(ask("GET", &"/a".repeat(300), &[HOST]), Err(414));
        assert_eq!(ask("GET", "/", &[HOST, ("Content-Length", "5")]), Err(413));
        let chunks = ("Transfer-Encoding", "chunked");
        assert_eq!(ask("GET", "/", &[HOST, chunks]), Err(413));
    }

    #[test]
    fn ranges_stay_within_the_file() {
        assert_eq!(Range::read("bytes=0-9"), Some(Range::From(0, Some(9))));
        assert_eq!(Range::read("bytes=5-"), Some(Range::From(5, None)));
        assert_eq!(Range::read("bytes=-8"), Some(Range::Last(8)));
        for ignored in [
            "bytes=9-0",
            "bytes=a-b",
            "lines=1-2",
            "bytes=0-1,3-4",
            "bytes=-",
        ] {
            assert_eq!(Range::read(ignored), None, "{ignored}");
        }
        assert_eq!(Range::From(2, Some(4)).within(10), Some((2, 3)));
        assert_eq!(Range::From(2, Some(u64::MAX)).within(10), Some((2, 8)));
        assert_eq!(Range::From(10, None).within(10), None);
        assert_eq!(Range::Last(20).within(10), Some((0, 10)));
        assert_eq!(Range::Last(1).within(0), None);
    }
}
