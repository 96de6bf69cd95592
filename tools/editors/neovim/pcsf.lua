-- Capsules and ABNF grammars in Neovim, 0.7 or newer: `require("pcsf").setup()`.
-- Put this file into a folder `lua` of the runtime path, such as ~/.config/nvim/lua.

local M = {}

-- Options: cmd, how the server is started; fix_on_save, whether what is safe to mend is mended
-- when a capsule is written; lenses, whether the bytes that are left are shown.
local defaults = { cmd = { "pcsf", "lsp" }, fix_on_save = false, lenses = true }

-- Show the bytes that are left, now and after every change. Before the server is there nothing
-- may be asked: the first answer would be waited for for ever.
local function show_lenses(buffer)
  pcall(vim.lsp.codelens.refresh)
  vim.api.nvim_create_autocmd({ "BufEnter", "InsertLeave", "TextChanged" }, {
    group = vim.api.nvim_create_augroup("pcsf-lenses-" .. buffer, { clear = true }),
    buffer = buffer,
    callback = function()
      pcall(vim.lsp.codelens.refresh)
    end,
  })
end

-- Start the server for a buffer, or attach the one that runs.
local function start(buffer, options)
  local config = {
    name = "pcsf",
    cmd = options.cmd,
    root_dir = vim.fn.getcwd(),
    on_attach = function(_, attached)
      if options.lenses and vim.bo[attached].filetype == "pcsf" then
        show_lenses(attached)
      end
    end,
  }
  if vim.lsp.start then
    return vim.lsp.start(config, { bufnr = buffer })
  end
  M.client = M.client or vim.lsp.start_client(config)
  vim.lsp.buf_attach_client(buffer, M.client)
  return M.client
end

-- Mend all that is safe to mend, and wait until it is done.
function M.fix_all(buffer)
  buffer = buffer or vim.api.nvim_get_current_buf()
  local last = vim.api.nvim_buf_line_count(buffer)
  local params = {
    textDocument = { uri = vim.uri_from_bufnr(buffer) },
    range = { start = { line = 0, character = 0 }, ["end"] = { line = last, character = 0 } },
    context = { diagnostics = {}, only = { "source.fixAll" } },
  }
  local answers = vim.lsp.buf_request_sync(buffer, "textDocument/codeAction", params, 2000)
  for _, answer in pairs(answers or {}) do
    for _, action in ipairs(answer.result or {}) do
      vim.lsp.util.apply_workspace_edit(action.edit, "utf-16")
    end
  end
end

function M.setup(given)
  local options = vim.tbl_extend("force", defaults, given or {})
  local group = vim.api.nvim_create_augroup("pcsf", { clear = true })
  local function on(events, pattern, callback)
    vim.api.nvim_create_autocmd(events, { group = group, pattern = pattern, callback = callback })
  end
  for _, kind in ipairs({ "pcsf", "abnf" }) do
    on({ "BufRead", "BufNewFile" }, "*." .. kind, function(event)
      vim.api.nvim_buf_set_option(event.buf, "filetype", kind)
    end)
  end
  on("FileType", { "pcsf", "abnf" }, function(event)
    start(event.buf, options)
  end)
  if options.fix_on_save then
    on("BufWritePre", "*.pcsf", function(event)
      M.fix_all(event.buf)
    end)
  end
end

return M
