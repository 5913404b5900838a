; What a Go file says about itself. Capture names: CONTRIBUTING.md, "A language".

; definitions
(package_clause (package_identifier) @package) @package.clause
(function_declaration name: (_) @name result: (_)? @result body: (block)? @body) @definition.function
(method_declaration receiver: (_) @receiver name: (_) @name result: (_)? @result body: (block)? @body) @definition.method
(type_declaration . "type" . (type_spec name: (_) @name type: [(struct_type) (interface_type)] @body.type)) @definition.type
(type_declaration "(" (type_spec name: (_) @name type: [(struct_type) (interface_type)] @body.type) @definition.type)
(type_declaration . "type" . [
  (type_spec name: (_) @name type: [(type_identifier) (qualified_type) (generic_type) (pointer_type)
    (slice_type) (array_type) (map_type) (channel_type) (function_type) (parenthesized_type)] @result)
  (type_alias name: (_) @name type: (_) @result @alias)]) @definition.type
(type_declaration "(" [
  (type_spec name: (_) @name type: [(type_identifier) (qualified_type) (generic_type) (pointer_type)
    (slice_type) (array_type) (map_type) (channel_type) (function_type) (parenthesized_type)] @result)
  (type_alias name: (_) @name type: (_) @result @alias)] @definition.type)
(type_spec type: (struct_type (field_declaration_list
  (field_declaration . name: (_) @name type: (_) @result) @definition.field)))
(type_spec type: (struct_type (field_declaration_list
  (field_declaration (field_identifier) . (field_identifier) @name @definition.field))))
(type_spec type: (struct_type (field_declaration_list (field_declaration !name type: [
  (type_identifier) @name (qualified_type name: (_) @name)
  (generic_type type: [(type_identifier) @name (qualified_type name: (_) @name)])
] @base @result) @definition.field)))
(type_spec type: (interface_type (method_elem name: (_) @name result: (_)? @result) @definition.method))
(type_spec type: (interface_type (type_elem . (_) @base .)))
(type_spec type: (struct_type (field_declaration_list) @body))
(type_spec type: (interface_type "{" @tail))
(type_spec type_parameters: (_) @parameters)
(function_declaration type_parameters: (_) @parameters)
(const_declaration . "const" . (const_spec . name: (_) @name value: (_)? @values)) @definition.constant
(const_declaration "(" (const_spec . name: (_) @name value: (_)? @values) @definition.constant)
[(const_declaration "(") (type_declaration "(")] @group
(const_spec (identifier) . (identifier) @name @definition.constant)
(var_declaration . "var" . (var_spec . name: (_) @name type: (_)? @result)) @definition.variable
(var_spec_list (var_spec . name: (_) @name type: (_)? @result) @definition.variable)
(var_spec (identifier) . (identifier) @name @definition.variable)
(var_spec value: (_) @tail)
(const_spec type: (_) @result)

; imports
(import_spec) @import.spec
(import_declaration) @import

; names
[(identifier) (type_identifier) (package_identifier)] @identifier
[(type_identifier) (package_identifier)] @identifier.type
(keyed_element . (literal_element (identifier) @key))
[(argument_list)] @arguments
[(index_expression "[" @index.open "]" @index.close) (slice_expression "[" @index.open "]" @index.close)
 (type_arguments "[" @index.open "]" @index.close)
 (type_instantiation_expression "[" @index.open "]" @index.close)]
(slice_expression "[" @slice)
(type_assertion_expression "." @assertion type: (_) @assertion.type)
(type_conversion_expression type: (_) @conversion.type) @conversion
(composite_literal type: (_) @literal.type body: (literal_value) @literal.body) @literal
(literal_value) @literal.value
(func_literal parameters: (_) @lambda.start body: (_) @lambda.body) @lambda
(parenthesized_expression) @paren
(unary_expression operator: _ @prefix)

; scopes: where a name is local
(function_declaration body: (block) @scope)
(method_declaration body: (block) @scope)
(func_literal body: (block) @scope)
(parameter_list) @scope
[(block) (if_statement) (for_statement) (expression_switch_statement) (type_switch_statement)
 (select_statement) (expression_case) (type_case) (default_case) (communication_case)
 (func_literal) (function_declaration) (method_declaration)] @scope.block
(short_var_declaration left: (expression_list (identifier) @define.name)) @define
(short_var_declaration right: (expression_list (_) @define.value))
(var_spec (identifier) @define.name) @define
(var_spec type: (_) @define.type)
(var_spec value: (expression_list (_) @define.value))
(const_spec (identifier) @define.name) @define
(statement_list (type_declaration [(type_spec name: (_) @define.kind type: (_) @define.meaning)
  (type_alias name: (_) @define.kind type: (_) @define.meaning)]))
(range_clause left: (expression_list (identifier) @define.name) ":=") @define
(range_clause right: (_) @define.range)
(receive_statement left: (expression_list (identifier) @define.name) ":=") @define
(receive_statement right: (_) @define.value)
(type_switch_statement) @switch
(type_switch_statement alias: (expression_list (identifier) @switch.alias) value: (_) @switch.value)
(type_case type: (_) @case.type) @case
(parameter_declaration (identifier) @parameter.name) @parameter
(parameter_declaration type: (_) @parameter.type)
(variadic_parameter_declaration name: (_) @parameter.name type: (_) @parameter.rest) @parameter
(type_parameter_declaration name: (_) @parameter.kind type: (_) @parameter.bound) @type.parameter
(labeled_statement label: (_) @not_reference)

; meaning: what is ignored and what is kept as it is
(comment) @comment
[(interpreted_string_literal) (raw_string_literal) (rune_literal)] @verbatim
(statement_list (_) @statement)
(statement_list ";" @ignored)
(field_declaration_list (_) @statement)
(field_declaration_list ";" @ignored)
(interface_type [(method_elem) (type_elem)] @statement)
(interface_type ";" @ignored)
[(const_spec) (var_spec) (type_spec) (import_spec)] @statement
(literal_value "," @ignored . "}")
(argument_list "," @ignored . ")")
(parameter_list "," @ignored . ")")
(ERROR) @error
