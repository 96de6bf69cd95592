// Starts `pcsf lsp` and lets it speak; all that is known of the formats is known there.

const { workspace } = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

function activate() {
  const [command, ...args] = workspace.getConfiguration("pcsf").get("command");
  const run = { command, args, transport: TransportKind.stdio };
  client = new LanguageClient("pcsf", "PCSF", run, {
    documentSelector: [{ language: "pcsf" }, { language: "abnf" }],
  });
  return client.start();
}

function deactivate() {
  return client && client.stop();
}

module.exports = { activate, deactivate };
