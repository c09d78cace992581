//! HTTP/1.1 on the loopback: a server for a handler, and one request with a streaming answer.

use std::error::Error;
use std::net::{Ipv4Addr, SocketAddr};

use futures_util::{StreamExt, stream};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Bytes, Frame, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

/// The body of an answer. An error in it breaks the connection.
pub type Body = UnsyncBoxBody<Bytes, Failure>;

/// Whatever goes wrong; the examples end with it.
pub type Failure = Box<dyn Error + Send + Sync>;

/// Answers requests with `handler`, on a free port, until the runtime ends.
///
/// # Errors
/// The port cannot be opened.
pub async fn serve<H, A>(handler: H) -> Result<SocketAddr, Failure>
where
    H: Fn(Request<Incoming>) -> A + Clone + Send + 'static,
    A: Future<Output = Result<Response<Body>, Failure>> + Send + 'static,
{
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            let service = service_fn(handler.clone());
            tokio::spawn(hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(socket), service));
        }
    });
    Ok(address)
}

/// Posts `body`. The answer's body is read by the caller, as it comes.
///
/// # Errors
/// There is no connection, or no answer.
pub async fn post(address: SocketAddr, path: &str, body: String) -> Result<Response<Incoming>, Failure> {
    let socket = TcpStream::connect(address).await?;
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(socket)).await?;
    tokio::spawn(connection);
    let request = Request::post(path).header("host", address.to_string()).body(Full::new(Bytes::from(body)))?;
    Ok(sender.send_request(request).await?)
}

/// An event stream of these pieces, each sent as one chunk of the transfer coding.
pub fn event_stream(pieces: Vec<Result<Bytes, Failure>>) -> Response<Body> {
    // A piece of data is sent when the next is asked for: what comes before an error is on its way.
    let frames = stream::iter(pieces).then(|piece| async {
        tokio::task::yield_now().await;
        piece.map(Frame::data)
    });
    with_type(StreamBody::new(frames).boxed_unsync())
}

/// An event stream of what the channel yields.
pub fn event_channel(mut pieces: mpsc::Receiver<Result<Bytes, Failure>>) -> Response<Body> {
    let frames = stream::poll_fn(move |context| {
        pieces.poll_recv(context).map(|piece| piece.map(|piece| piece.map(Frame::data)))
    });
    with_type(StreamBody::new(frames).boxed_unsync())
}

/// A plain answer.
pub fn answer(status: StatusCode, text: &str) -> Response<Body> {
    let mut response =
        Response::new(Full::new(Bytes::from(text.to_owned())).map_err(|never| match never {}).boxed_unsync());
    *response.status_mut() = status;
    response
}

fn with_type(body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    response.headers_mut().insert("content-type", hyper::header::HeaderValue::from_static("text/event-stream"));
    response
}
