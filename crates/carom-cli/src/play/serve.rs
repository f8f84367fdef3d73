//! Answers, and limits for all of it.

use super::PAGE;
use super::request::{self, Range};
use super::source::Source;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Path, Request, State};
use axum::http::header::{self, HeaderValue};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;
use tokio::fs::File;
use tokio::io::{AsyncReadExt, AsyncSeekExt, SeekFrom};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio_util::io::ReaderStream;

/// More connections at once are closed.
const MOST_CONNECTIONS: usize = 64;
/// The most bytes of a request's head.
const LONGEST_HEAD: usize = 16 << 10;
const MOST_HEADERS: usize = 64;
/// For as long as the head of a request may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// For as long as a connection may be open, whatever it is used for: whoever wants more comes again.
const LONGEST_CONNECTION: Duration = Duration::from_secs(600);
/// Files are read in pieces of so many bytes.
const PIECE: usize = 256 << 10;

/// What the page may do: its own scripts, workers, styles and pictures, and WebAssembly; nothing from anywhere else.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob: data:; media-src blob:; connect-src 'self'; worker-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Answers until the process ends.
pub fn serve(listener: TcpListener, source: Source, port: u16) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let router = Router::new()
        .route("/served/scene.json", get(scene))
        .route("/served/run/{*name}", get(run_file))
        .fallback(page_file)
        .layer(middleware::from_fn_with_state(port, guard))
        .with_state(Arc::new(source));
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let open = Arc::new(Semaphore::new(MOST_CONNECTIONS));
        loop {
            let Ok((stream, _)) = listener.accept().await else {
                // Out of file descriptors, or gone again: others may come.
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            };
            let Ok(permit) = Arc::clone(&open).try_acquire_owned() else {
                continue;
            };
            let router = router.clone();
            tokio::spawn(async move {
                connection(stream, router).await;
                drop(permit);
            });
        }
    })
}

async fn connection(stream: TcpStream, router: Router) {
    let requests = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .max_buf_size(LONGEST_HEAD)
        .max_headers(MOST_HEADERS)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    // Whoever goes away in the middle of an answer does not want it.
    let _ = tokio::time::timeout(LONGEST_CONNECTION, requests).await;
}

/// Refuses what may not be asked for, and says with every answer what the page may do.
async fn guard(State(port): State<u16>, request: Request, next: Next) -> Response {
    let mut response = match request::check(&request, port) {
        Ok(()) => next.run(request).await,
        Err(status) => refusal(status),
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-cache"),
        (header::ACCEPT_RANGES, "bytes"),
        (
            header::HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
        (
            header::HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// A status, and its name as the text.
fn refusal(status: StatusCode) -> Response {
    let mut response = (status, format!("{status}\n")).into_response();
    if status == StatusCode::METHOD_NOT_ALLOWED {
        let allowed = HeaderValue::from_static("GET, HEAD");
        response.headers_mut().insert(header::ALLOW, allowed);
    }
    response
}

fn not_found() -> Response {
    refusal(StatusCode::NOT_FOUND)
}

/// The scene that the command was given.
async fn scene(State(source): State<Arc<Source>>, asked: HeaderMap) -> Response {
    match source.scene() {
        Some(text) => bytes(&asked, text.into(), "application/json"),
        None => not_found(),
    }
}

/// A file of the page, which is in the command.
async fn page_file(State(source): State<Arc<Source>>, request: Request) -> Response {
    let path = request.uri().path().trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    let Ok(place) = PAGE.binary_search_by_key(&path, |(name, _)| *name) else {
        return not_found();
    };
    let content = PAGE[place].1;
    if path == "index.html" {
        // The page is told here what was served besides it, so that it need not ask.
        let told = format!("name=\"carom-served\" content=\"{}\"", source.kind());
        let text = String::from_utf8_lossy(content);
        let text = text.replacen("name=\"carom-served\" content=\"\"", &told, 1);
        return bytes(request.headers(), text.into(), content_type(path));
    }
    bytes(
        request.headers(),
        Bytes::from_static(content),
        content_type(path),
    )
}

/// A file of the one run folder, or a range of its bytes.
async fn run_file(
    State(source): State<Arc<Source>>,
    Path(name): Path<String>,
    asked: HeaderMap,
) -> Response {
    let Some((file, length)) = source.run_file(&name) else {
        return not_found();
    };
    let Some(part) = Part::asked(&asked, length) else {
        return nothing_there(length);
    };
    let mut file = File::from_std(file);
    if file.seek(SeekFrom::Start(part.first)).await.is_err() {
        return refusal(StatusCode::INTERNAL_SERVER_ERROR);
    }
    let pieces = ReaderStream::with_capacity(file.take(part.count), PIECE);
    part.answer(Body::from_stream(pieces), content_type(&name))
}

/// Bytes that are in memory, or a range of them.
fn bytes(asked: &HeaderMap, content: Bytes, kind: &'static str) -> Response {
    let length = content.len() as u64;
    let Some(part) = Part::asked(asked, length) else {
        return nothing_there(length);
    };
    let content = content.slice(part.first as usize..(part.first + part.count) as usize);
    part.answer(Body::from(content), kind)
}

/// The answer to a range that begins after the end.
fn nothing_there(length: u64) -> Response {
    let refused = refusal(StatusCode::RANGE_NOT_SATISFIABLE);
    with_range(refused, &format!("bytes */{length}"))
}

/// What is sent of a file.
struct Part {
    first: u64,
    count: u64,
    /// Of the whole file, bytes.
    length: u64,
    /// Whether a range was asked for.
    ranged: bool,
}

impl Part {
    /// The range that is asked for, or all; `None` where there is nothing in it.
    fn asked(asked: &HeaderMap, length: u64) -> Option<Self> {
        let range = asked.get(header::RANGE).and_then(|text| text.to_str().ok());
        let Some(range) = range.and_then(Range::read) else {
            return Some(Part {
                first: 0,
                count: length,
                length,
                ranged: false,
            });
        };
        let (first, count) = range.within(length)?;
        Some(Part {
            first,
            count,
            length,
            ranged: true,
        })
    }

    fn answer(&self, body: Body, kind: &'static str) -> Response {
        let mut response = Response::new(body);
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
        headers.insert(header::CONTENT_LENGTH, HeaderValue::from(self.count));
        if !self.ranged {
            return response;
        }
        *response.status_mut() = StatusCode::PARTIAL_CONTENT;
        let last = self.first + self.count - 1;
        with_range(
            response,
            &format!("bytes {}-{last}/{}", self.first, self.length),
        )
    }
}

fn with_range(mut response: Response, range: &str) -> Response {
    if let Ok(range) = HeaderValue::from_str(range) {
        response.headers_mut().insert(header::CONTENT_RANGE, range);
    }
    response
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
