; What files with JSX add; see javascript.scm.
(jsx_opening_element name: (identifier) @not_reference (#match? @not_reference "^[a-z]"))
(jsx_closing_element name: (identifier) @not_reference)
(jsx_self_closing_element name: (identifier) @not_reference (#match? @not_reference "^[a-z]"))
(parenthesized_expression "(" @ignored . [(jsx_element) (jsx_self_closing_element)] . ")" @ignored)
