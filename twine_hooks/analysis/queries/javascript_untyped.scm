; What only the JavaScript grammar has; see javascript.scm.
(class_heritage (_) @base)
(class_body (field_definition property: (_) @name) @definition.field)
(field_definition value: (arrow_function body: (_) @body))
(field_definition value: (_)) @typed
(class_body (field_definition) @statement)
(formal_parameters (identifier) @local)
(formal_parameters (assignment_pattern left: (identifier) @local))
(arrow_function parameters: (formal_parameters "(" @ignored . (identifier) . ")" @ignored))
