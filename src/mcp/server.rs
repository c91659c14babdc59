//! The requests of the protocol that concern tools.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, CustomRequest, CustomResult, ErrorCode,
    ErrorData, Implementation, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig,
    SubscriptionFilter,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{RoleServer, ServerHandler};

use crate::mcp::state::State;
use crate::mcp::{call, tools};
use crate::trouble::Trouble;

/// How long a client may take the list of tools as it is, in milliseconds.
const FRESH_MS: u64 = 5_000;
/// What a model should know before it calls anything.
const INSTRUCTIONS: &str = "Each tool that is not listed here runs one macro of this machine and answers with the document of its run: \
    `success`, `output`, and when it fails `error`, `error_code` and `hint`. A failed run says what it did in `steps`. \
    `macros_search` finds macros by words, `macro_check` says what is wrong with a macro's text without running it, `screen_capture` \
    shows the screen, and `run_status` tells what this server runs and has run.";

/// A session with one client.
pub struct Server(pub Arc<State>);

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_tool_list_changed().build();
        let own = Implementation::new("macrocli", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(capabilities).with_server_info(own).with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let catalogue = self.0.fresh().await.map_err(internal)?;
        let macros = catalogue.entries.values().map(|entry| entry.tool.clone());
        let mut list = ListToolsResult::with_all_items(tools::list().into_iter().chain(macros).collect());
        if context.protocol_version().is_some_and(|version| !version.has_initialize()) {
            (list.ttl_ms, list.cache_scope) = (Some(FRESH_MS), Some(CacheScope::Private));
        }
        Ok(list)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let name = request.name.as_ref();
        if let Some(result) = tools::call(&self.0, name, request.arguments.as_ref()).await {
            return Ok(result.into());
        }
        self.run(request, context).await.map(CallToolResponse::from)
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        // A method that exists arrives here when its parameters have the wrong shape.
        if ["tools/call", "tools/list", "subscriptions/listen"].contains(&request.method.as_str()) {
            return Err(ErrorData::invalid_params(
                format!("the parameters of `{}` have the wrong shape", request.method),
                None,
            ));
        }
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, format!("there is no method `{}`", request.method), None))
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        if self.0.tells.swap(true, Ordering::Relaxed) {
            return;
        }
        let mut changes = self.0.changes();
        while changes.changed().await.is_ok() && context.peer.notify_tool_list_changed().await.is_ok() {}
    }

    fn accepted_subscription_filter(&self, _requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(SubscriptionFilter::builder().tools_list_changed().build())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let mut changes = self.0.changes();
        loop {
            // The sender is dropped when the server ends.
            let changed = tokio::select! {
                changed = changes.changed() => changed.is_ok(),
                () = context.cancelled() => false,
            };
            if !changed || context.sink().notify_tool_list_changed().await.is_err() {
                return Ok(());
            }
        }
    }
}

impl Server {
    async fn run(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        let name = request.name.as_ref();
        let mut catalogue = self.0.known().await.map_err(internal)?;
        if !catalogue.entries.contains_key(name) {
            // It may be newer than the list.
            catalogue = self.0.fresh().await.map_err(internal)?;
        }
        let Some(entry) = catalogue.entries.get(name) else {
            let known = catalogue.entries.keys().map(String::as_str).chain(tools::RESERVED.iter().copied());
            let near = spec::grammar::nearest::nearest(name, known);
            let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            return Err(ErrorData::invalid_params(format!("unknown tool `{name}`{hint}"), None));
        };
        Ok(call::call(&self.0, entry, request.arguments, &context).await)
    }
}

fn internal(trouble: Trouble) -> ErrorData {
    ErrorData::internal_error(trouble.message, None)
}
