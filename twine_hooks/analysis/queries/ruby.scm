; What a Ruby file says about itself. Capture names: CONTRIBUTING.md, "A language".

; definitions
(class name: (_) @name superclass: (superclass (_) @base)? body: (_)? @body) @definition.class
(module name: (_) @name body: (_)? @body) @definition.module
(method name: (_) @name body: (_)? @body) @definition.function
(singleton_method name: (_) @name body: (_)? @body) @definition.function @singleton
(alias name: (_) @name) @definition.function
(assignment left: [(constant) (scope_resolution)] @assigned right: (_) @assigned.value) @assignment
(singleton_class) @singleton
(method_parameters) @parameters

; calls without a receiver, some of which declare something
(call !receiver method: (identifier) @macro arguments: (argument_list) @macro.arguments)
(call !receiver method: (identifier) @macro.opening block: (_) @macro.block)
(body_statement (identifier) @bare)

; names
(constant) @constant
(identifier) @identifier
(self) @self
(instance_variable) @field
(super) @super
(call method: (identifier) @method)
(alias [(identifier) (constant)] @not_reference)
(method name: (_) @not_reference)
(singleton_method object: (_) @not_reference name: (_) @not_reference)
(argument_list) @arguments
[(do_block) (block)] @block.code
(assignment left: [(identifier) (instance_variable)] @set right: (_) @set.value)
(operator_assignment left: [(identifier) (instance_variable)] @set right: (_) @set.value)

; scopes: where a name is local
[(method) (singleton_method) (do_block) (block) (lambda)] @scope
[(program) (class) (module) (singleton_class)] @scope.block
(method_parameters (identifier) @local)
(block_parameters (identifier) @local)
(lambda_parameters (identifier) @local)
(destructured_parameter (identifier) @local)
(optional_parameter name: (identifier) @local)
(keyword_parameter name: (identifier) @local)
(splat_parameter name: (identifier) @local)
(hash_splat_parameter name: (identifier) @local)
(block_parameter name: (identifier) @local)
(assignment left: (identifier) @local)
(operator_assignment left: (identifier) @local)
(left_assignment_list (identifier) @local)
(destructured_left_assignment (identifier) @local)
(rest_assignment (identifier) @local)
(exception_variable (identifier) @local)
(for pattern: (identifier) @local)
(as_pattern name: (identifier) @local)
(array_pattern (identifier) @local)
(find_pattern (identifier) @local)
(keyword_pattern value: (identifier) @local)
(in_clause pattern: (identifier) @local)

; meaning: what is ignored and what is kept as it is
(comment) @comment
(heredoc_beginning) @heredoc
(heredoc_body) @heredoc.body
[(string) (heredoc_body) (regex) (subshell) (string_array) (symbol_array) (uninterpreted)] @verbatim
[";" (empty_statement)] @ignored
(array "," @ignored . "]")
(hash "," @ignored . "}")
(argument_list "," @ignored . ")")
(program (_) @statement)
(body_statement (_) @statement)
(block_body (_) @statement)
(then (_) @statement)
(else (_) @statement)
(do (_) @statement)
(begin (_) @statement)
(ensure (_) @statement)
(ERROR) @error
