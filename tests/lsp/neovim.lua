-- What a writer does, done in a real Neovim; the outcome goes into a file as JSON.
-- Arguments by environment: PCSF_PYTHON, PCSF_CAPSULE, PCSF_GRAMMAR, PCSF_OUTCOME.

local outcome = {}
local patience = 30000

local function lines()
  return vim.api.nvim_buf_get_lines(0, 0, -1, false)
end

local function told()
  local found = {}
  for _, one in ipairs(vim.diagnostic.get(0)) do
    table.insert(found, { code = one.code, line = one.lnum, column = one.col, upto = one.end_col })
  end
  return found
end

local function wait(what, condition)
  if not vim.wait(patience, condition, 20) then
    error("waited in vain for " .. what)
  end
end

local function ask(method, more)
  local params = vim.tbl_extend("force", vim.lsp.util.make_position_params(), more or {})
  for _, answer in pairs(vim.lsp.buf_request_sync(0, method, params, patience) or {}) do
    return answer.result or answer.err or answer.error
  end
end

local function format()
  if vim.lsp.buf.format then
    vim.lsp.buf.format({ timeout_ms = patience })
  else
    vim.lsp.buf.formatting_sync(nil, patience)
  end
end

local function work()
  local pcsf = require("pcsf")
  pcsf.setup({ cmd = { vim.env.PCSF_PYTHON, "-m", "pcsf_lark", "lsp" }, fix_on_save = true })

  vim.cmd("edit " .. vim.env.PCSF_CAPSULE)
  outcome.filetype = vim.bo.filetype
  wait("findings", function() return #vim.diagnostic.get(0) > 0 end)
  outcome.findings = told()
  vim.api.nvim_win_set_cursor(0, { 6, 2 })
  outcome.hover = ask("textDocument/hover").contents.value
  outcome.symbols = #ask("textDocument/documentSymbol")
  outcome.lenses = ask("textDocument/codeLens")[1].command.title

  pcsf.fix_all()
  outcome.fixed = lines()
  wait("findings gone", function() return #vim.diagnostic.get(0) < #outcome.findings end)
  outcome.left = told()

  -- A writer's own hand: the two letters that no safe fix touches.
  vim.cmd([[silent %s/“\|”/"/g]])
  vim.cmd([[silent %s/ 😀//g]])
  wait("no error", function()
    return #vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR }) == 0
  end)
  format()
  outcome.formatted = lines()
  vim.cmd([[silent %s/HIGH/high/]])
  vim.cmd("silent write")
  wait("no finding", function() return #vim.diagnostic.get(0) == 0 end)

  vim.cmd("edit " .. vim.env.PCSF_GRAMMAR)
  wait("findings", function() return #vim.diagnostic.get(0) > 0 end)
  outcome.grammar_findings = told()
  vim.api.nvim_win_set_cursor(0, { 2, 7 })
  outcome.definition = ask("textDocument/definition")[1].range.start.line
  vim.lsp.buf.rename("thing")
  wait("the new name", function() return lines()[3]:sub(1, 5) == "thing" end)
  outcome.renamed = lines()
end

local fine, reason = xpcall(work, debug.traceback)
outcome.error = not fine and reason or nil
local file = assert(io.open(vim.env.PCSF_OUTCOME, "w"))
file:write(vim.fn.json_encode(outcome))
file:close()
vim.cmd("qall!")
