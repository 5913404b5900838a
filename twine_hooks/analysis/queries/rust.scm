; What a Rust file says about itself. Capture names: CONTRIBUTING.md, "A language".

; definitions
(function_item name: (_) @name body: (block) @body) @definition.function
(function_signature_item name: (_) @name) @definition.function
(function_item return_type: (_) @result)
(function_signature_item return_type: (_) @result)
(struct_item name: (_) @name body: (field_declaration_list)? @body) @definition.struct
(union_item name: (_) @name body: (_) @body) @definition.union
(enum_item name: (_) @name body: (_) @body) @definition.enum
(enum_variant name: (_) @name) @definition.enumerator
(trait_item name: (_) @name body: (_) @body) @definition.trait
(trait_item bounds: (trait_bounds (_) @base))
(field_declaration name: (_) @name type: (_) @result) @definition.field
(type_item name: (_) @name type: (_) @result) @definition.type
(associated_type name: (_) @name) @definition.type
(const_item name: (_) @name type: (_) @result) @definition.constant
(static_item name: (_) @name type: (_) @result) @definition.variable
(const_item value: (_) @tail)
(static_item value: (_) @tail)
(macro_definition name: (_) @name) @definition.macro
; items that a macro gets to see and most likely passes on
(source_file [(macro_invocation (token_tree "struct" . (identifier) @name @definition.struct @made.name)) (expression_statement (macro_invocation (token_tree "struct" . (identifier) @name @definition.struct @made.name)))])
(mod_item body: (declaration_list [(macro_invocation (token_tree "struct" . (identifier) @name @definition.struct @made.name)) (expression_statement (macro_invocation (token_tree "struct" . (identifier) @name @definition.struct @made.name)))]))
(source_file [(macro_invocation (token_tree "enum" . (identifier) @name @definition.enum @made.name)) (expression_statement (macro_invocation (token_tree "enum" . (identifier) @name @definition.enum @made.name)))])
(mod_item body: (declaration_list [(macro_invocation (token_tree "enum" . (identifier) @name @definition.enum @made.name)) (expression_statement (macro_invocation (token_tree "enum" . (identifier) @name @definition.enum @made.name)))]))
(source_file [(macro_invocation (token_tree "type" . (identifier) @name @definition.type @made.name)) (expression_statement (macro_invocation (token_tree "type" . (identifier) @name @definition.type @made.name)))])
(mod_item body: (declaration_list [(macro_invocation (token_tree "type" . (identifier) @name @definition.type @made.name)) (expression_statement (macro_invocation (token_tree "type" . (identifier) @name @definition.type @made.name)))]))
(source_file [(macro_invocation (token_tree "fn" . (identifier) @name @definition.function @made.name)) (expression_statement (macro_invocation (token_tree "fn" . (identifier) @name @definition.function @made.name)))])
(mod_item body: (declaration_list [(macro_invocation (token_tree "fn" . (identifier) @name @definition.function @made.name)) (expression_statement (macro_invocation (token_tree "fn" . (identifier) @name @definition.function @made.name)))]))
(source_file [(macro_invocation) (expression_statement (macro_invocation))] @made)
(mod_item body: (declaration_list [(macro_invocation) (expression_statement (macro_invocation))] @made))

(mod_item name: (_) @name body: (_) @body) @definition.module
(mod_item name: (_) @module.name ";" @module.end) @module
(attribute_item) @attribute
(inner_attribute_item) @attribute.inner
(macro_definition name: (_) . ["(" "{" "["] @tail)
(struct_item type_parameters: (_) @parameters)
(enum_item type_parameters: (_) @parameters)
(type_item type_parameters: (_) @parameters)
(ordered_field_declaration_list) @tuple
(impl_item type: (_) @impl.type body: (_) @impl.body) @impl
(impl_item trait: (_) @impl.trait)

; imports
(use_declaration argument: (_) @use) @import
(extern_crate_declaration) @import @extern

; names
[(identifier) (type_identifier) (crate) (super) (self)] @identifier
[(type_identifier) (scoped_type_identifier)] @identifier.type
(field_initializer field: (_) @key)
(shorthand_field_initializer (identifier) @key.short)
(struct_expression name: (_) @literal.type body: (_) @literal.body) @literal
(struct_pattern type: (_) @literal.type) @literal.pattern
(field_pattern name: (field_identifier) @key)
(field_pattern name: (shorthand_field_identifier) @key @pattern.short)
[(arguments) (token_tree)] @arguments
(type_arguments) @generics
(index_expression "[" @index.open "]" @index.close)
(try_expression "?" @try)
(parenthesized_expression) @paren
(reference_expression "&" @prefix)
(unary_expression ["*" "-" "!"] @prefix)
(bracketed_type) @bracketed
(qualified_type type: (_) @qualified.type)
(type_cast_expression type: (_) @cast)
(attribute (identifier) @not_reference)
(type_binding name: (_) @not_reference)
(label (identifier) @not_reference)
(lifetime (identifier) @not_reference)
(macro_invocation macro: (_) @macro)

; scopes: where a name is local
(function_item body: (block) @scope)
[(const_item value: (_) @scope) (static_item value: (_) @scope)]
[(macro_definition) (enum_variant value: (_))] @hidden
[(block) (match_arm) (closure_expression) (for_expression) (if_expression) (while_expression)
 (function_item) (function_signature_item)] @scope.block
(let_declaration pattern: (_) @pattern) @binding
(let_declaration type: (_) @binding.type)
(let_declaration value: (_) @binding.value)
(let_condition pattern: (_) @pattern value: (_) @binding.value) @binding
(for_expression pattern: (_) @pattern value: (_) @binding.range) @binding
(match_arm pattern: (match_pattern . (_) @pattern))
(match_expression value: (_) @match.value body: (match_block) @match)
(parameter pattern: (_) @pattern type: (_) @binding.type) @binding @parameter
(closure_parameters (identifier) @pattern)
(closure_parameters (tuple_pattern) @pattern)
(closure_parameters (reference_pattern) @pattern)
(self_parameter) @self
(tuple_struct_pattern type: (_) @pattern.type)
(type_parameter name: (_) @type.parameter)
(type_parameter bounds: (trait_bounds) @type.bound)
(where_predicate left: (type_identifier) @where bounds: (_) @where.bound)
(const_parameter name: (_) @type.parameter)

; meaning: what is ignored and what is kept as it is
[(line_comment !doc) (block_comment !doc)] @ignored
[(line_comment outer: (_)) (block_comment outer: (_))] @doc.outer
[(line_comment inner: (_)) (block_comment inner: (_))] @doc.inner
[(string_literal) (raw_string_literal) (char_literal)] @verbatim
(field_declaration_list "," @ignored . "}")
(enum_variant_list "," @ignored . "}")
(parameters "," @ignored . ")")
(arguments "," @ignored . ")")
(field_initializer_list "," @ignored . "}")
(match_block (match_arm "," @ignored))
(use_list "," @ignored . "}")
(ERROR) @error
