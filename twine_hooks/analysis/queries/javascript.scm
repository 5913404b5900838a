; What JavaScript and TypeScript have in common. Capture names: CONTRIBUTING.md, "A language".

; definitions; variables and what is assigned to exports are found from @top.variable and @exports.*
(class_declaration name: (_) @name body: (class_body) @body) @definition.class
(function_declaration name: (identifier) @name body: (statement_block) @body) @definition.function
(generator_function_declaration name: (identifier) @name body: (statement_block) @body) @definition.function
(class_body (method_definition name: (_) @name body: (statement_block) @body) @definition.method)
(program [(lexical_declaration) (variable_declaration)] @top.variable)
(program (export_statement [(lexical_declaration) (variable_declaration)] @top.variable))
(program (expression_statement (assignment_expression left: (member_expression object: [(identifier) (member_expression)])
  right: [(function_expression) (arrow_function) (generator_function)]) @member.assigned))
(decorator) @decorator

; imports and exports
(import_statement) @import
(export_statement source: (string)) @import
(program (export_statement) @export)
(call_expression function: (import) arguments: (arguments [(string) (template_string)] @import.dynamic))
(call_expression function: (identifier) @_f arguments: (arguments [(string) (template_string)] @import.require)
  (#eq? @_f "require"))
(assignment_expression left: (member_expression object: (identifier) @_o) (#any-of? @_o "exports" "module")) @exports.assigned
(assignment_expression left: (member_expression object: (member_expression object: (identifier) @_o)) (#eq? @_o "module")) @exports.assigned

; names
(identifier) @identifier
(shorthand_property_identifier) @identifier
(this) @identifier
(super) @identifier

; scopes: where a name is local
(function_declaration) @scope
(generator_function_declaration) @scope
(function_expression) @scope
(generator_function) @scope
(arrow_function) @scope
(method_definition) @scope
(class_static_block) @scope
(class_declaration) @scope.block
(class) @scope.block
(statement_block) @scope.block
(for_statement) @scope.block
(for_in_statement) @scope.block
(catch_clause) @scope.block
(switch_body) @scope.block
(function_declaration name: (identifier) @local.outer)
(generator_function_declaration name: (identifier) @local.outer)
(function_expression name: (identifier) @local)
(class_declaration name: (_) @local.outer)
(class name: (_) @local)
(arrow_function parameter: (identifier) @local)
(lexical_declaration (variable_declarator name: (identifier) @local))
(variable_declaration (variable_declarator name: (identifier) @local.hoisted))
(shorthand_property_identifier_pattern) @local
(pair_pattern value: (identifier) @local)
(pair_pattern value: (assignment_pattern left: (identifier) @local))
(array_pattern (identifier) @local)
(array_pattern (assignment_pattern left: (identifier) @local))
(rest_pattern (identifier) @local)
(catch_clause parameter: (identifier) @local)
(for_in_statement kind: _ left: (identifier) @local)

; types of names, as far as they are written down
(variable_declarator value: (_)) @typed
(call_expression arguments: (arguments [(arrow_function) (function_expression) (object)])) @giving
(new_expression arguments: (arguments [(arrow_function) (function_expression) (object)])) @giving
(for_in_statement kind: _) @each
(member_expression object: (call_expression arguments: (arguments) @called))

; meaning: what is ignored, what is kept as it is, and where structure is not in the tokens
(comment) @ignored @comment
(string) @verbatim
(template_string) @verbatim
(regex) @verbatim
(statement) @statement
(class_body (method_definition) @statement)
(expression_statement ";" @ignored)
(lexical_declaration ";" @ignored)
(variable_declaration ";" @ignored)
(return_statement ";" @ignored)
(throw_statement ";" @ignored)
(break_statement ";" @ignored)
(continue_statement ";" @ignored)
(import_statement ";" @ignored)
(export_statement ";" @ignored)
(do_statement ";" @ignored)
(class_body ";" @ignored)
(arguments (_) . "," @ignored . ")")
(array (_) . "," @ignored . "]")
(object "," @ignored . "}")
(formal_parameters "," @ignored . ")")
(object_pattern "," @ignored . "}")
(array_pattern (_) . "," @ignored . "]")
(named_imports "," @ignored . "}")
(export_clause "," @ignored . "}")
(hash_bang_line) @not_reference
(ERROR) @error
