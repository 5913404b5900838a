; What a C file says about itself. Capture names: CONTRIBUTING.md, "A language".
; Comments, strings, includes and names used are taken from the text (languages/c_text.py).

; definitions
(function_definition body: (_) @body) @definition.function @scope
(declaration) @definition.variable
(field_declaration) @definition.field
(type_definition) @definition.type
(struct_specifier name: (_) @name body: (_) @body) @definition.struct
(union_specifier name: (_) @name body: (_) @body) @definition.union
(enum_specifier name: (_) @name body: (_) @body) @definition.enum
(enumerator name: (_) @name) @definition.enumerator
(preproc_def name: (_) @name) @definition.macro
(preproc_function_def name: (_) @name) @definition.macro

; names declared, local ones too
(declaration declarator: (identifier) @name)
(init_declarator declarator: (identifier) @name)
(field_declaration declarator: (field_identifier) @name)
(parameter_declaration declarator: (identifier) @name)
(type_definition declarator: (type_identifier) @name)
(pointer_declarator declarator: [(identifier) (field_identifier) (type_identifier)] @name)
(array_declarator declarator: [(identifier) (field_identifier) (type_identifier)] @name)
(function_declarator declarator: [(identifier) (field_identifier) (type_identifier)] @name)
(parenthesized_declarator [(identifier) (field_identifier) (type_identifier)] @name)
(declaration type: (_) @type)
(parameter_declaration type: (_) @type)

(ERROR) @error
