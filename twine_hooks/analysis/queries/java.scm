; What a Java file says about itself. Capture names: CONTRIBUTING.md, "A language".

; definitions
(package_declaration (_) @package .)
(class_declaration name: (_) @name body: (_) @body) @definition.class
(interface_declaration name: (_) @name body: (_) @body) @definition.interface
(enum_declaration name: (_) @name body: (_) @body) @definition.enum
(record_declaration name: (_) @name body: (_) @body) @definition.record
(annotation_type_declaration name: (_) @name body: (_) @body) @definition.annotation
(method_declaration type: (_) @result name: (_) @name body: (_)? @body) @definition.method
(annotation_type_element_declaration type: (_) @result name: (_) @name) @definition.method
(constructor_declaration name: (_) @name body: (_) @body) @definition.constructor
(compact_constructor_declaration name: (_) @name body: (_) @body) @definition.constructor
(field_declaration type: (_) @result . declarator: (_ name: (_) @name)) @definition.field
(field_declaration (variable_declarator) . (variable_declarator name: (_) @name) @definition.field)
(constant_declaration type: (_) @result . declarator: (_ name: (_) @name)) @definition.constant
(constant_declaration (variable_declarator) . (variable_declarator name: (_) @name) @definition.constant)
(enum_constant name: (_) @name body: (_)? @body) @definition.enumerator
(record_declaration parameters: (formal_parameters
  (formal_parameter type: (_) @result name: (_) @name) @definition.field))
(modifiers [(annotation) (marker_annotation)] @decorator.inside)
(superclass (_) @base)
(super_interfaces (type_list (_) @base))
(extends_interfaces (type_list (_) @base))

; imports
(import_declaration) @import
(package_declaration [(identifier) (scoped_identifier)] @import.package)

; names
(identifier) @identifier
(type_identifier) @type
(annotation name: (_) @type.name)
(marker_annotation name: (_) @type.name)
(record_pattern . (_) @type.name)
(element_value_pair key: (_) @not_reference)
(labeled_statement . (identifier) @not_reference)
(break_statement (identifier) @not_reference)
(continue_statement (identifier) @not_reference)
(switch_label (identifier) @label)
(switch_expression condition: (_) @switch.on) @switch
[(this) (super)] @self
(object_creation_expression type: (_) @new) @creation
(parenthesized_expression) @paren
(cast_expression type: (_) @cast.before) @cast.value
[(argument_list) (annotation_argument_list)] @arguments

; scopes: where a name is local
[(method_declaration) (constructor_declaration) (compact_constructor_declaration)
 (static_initializer) (lambda_expression) (block) (constructor_body)
 (for_statement) (enhanced_for_statement) (try_with_resources_statement) (catch_clause)
 (switch_block) (switch_rule)] @scope
(object_creation_expression type: (_) @anonymous.type (class_body) @scope @anonymous)
(enum_constant body: (_) @scope)
(type_parameter . (type_identifier) @type.parameter)
(local_variable_declaration type: (_) @local.type declarator: (_ name: (_) @local))
(formal_parameter type: (_) @local.type name: (_) @local)
(spread_parameter (_) @local.type . (variable_declarator name: (_) @local))
(enhanced_for_statement type: (_) @local.type name: (_) @local)
(catch_formal_parameter (catch_type) @local.type name: (_) @local)
(resource type: (_) @local.type name: (_) @local)
(instanceof_expression right: (_) @local.type name: (_) @local)
(type_pattern (_) @local.type . (identifier) @local)
(record_pattern_component (_) @local.type . (identifier) @local)
(lambda_expression parameters: (identifier) @local.inferred)
(inferred_parameters (identifier) @local.inferred)

; meaning: what is ignored and what is kept as it is
[(line_comment) (block_comment)] @ignored
((block_comment) @doc.before (#match? @doc.before "^/[*][*][^/]"))
[(string_literal) (character_literal)] @verbatim
(array_initializer "," @ignored . "}")
(enum_body "," @ignored . "}")
(program ";" @ignored)
(class_body ";" @ignored)
(ERROR) @error
