;;; What a writer does, done in a real Emacs; the outcome is printed as JSON.  -*- lexical-binding: t -*-
;; Arguments by environment: PCSF_PYTHON, PCSF_LISP, PCSF_CAPSULE, PCSF_GRAMMAR, PCSF_OUTCOME.

(load (getenv "PCSF_LISP"))
(require 'json)
(setq pcsf-command (list (getenv "PCSF_PYTHON") "-m" "pcsf_lark" "lsp")
      eglot-connect-timeout 60
      eglot-sync-connect 60
      eglot-confirm-server-initiated-edits nil)

(defun codes ()
  "The codes of the findings, once there are any."
  (let ((left 300))
    (while (and (> left 0) (null (flymake-diagnostics)))
      (flymake-start)
      (accept-process-output nil 0.1)
      (setq left (1- left))))
  (vconcat (mapcar (lambda (one)
                     (let ((text (flymake-diagnostic-text one)))
                       (and (string-match "\\[\\([A-Z][0-9]+\\)\\]" text) (match-string 1 text))))
                   (flymake-diagnostics))))

(defun text () (buffer-substring-no-properties (point-min) (point-max)))

(let (outcome)
  (find-file (getenv "PCSF_CAPSULE"))
  (call-interactively 'eglot)
  (push (cons 'findings (codes)) outcome)
  (pcsf-fix-all)
  (push (cons 'fixed (text)) outcome)
  (eglot-format-buffer)
  (push (cons 'formatted (text)) outcome)
  (set-buffer-modified-p nil)
  (find-file (getenv "PCSF_GRAMMAR"))
  (push (cons 'grammar (codes)) outcome)
  (goto-char (point-min))
  (search-forward "Other")
  (backward-char 2)
  (eglot-rename "thing")
  (push (cons 'renamed (text)) outcome)
  (set-buffer-modified-p nil)
  (let ((coding-system-for-write 'utf-8))
    (write-region (json-encode outcome) nil (getenv "PCSF_OUTCOME"))))
