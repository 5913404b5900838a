; What a Python file says about itself. Capture names: CONTRIBUTING.md, "A language".

; definitions
(class_definition name: (identifier) @name body: (block) @body) @definition.class
(function_definition name: (identifier) @name body: (block) @body) @definition.function
(decorator) @decorator
(class_definition superclasses: (argument_list (_) @base))

(module (assignment left: (identifier) @name) @definition.variable)
(module (assignment left: (pattern_list (identifier) @name @definition.variable)))
(module (assignment right: (assignment left: (identifier) @name) @definition.variable @outside))
(module (if_statement (block (assignment left: (identifier) @name) @definition.variable)))
(module (if_statement (else_clause (block (assignment left: (identifier) @name) @definition.variable))))
(module (try_statement (block (assignment left: (identifier) @name) @definition.variable)))
(module (try_statement (except_clause (block (assignment left: (identifier) @name) @definition.variable))))
(class_definition body: (block (assignment left: (identifier) @name) @definition.field))
(class_definition body: (block (if_statement (block (assignment left: (identifier) @name) @definition.field))))
(type_alias_statement . (type (identifier) @name)) @definition.type
(type_alias_statement . (type (generic_type . (identifier) @name))) @definition.type

; doc comments
(module . (comment)* . (string) @doc.module)
(class_definition body: (block . (comment)* . (string) @doc))
(function_definition body: (block . (comment)* . (string) @doc))

; imports
(import_statement) @import
(import_from_statement) @import
(call function: (identifier) @_f arguments: (argument_list . (string) @import.dynamic)
  (#eq? @_f "__import__"))
(call function: (attribute attribute: (identifier) @_f) arguments: (argument_list . (string) @import.dynamic)
  (#eq? @_f "import_module"))
(call function: (identifier) @_f arguments: (argument_list . (string) @import.dynamic)
  (#eq? @_f "import_module"))
(if_statement condition: (_) @typing.condition consequence: (block) @typing.block)

; exports
(module (assignment left: (identifier) @_n right: (_) @exports)
  (#eq? @_n "__all__"))
(module (augmented_assignment left: (identifier) @_n right: (_) @exports)
  (#eq? @_n "__all__"))

; names
(type) @type
(interpolation) @interpolation
(assignment left: (attribute object: (identifier))) @assigned.attribute

; scopes: where a name is local
(function_definition name: (identifier) @local.outer) @scope
(lambda) @scope
(list_comprehension) @scope
(set_comprehension) @scope
(dictionary_comprehension) @scope
(generator_expression) @scope
(parameters (identifier) @local)
(parameters (_ . (identifier) @local))
(typed_parameter . (identifier) @parameter)
(typed_default_parameter name: (identifier) @parameter)
(typed_parameter [(list_splat_pattern (identifier) @local) (dictionary_splat_pattern (identifier) @local)])
(lambda_parameters (identifier) @local)
(lambda_parameters (_ . (identifier) @local))
(assignment left: (identifier) @local)
(assignment left: (pattern_list (identifier) @local))
(assignment left: (tuple_pattern (identifier) @local))
(assignment left: (list_pattern (identifier) @local))
(augmented_assignment left: (identifier) @local)
(named_expression name: (identifier) @local)
(for_statement left: (identifier) @local)
(for_statement left: (_ (identifier) @local))
(for_in_clause left: (identifier) @local)
(for_in_clause left: (_ (identifier) @local))
(as_pattern_target (identifier) @local)
(as_pattern_target (_ (identifier) @local))
(as_pattern) @entered
(case_pattern (dotted_name . (identifier) @local .))
(global_statement (identifier) @local.global)
(nonlocal_statement (identifier) @local.global)

; meaning: what is ignored, what is kept as it is, and where structure is not in the tokens
(comment) @ignored @comment
(string) @verbatim
(block) @block
(argument_list "," @ignored . ")")
(parameters "," @ignored . ")")
(list "," @ignored . "]")
(set "," @ignored . "}")
(dictionary "," @ignored . "}")
(import_from_statement "," @ignored . ")")
(ERROR) @error
