; What TypeScript adds; see javascript.scm.

; definitions
(abstract_class_declaration name: (_) @name body: (class_body) @body) @definition.class
(interface_declaration name: (_) @name body: (interface_body) @tail) @definition.interface
(type_alias_declaration name: (_) @name) @definition.type
(enum_declaration name: (_) @name body: (enum_body) @tail) @definition.enum
(function_signature name: (identifier) @name) @definition.function
(internal_module name: (_) @name body: (statement_block) @body) @definition.namespace
(module name: (_) @name body: (statement_block) @body) @definition.namespace
(class_body (public_field_definition name: (_) @name) @definition.field)
(public_field_definition value: (arrow_function body: (_) @body))
(class_body (method_signature name: (_) @name) @definition.method)
(class_body (abstract_method_signature name: (_) @name) @definition.method)
(interface_body (property_signature name: (_) @name) @definition.field)
(interface_body (method_signature name: (_) @name) @definition.method)
(required_parameter (accessibility_modifier) pattern: (identifier) @name) @definition.field @outside
(enum_body (property_identifier) @name @definition.enumerator)
(enum_body (enum_assignment name: (_) @name) @definition.enumerator)
(internal_module body: (statement_block [(lexical_declaration) (variable_declaration)] @top.variable))
(internal_module body: (statement_block (export_statement [(lexical_declaration) (variable_declaration)] @top.variable)))
(module body: (statement_block [(lexical_declaration) (variable_declaration)] @top.variable))
(module body: (statement_block (export_statement [(lexical_declaration) (variable_declaration)] @top.variable)))
(ambient_declaration [(lexical_declaration) (variable_declaration)] @top.variable)
(extends_clause value: (_) @base)
(implements_clause (_) @base)
(extends_type_clause type: (_) @base)

; imports
(import_require_clause source: (string) @import.equals)
(import_alias) @import.alias
(module name: (string) @import.augmented)

; names
(type_identifier) @identifier.type

; scopes
(abstract_class_declaration) @scope.block
(abstract_class_declaration name: (_) @local.outer)
(interface_declaration) @scope.block
(interface_declaration name: (_) @local.outer)
(type_alias_declaration) @scope.block
(type_alias_declaration name: (_) @local.outer)
(enum_declaration name: (_) @local)
(function_signature) @scope.block
(function_signature name: (_) @local.outer)
(method_signature) @scope.block
(abstract_method_signature) @scope.block
(call_signature) @scope.block
(construct_signature) @scope.block
(function_type) @scope.block
(constructor_type) @scope.block
(required_parameter pattern: (identifier) @local)
(optional_parameter pattern: (identifier) @local)
(type_parameter name: (type_identifier) @local)
(index_signature name: (identifier) @not_reference)
(infer_type (type_identifier) @local)
(mapped_type_clause name: (type_identifier) @local)

; types of names, as far as they are written down
(variable_declarator type: (_)) @typed
(required_parameter type: (_)) @typed
(optional_parameter type: (_)) @typed
(public_field_definition) @typed
(property_signature) @typed
(function_declaration) @typed.function
(function_signature) @typed.function
(method_definition) @typed.function
(method_signature) @typed.function
(abstract_method_signature) @typed.function

; meaning
(class_body (public_field_definition) @statement)
(class_body (method_signature) @statement)
(class_body (abstract_method_signature) @statement)
(interface_body [(property_signature) (method_signature) (call_signature) (construct_signature) (index_signature)] @statement)
(object_type [(property_signature) (method_signature) (call_signature) (construct_signature) (index_signature)] @statement)
(interface_body [";" ","] @ignored)
(object_type [";" ","] @ignored)
(type_alias_declaration ";" @ignored)
(function_signature ";" @ignored)
(enum_body "," @ignored . "}")
(type_parameters "," @ignored . ">")
(type_arguments "," @ignored . ">")
(tuple_type "," @ignored . "]")
(union_type . "|" @ignored)
(intersection_type . "&" @ignored)
(arrow_function parameters: (formal_parameters "(" @ignored . (required_parameter pattern: (identifier) !type !value) . ")" @ignored))
