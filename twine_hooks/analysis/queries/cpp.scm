; What a C++ file says about itself. Capture names: CONTRIBUTING.md, "A language".
; Comments, strings, includes and names used are taken from the text (languages/c_text.py).

; definitions
(function_definition) @definition.function @scope
(function_definition body: (_) @body)
(declaration) @definition.variable
(field_declaration) @definition.field
(type_definition) @definition.type
(alias_declaration name: (_) @name) @definition.type
(concept_definition name: (_) @name) @definition.type
(class_specifier name: (_) @name body: (_) @body) @definition.class
(struct_specifier name: (_) @name body: (_) @body) @definition.struct
(union_specifier name: (_) @name body: (_) @body) @definition.union
(enum_specifier name: (_) @name body: (_) @body) @definition.enum
(enumerator name: (_) @name) @definition.enumerator
(base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @base)
(namespace_definition name: (_) @name body: (_) @body) @definition.namespace
(preproc_def name: (_) @name) @definition.macro
(preproc_function_def name: (_) @name) @definition.macro
(template_declaration parameters: (_) @template)
(access_specifier) @access
(namespace_definition !name body: (_) @internal)

; names declared, local ones too
(declaration declarator: [(identifier) (qualified_identifier)] @name)
(init_declarator declarator: [(identifier) (qualified_identifier)] @name)
(field_declaration declarator: (field_identifier) @name)
(parameter_declaration declarator: (identifier) @name)
(optional_parameter_declaration declarator: (identifier) @name)
(for_range_loop declarator: (identifier) @name)
(type_definition declarator: (type_identifier) @name)
(pointer_declarator declarator: [(identifier) (field_identifier) (type_identifier) (qualified_identifier)] @name)
(array_declarator declarator: [(identifier) (field_identifier) (type_identifier) (qualified_identifier)] @name)
(function_declarator declarator: [
  (identifier) (field_identifier) (type_identifier) (qualified_identifier) (destructor_name)
  (operator_name) (template_function)
] @name)
(function_definition declarator: (qualified_identifier) @name)
(operator_cast) @name
(parenthesized_declarator [(identifier) (field_identifier) (type_identifier)] @name)
(reference_declarator [(identifier) (field_identifier)] @name)
(structured_binding_declarator (identifier) @name)
(declaration type: (_) @type)
(parameter_declaration type: (_) @type)
(optional_parameter_declaration type: (_) @type)
(for_range_loop type: (_) @type)
(enum_specifier "class") @scoped
(enum_specifier "struct") @scoped

(ERROR) @error
