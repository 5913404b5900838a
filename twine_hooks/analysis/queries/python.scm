; What a Python file says about itself. Capture names: CONTRIBUTING.md, "A language".

; definitions
(class_definition name: (identifier) @name body: (block) @body) @definition.class
(function_definition name: (identifier) @name @local.outer body: (block) @body) @definition.function @scope
(decorator) @decorator
(class_definition superclasses: (argument_list (_) @base))

(assignment left: (identifier) @local) @assigned
(assignment left: (pattern_list (identifier) @local @unpacked))
(assignment left: (attribute object: (identifier))) @assigned.attribute
(type_alias_statement) @definition.type

; imports
(import_statement) @import
(import_from_statement) @import

; names
(type) @type
(interpolation) @interpolation

; scopes: where a name is local
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
