//! Answers, one thread for each connection, and limits for all of it.

use super::PAGE;
use super::request::{self, Refusal, Request};
use super::source::Source;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// More connections at once are closed.
const MOST_CONNECTIONS: usize = 64;
/// For as long as the other side may be silent.
const PATIENCE: Duration = Duration::from_secs(10);

/// What the page may do: its own scripts, workers, styles and pictures, and WebAssembly; nothing from anywhere else.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob: data:; media-src blob:; connect-src 'self'; worker-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// What is sent.
enum Content<'s> {
    Bytes(&'s [u8]),
    Owned(Vec<u8>),
    File(File, u64),
}

/// Answers until the process ends.
pub fn serve(listener: &TcpListener, source: Source, port: u16) {
    let source = Arc::new(source);
    let open = Arc::new(AtomicUsize::new(0));
    for stream in listener.incoming() {
        let Ok(stream) = stream else {
            // Out of file descriptors, or gone again: others may come.
            std::thread::sleep(Duration::from_millis(20));
            continue;
        };
        if open.fetch_add(1, Ordering::SeqCst) >= MOST_CONNECTIONS {
            open.fetch_sub(1, Ordering::SeqCst);
            continue;
        }
        let (source, counted) = (Arc::clone(&source), Arc::clone(&open));
        let answered = std::thread::Builder::new().spawn(move || {
            // Whoever goes away in the middle of an answer does not want it.
            let _ = answer(stream, &source, port);
            counted.fetch_sub(1, Ordering::SeqCst);
        });
        if answered.is_err() {
            open.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

fn answer(mut stream: TcpStream, source: &Source, port: u16) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let head = match request::read_head(&mut stream) {
        Ok(Some(head)) => head,
        Ok(None) => return Ok(()),
        Err(refusal) => return refuse(&mut stream, refusal),
    };
    match request::parse(&head, port) {
        Ok(request) => match find(source, &request.path) {
            Some((content, kind)) => send(&mut stream, &request, content, kind),
            None => refuse(&mut stream, Refusal(404, "Not Found")),
        },
        Err(refusal) => refuse(&mut stream, refusal),
    }
}

/// What is under a path, and its type.
fn find<'s>(source: &Source, path: &str) -> Option<(Content<'s>, &'static str)> {
    if path == "served/scene.json" {
        return Some((Content::Owned(source.scene()?), "application/json"));
    }
    if let Some(name) = path.strip_prefix("served/run/") {
        let (file, length) = source.run_file(name)?;
        return Some((Content::File(file, length), content_type(name)));
    }
    let path = if path.is_empty() { "index.html" } else { path };
    let place = PAGE.binary_search_by_key(&path, |(name, _)| *name).ok()?;
    let bytes = PAGE[place].1;
    if path == "index.html" {
        // The page is told here what was served besides it, so that it need not ask.
        let text = String::from_utf8_lossy(bytes);
        let told = format!("name=\"carom-served\" content=\"{}\"", source.kind());
        let text = text.replacen("name=\"carom-served\" content=\"\"", &told, 1);
        return Some((Content::Owned(text.into_bytes()), content_type(path)));
    }
    Some((Content::Bytes(bytes), content_type(path)))
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "wasm" => "application/wasm",
        "json" => "application/json",
        "toml" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

fn headers(status: u16, reason: &str, kind: &str, length: u64, more: &str) -> String {
    format!(
        "HTTP/1.1 {status} {reason}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n{more}\
         Content-Security-Policy: {POLICY}\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
         Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Resource-Policy: same-origin\r\n\
         Cache-Control: no-cache\r\nAccept-Ranges: bytes\r\nConnection: close\r\n\r\n"
    )
}

fn refuse(stream: &mut TcpStream, Refusal(status, reason): Refusal) -> io::Result<()> {
    let text = format!("{status} {reason}\n");
    let more = if status == 405 {
        "Allow: GET, HEAD\r\n"
    } else {
        ""
    };
    let head = headers(
        status,
        reason,
        "text/plain; charset=utf-8",
        text.len() as u64,
        more,
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(text.as_bytes())?;
    stream.flush()?;
    drain(stream)
}

fn send(
    stream: &mut TcpStream,
    request: &Request,
    content: Content<'_>,
    kind: &str,
) -> io::Result<()> {
    let length = match &content {
        Content::Bytes(bytes) => bytes.len() as u64,
        Content::Owned(bytes) => bytes.len() as u64,
        Content::File(_, length) => *length,
    };
    let (status, reason, first, count, more) = match request.range {
        None => (200, "OK", 0, length, String::new()),
        Some(range) => match range.within(length) {
            Some((first, count)) => {
                let last = first + count - 1;
                let more = format!("Content-Range: bytes {first}-{last}/{length}\r\n");
                (206, "Partial Content", first, count, more)
            }
            None => {
                let more = format!("Content-Range: bytes */{length}\r\n");
                let head = headers(416, "Range Not Satisfiable", kind, 0, &more);
                stream.write_all(head.as_bytes())?;
                return drain(stream);
            }
        },
    };
    let head = headers(status, reason, kind, count, &more);
    stream.write_all(head.as_bytes())?;
    if !request.head_only {
        let part = |bytes: &[u8]| bytes[first as usize..(first + count) as usize].to_vec();
        match content {
            Content::Bytes(bytes) => {
                stream.write_all(&bytes[first as usize..(first + count) as usize])?;
            }
            Content::Owned(bytes) => stream.write_all(&part(&bytes))?,
            Content::File(mut file, _) => {
                file.seek(SeekFrom::Start(first))?;
                io::copy(&mut file.take(count), stream)?;
            }
        }
    }
    stream.flush()?;
    drain(stream)
}

/// Ends a connection so that what was sent arrives: closing one with unread bytes would cut it off.
fn drain(stream: &mut TcpStream) -> io::Result<()> {
    stream.shutdown(std::net::Shutdown::Write)?;
    stream.set_read_timeout(Some(Duration::from_millis(200)))?;
    let mut rest = [0; 4096];
    for _ in 0..64 {
        match stream.read(&mut rest) {
            Ok(0) | Err(_) => break,
            Ok(_) => (),
        }
    }
    Ok(())
}
