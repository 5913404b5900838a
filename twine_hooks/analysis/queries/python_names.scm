; What decides which files a Python file imports, and what others can import from it: a part of
; python.scm, for graphs that need no more.

(class_definition name: (identifier) @name) @definition.class
(function_definition name: (identifier) @name) @definition.function @scope
(assignment left: (identifier)) @assigned
(assignment left: (pattern_list (identifier) @unpacked))
(type_alias_statement) @definition.type

(import_statement) @import
(import_from_statement) @import

(block) @block
(comment) @comment
(string) @verbatim
(interpolation) @interpolation
