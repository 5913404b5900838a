"""File names that break simple tools."""

NAMES = (
    "with space.py",
    "  leading and trailing  ",
    "quote'single.py",
    'quote"double.py',
    "new\nline.py",
    "tab\there.py",
    "back\\slash.py",
    "br[ack]et.py",
    "star*.py",
    ":(top)magic.py",
    ":!not.py",
    "-dash.py",
    "#hash.py",
    "caf\u00e9.py",
    "cafe\u0301.py",
    "\u6587\u5b57/\u30d5\u30a1\u30a4\u30eb.py",
    "\U0001f600.py",
    "latin\udce9.py",  # the byte E9, which is not UTF-8
    "100644 blob 0123456789abcdef0123456789abcdef01234567\t.py",
)
