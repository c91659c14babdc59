//! The way messages come and go, with the bounds a client must keep.

use std::pin::Pin;

use rmcp::RoleServer;
use rmcp::model::{ClientNotification, ErrorCode, ErrorData, GetExtensions, JsonRpcMessage, ServerJsonRpcMessage};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio_util::sync::CancellationToken;

use crate::mcp::unanswered::{IN_FLIGHT, Refused, Unanswered};

/// A transport that answers by itself what is too much, tells when the client has gone away, and lets nothing through that would end
/// the session before it has begun.
pub struct BoundedTransport<T> {
    inner: T,
    closing: CancellationToken,
    /// Whether a request has come.
    opened: bool,
    unanswered: Unanswered,
    /// An answer of our own on its way: whoever waits for a message may stop waiting in the middle of it.
    answering: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
}

impl<T> BoundedTransport<T> {
    /// Guards a transport; `closing` is cancelled when the client has gone away.
    pub fn new(inner: T, closing: CancellationToken) -> Self {
        Self { inner, closing, opened: false, unanswered: Unanswered::default(), answering: None }
    }

    /// Why a message is not passed on, when it is not: with the answer it gets, if it gets one.
    fn refuse(&mut self, message: &mut RxJsonRpcMessage<RoleServer>) -> Option<Option<ServerJsonRpcMessage>> {
        match message {
            JsonRpcMessage::Request(request) => {
                self.opened = true;
                match self.unanswered.begin(&request.id) {
                    Ok(work) => {
                        // It lies with the request until whoever works on that is done.
                        request.request.extensions_mut().insert(work);
                        None
                    }
                    Err(Refused::TooMany) => Some(Some(ServerJsonRpcMessage::error(
                        ErrorData::new(ErrorCode::INTERNAL_ERROR, format!("more than {IN_FLIGHT} requests wait"), None),
                        Some(request.id.clone()),
                    ))),
                    // An answer by this id belongs to the earlier request.
                    Err(Refused::SameId) => Some(Some(ServerJsonRpcMessage::error(
                        ErrorData::invalid_request("a request with this id is not answered yet", None),
                        None,
                    ))),
                }
            }
            JsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) = &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.unanswered.cancel(id);
                }
                (!self.opened).then_some(None)
            }
            JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => (!self.opened).then_some(None),
        }
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for BoundedTransport<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let answered = match &item {
            JsonRpcMessage::Response(response) => Some(&response.id),
            JsonRpcMessage::Error(error) => error.id.as_ref(),
            JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => None,
        };
        if let Some(id) = answered {
            self.unanswered.answer(id);
        }
        self.inner.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            // A client that does not read its answers is not read either.
            if let Some(answering) = &mut self.answering {
                answering.await;
                self.answering = None;
            }
            let Some(mut message) = self.inner.receive().await else {
                self.closing.cancel();
                return None;
            };
            match self.refuse(&mut message) {
                None => return Some(message),
                Some(None) => {}
                Some(Some(answer)) => {
                    let sending = self.inner.send(answer);
                    self.answering = Some(Box::pin(async move { drop(sending.await) }));
                }
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.closing.cancel();
        self.inner.close().await
    }
}
