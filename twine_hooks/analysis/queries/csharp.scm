; What a C# file says about itself. Capture names: CONTRIBUTING.md, "A language".

; definitions
[(namespace_declaration) (file_scoped_namespace_declaration)] @namespace
(namespace_declaration name: (_) @namespace.name)
(file_scoped_namespace_declaration name: (_) @namespace.name)
(class_declaration name: (_) @name body: (_)? @body) @definition.class
(struct_declaration name: (_) @name body: (_)? @body) @definition.struct
(record_declaration name: (_) @name body: (_)? @body) @definition.record
(interface_declaration name: (_) @name body: (_)? @body) @definition.interface
(enum_declaration name: (_) @name body: (_)? @body) @definition.enum
(delegate_declaration type: (_) @result name: (_) @name) @definition.delegate
(method_declaration returns: (_) @result name: (_) @name body: (_)? @body) @definition.method
(operator_declaration type: (_) @result "operator" @name body: (_)? @body) @definition.operator
(conversion_operator_declaration "operator" @name type: (_) @result body: (_)? @body) @definition.operator
(constructor_declaration name: (_) @name (constructor_initializer)? @body body: (_)? @body) @definition.constructor
(destructor_declaration "~" @name name: (_) @not_reference body: (_)? @body) @definition.destructor
(property_declaration type: (_) @result name: (_) @name) @definition.property
(property_declaration value: (arrow_expression_clause) @body)
(property_declaration accessors: (_) value: (_) @unseen)
(event_declaration type: (_) @result name: (_) @name) @definition.event
(indexer_declaration type: (_) @result "this" @name value: (_)? @body) @definition.indexer
(accessor_declaration body: (_) @unseen)
(enum_member_declaration name: (_) @name) @definition.enumerator
(field_declaration (variable_declaration type: (_) @result . (variable_declarator name: (_) @name))) @definition.field
(field_declaration (variable_declaration (variable_declarator) . (variable_declarator name: (_) @name) @definition.field))
(event_field_declaration (variable_declaration type: (_) @result . (variable_declarator name: (_) @name))) @definition.event
(event_field_declaration (variable_declaration (variable_declarator) . (variable_declarator name: (_) @name) @definition.event))
(field_declaration (variable_declaration (variable_declarator name: (_) . (_) @value)))
(record_declaration (parameter_list (parameter type: (_) @result name: (_) @name) @definition.property))
(record_declaration (parameter_list (parameter name: (_) @parameter)))
(attribute_list) @decorator.inside
(base_list [(identifier) (generic_name) (qualified_name) (alias_qualified_name)] @base @type.at)
([(class_declaration) (struct_declaration) (record_declaration)] @holder)
(modifier) @modifier

; imports
(using_directive) @import

; names
(identifier) @word
(implicit_parameter) @word
(_ type: (_) @type.at)
(_ returns: (_) @type.at)
(type_argument_list (_) @type.at)
(explicit_interface_specifier (_) @type.at @explicit)
(alias_qualified_name alias: (_) @type.at)
(as_expression right: (_) @type.at @cast.type) @cast
(attribute name: (_) @attribute)
(type_argument_list) @generic
(argument name: (identifier) @not_reference)
(attribute_argument name: (identifier) @not_reference)
(tuple_element name: (identifier) @not_reference)
(goto_statement (identifier) @not_reference)
(labeled_statement . (identifier) @not_reference)
(extern_alias_directive (identifier) @not_reference)
(anonymous_object_creation_expression (identifier) @not_reference . "=")
(type_parameter_constraints_clause . (identifier) @not_reference @where)
(type_parameter_constraints_clause (type_parameter_constraint type: (_) @where.type))
(with_initializer . (identifier) @not_reference)
(subpattern . (identifier) @not_reference @part)
(recursive_pattern type: (_) @parted.type) @parted
(object_creation_expression type: (_) @made.type initializer: (_) @made)
(initializer_expression (assignment_expression left: (identifier) @not_reference @part))
["this" "base"] @self
(constructor_initializer ["this" "base"] @self)
(object_creation_expression type: (_) @new) @creation
(implicit_object_creation_expression) @target.new
(variable_declaration type: (_) @target.type) @target
(property_declaration type: (_) @target.type) @target
(parenthesized_expression) @paren
(cast_expression type: (_) @cast.before) @cast.value
(await_expression (_) @awaited .) @await
[(argument_list) (attribute_argument_list)] @arguments

; scopes: where a name is local
[(method_declaration) (operator_declaration) (conversion_operator_declaration)
 (constructor_declaration) (destructor_declaration) (indexer_declaration) (accessor_declaration)
 (arrow_expression_clause) (local_function_statement) (lambda_expression)
 (anonymous_method_expression) (block) (for_statement) (foreach_statement) (using_statement)
 (fixed_statement) (catch_clause) (switch_section) (switch_expression_arm) (query_expression)
 (delegate_declaration)] @scope
[(class_declaration) (struct_declaration) (record_declaration) (compilation_unit)] @scope.type
(type_parameter name: (identifier) @type.parameter)
(variable_declaration type: (_) @local.type (variable_declarator name: (identifier) @local))
(parameter type: (_) @local.type name: (identifier) @local)
(parameter_list type: (_) @local.type name: (identifier) @local)
(foreach_statement type: (_) @local.type left: (identifier) @local)
(catch_declaration type: (_) @local.type name: (identifier) @local)
(declaration_expression type: (_) @local.type name: (identifier) @local)
(declaration_pattern type: (_) @local.type name: (identifier) @local)
(recursive_pattern type: (_) @local.type name: (identifier) @local)
(recursive_pattern name: (identifier) @local.inferred)
(var_pattern name: (identifier) @local.inferred)
(tuple_pattern name: (identifier) @local.inferred)
(parenthesized_variable_designation name: (identifier) @local.inferred)
(implicit_parameter) @local.inferred @lambda.parameter
(parameter !type name: (identifier) @local.inferred)
(from_clause name: (identifier) @local.inferred)
(let_clause . (identifier) @local.inferred)
(join_clause . (identifier) @local.inferred)
(join_into_clause (identifier) @local.inferred)
(local_function_statement type: (_) @function.type name: (identifier) @function)

; meaning: what is ignored and what is kept as it is
(comment) @comment
[(string_literal) (character_literal) (verbatim_string_literal) (raw_string_literal) (interpolated_string_expression)] @verbatim
(initializer_expression "," @ignored . "}")
(enum_member_declaration_list "," @ignored . "}")
(ERROR) @error
