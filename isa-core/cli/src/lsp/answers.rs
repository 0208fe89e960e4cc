//! Dispatches requests about a text to the functions that answer them.

use lsp_server::ErrorCode;
use serde_json::Value;

use super::document::Document;
use super::{Answer, Refusal, Server, complete, format, hover, labels, tokens};

impl Server<'_> {
    /// Answers a request in a running session.
    pub(super) fn answer(&self, method: &str, params: &Value) -> Answer {
        let encoding = self.encoding;
        let place = || {
            let document = self.document(params)?;
            let at = document.lines.byte(document.text(), &params["position"], encoding);
            Ok((document, at.ok_or_else(|| Refusal::parameter("position"))?))
        };
        let range = || {
            let document = self.document(params)?;
            let range = document.range(&params["range"], encoding);
            Ok((document, range.ok_or_else(|| Refusal::parameter("range"))?))
        };
        let uri = params["textDocument"]["uri"].as_str().unwrap_or_default();
        match method {
            "textDocument/completion" => {
                place().map(|(document, at)| complete::at(document, at, encoding))
            }
            "textDocument/hover" => place().map(|(document, at)| hover::at(document, at, encoding)),
            "textDocument/definition" => {
                place().map(|(document, at)| labels::definition(document, at, uri, encoding))
            }
            "textDocument/references" => place().map(|(document, at)| {
                let with_definition = params["context"]["includeDeclaration"] != false;
                labels::references(document, at, uri, with_definition, encoding)
            }),
            "textDocument/documentHighlight" => {
                place().map(|(document, at)| labels::highlights(document, at, encoding))
            }
            "textDocument/prepareRename" => {
                place().and_then(|(document, at)| labels::prepare_rename(document, at, encoding))
            }
            "textDocument/rename" => place().and_then(|(document, at)| {
                let name =
                    params["newName"].as_str().ok_or_else(|| Refusal::parameter("newName"))?;
                labels::rename(document, at, name, uri, encoding)
            }),
            "textDocument/documentSymbol" => {
                self.document(params).map(|document| labels::symbols(document, encoding))
            }
            "textDocument/formatting" => self
                .document(params)
                .map(|document| format::edits(document, 0..document.text().len(), encoding)),
            "textDocument/rangeFormatting" => {
                range().map(|(document, range)| format::edits(document, range, encoding))
            }
            "textDocument/semanticTokens/full" => self.document(params).map(|document| {
                let all = 0..document.text().len();
                tokens::of(document, all, &self.vocabulary, encoding)
            }),
            "textDocument/semanticTokens/range" => range()
                .map(|(document, range)| tokens::of(document, range, &self.vocabulary, encoding)),
            _ => Err(Refusal(ErrorCode::MethodNotFound, format!("unknown method `{method}`"))),
        }
    }

    /// Returns the text that a request refers to.
    fn document(&self, params: &Value) -> Result<&Document, Refusal> {
        let uri = params["textDocument"]["uri"].as_str();
        let uri = uri.ok_or_else(|| Refusal::parameter("textDocument"))?;
        let document = self.documents.get(uri);
        document.ok_or_else(|| {
            Refusal(ErrorCode::InvalidParams, format!("the text `{uri}` is not open"))
        })
    }
}
