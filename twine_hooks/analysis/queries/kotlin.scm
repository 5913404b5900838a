; What a Kotlin file says about itself. Capture names: CONTRIBUTING.md, "A language".

; definitions
(package_header (identifier) @package)
(class_declaration (type_identifier) @name) @definition.class
(class_declaration [(class_body) (enum_class_body)] @body)
(object_declaration (type_identifier) @name (class_body)? @body) @definition.object
(companion_object (type_identifier) @name (class_body)? @body) @definition.object
(function_declaration (simple_identifier) @name) @definition.function
(function_declaration (function_body) @body)
(function_declaration (function_value_parameters) . [(user_type) (nullable_type) (function_type)] @result)
(function_declaration (receiver_type) @receiver)
(secondary_constructor "constructor" @name) @definition.constructor
(secondary_constructor (statements) @body)
(property_declaration (variable_declaration (simple_identifier) @name (_)? @result)) @definition.property
(property_declaration (receiver_type) @receiver)
(property_declaration (property_delegate) @body)
(property_declaration (getter) @body)
(class_parameter (binding_pattern_kind) (simple_identifier) @name . (_)? @result) @definition.property
(enum_entry (simple_identifier) @name (class_body)? @body) @definition.enumerator
(type_alias (type_identifier) @name (_) @result .) @definition.type
(modifiers (annotation) @decorator.inside)
(class_declaration (delegation_specifier . (user_type) @base))
(class_declaration (delegation_specifier . (constructor_invocation (user_type) @base)))
(class_declaration (delegation_specifier . (explicit_delegation . (user_type) @base)))
(object_declaration (delegation_specifier . (user_type) @base))
(object_declaration (delegation_specifier . (constructor_invocation (user_type) @base)))
(object_declaration (delegation_specifier . (explicit_delegation . (user_type) @base)))
(file_annotation) @file.annotation

; imports
(import_header) @import
(package_header (identifier) @import.package)

; names
[(simple_identifier) (interpolated_identifier)] @identifier
(type_identifier) @type
(value_argument . (simple_identifier) @not_reference . "=")
(import_alias (type_identifier) @not_reference)
(infix_expression (_) . (simple_identifier) @infix . (_))
(callable_reference . (simple_identifier) @function.reference)
[(this_expression) (super_expression)] @self
(parenthesized_expression) @paren
(as_expression (_) [(user_type) (nullable_type)] @cast.type .) @cast
(call_suffix) @call
(call_suffix (annotated_lambda (lambda_literal) @lambda))
(call_suffix (value_arguments (value_argument (lambda_literal) @lambda)))
(lambda_parameters . (variable_declaration (simple_identifier) @lambda.parameter))
(check_expression . (simple_identifier) @checked . (_) @checked.type)
(when_expression (when_subject (simple_identifier) @subject .)) @subject.when
(type_test (_) @tested.type)

; scopes: where a name is local
[(function_declaration) (secondary_constructor) (anonymous_initializer) (lambda_literal)
 (anonymous_function) (getter) (setter) (for_statement) (catch_block) (when_expression)
 (control_structure_body)] @scope
(object_literal (delegation_specifier . (_) @anonymous.type))
(object_literal (class_body) @scope @anonymous)
(enum_entry (class_body) @scope)
(type_parameter (type_identifier) @type.parameter)
(class_declaration (primary_constructor) @head) @headed
(parameter (simple_identifier) @local (_) @local.type)
(class_parameter (simple_identifier) @local (_) @local.type)
(variable_declaration (simple_identifier) @local (_)? @local.type)
(catch_block (simple_identifier) @local (_) @local.type)

; meaning: what is ignored and what is kept as it is
[(line_comment) (multiline_comment)] @ignored
((multiline_comment) @doc.before (#match? @doc.before "^/[*][*][^/]"))
[(string_literal) (character_literal)] @verbatim
(value_arguments "," @ignored . ")")
(function_value_parameters "," @ignored . ")")
(primary_constructor "," @ignored . ")")
(type_arguments "," @ignored . ">")
(type_parameters "," @ignored . ">")
(collection_literal "," @ignored . "]")
[(import_header) (package_header) (property_declaration) (function_declaration) (class_declaration)
 (object_declaration) (companion_object) (type_alias) (enum_entry) (secondary_constructor) (anonymous_initializer)] @statement
(statements (_) @statement)
(when_entry) @statement
(ERROR) @error
