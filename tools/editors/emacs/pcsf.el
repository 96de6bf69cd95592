;;; pcsf.el --- Capsules and ABNF grammars, by `pcsf lsp'  -*- lexical-binding: t -*-

;; Emacs 29 brings eglot; before that it is the package `eglot'.  Load this file, and
;; capsules and grammars are checked as they are typed.

;;; Code:

(require 'eglot)

(define-derived-mode pcsf-mode text-mode "PCSF"
  "Capsules of cognitive state.")

(define-derived-mode pcsf-abnf-mode prog-mode "ABNF"
  "Grammars in augmented Backus-Naur form."
  (setq-local comment-start "; "))

(add-to-list 'auto-mode-alist '("\\.pcsf\\'" . pcsf-mode))
(add-to-list 'auto-mode-alist '("\\.abnf\\'" . pcsf-abnf-mode))

(defvar pcsf-command '("pcsf" "lsp")
  "How the language server is started.")

(add-to-list 'eglot-server-programs
             (cons '(pcsf-mode pcsf-abnf-mode) (lambda (&rest _) pcsf-command)))
(add-hook 'pcsf-mode-hook #'eglot-ensure)
(add-hook 'pcsf-abnf-mode-hook #'eglot-ensure)

(defun pcsf-fix-all ()
  "Mend all that is safe to mend in this capsule."
  (interactive)
  (mapc (lambda (action) (eglot--apply-workspace-edit (plist-get action :edit)))
        (eglot-code-actions (point-min) (point-max) "source.fixAll.pcsf")))

(provide 'pcsf)
;;; pcsf.el ends here
