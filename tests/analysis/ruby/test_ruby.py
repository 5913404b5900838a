"""Ruby: facts of single files, what changes what, and where names lead."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.check import cases, check_case, check_change, facts_of, links_of

CASES = list(cases(Path(__file__).parent))


@pytest.mark.parametrize("case", CASES, ids=[str(one["id"]) for one in CASES])
def test_case(case):
    check_case(case)


SHAPES = """\
# frozen_string_literal: true

# A shape.
#   Indented.
# @param unit [String] its unit
class Geo::Shape < Base
  include Area, Geo::Named
  SIDES = 4 # of it
  Point = Struct.new(:x, :y) do
    # Its length.
    def norm
      def hidden; end
    end
  end

  # Its name.
  attr_reader :name, :other
  alias size area

  def initialize(name, unit: "m", &block) = @name = name

  # rubocop:disable Metrics
  def area(a, b = 1, *rest)
    inner = Class.new { def no; end }
    a * b
  end

  class << self
    def make; end

    private

    def secret; end
  end

  def self.other?; end
  private_class_method :other?
  protected def kept; end

  private

  def hide; end
  def self.open; end
  public
  def shown; end
  private :shown, :size
  private_constant :SIDES
end

module Helper
  module_function

  def help; end
end

def top; end
"""


def test_definitions():
    facts = facts_of("shape.rb", SHAPES)
    assert not facts.has_errors
    assert [(one.qualified, one.kind, one.public) for one in facts.definitions] == [
        ("Geo::Shape", "class", True),
        ("Geo::Shape::SIDES", "constant", False),
        ("Geo::Shape::Point", "class", True),
        ("Geo::Shape::Point.x", "property", True),
        ("Geo::Shape::Point.y", "property", True),
        ("Geo::Shape::Point.norm", "method", True),
        ("Geo::Shape.name", "property", True),
        ("Geo::Shape.other", "property", True),
        ("Geo::Shape.size", "method", False),
        ("Geo::Shape.initialize", "method", True),
        ("Geo::Shape.area", "method", True),
        ("Geo::Shape.make", "method", True),
        ("Geo::Shape.secret", "method", False),
        ("Geo::Shape.other?", "method", False),
        ("Geo::Shape.kept", "method", True),
        ("Geo::Shape.hide", "method", False),
        ("Geo::Shape.open", "method", True),
        ("Geo::Shape.shown", "method", False),
        ("Helper", "module", True),
        ("Helper.help", "method", True),
        ("top", "function", True),
    ]
    by_name = {one.qualified: one for one in facts.definitions}
    shape = by_name["Geo::Shape"]
    assert shape.doc == "A shape.\n  Indented.\n@param unit [String] its unit"
    assert (shape.bases, shape.signature) == (("Base",), "class Geo::Shape < Base")
    assert by_name["Geo::Shape.area"].signature == "def area(a, b = 1, *rest)"
    assert by_name["Geo::Shape.area"].doc == ""
    assert by_name["Geo::Shape.name"].signature == "attr_reader :name"
    assert by_name["Geo::Shape.name"].doc == "Its name."
    assert by_name["Geo::Shape.initialize"].signature == 'def initialize(name, unit: "m", &block)'
    assert by_name["Geo::Shape::Point.norm"].doc == "Its length."
    assert by_name["Geo::Shape.make"].signature == "def make"
    assert by_name["Geo::Shape.other?"].signature == "def self.other?"


#: (before, after, the interface changes, the meaning changes)
CHANGES = [
    ("class A\n  def f; 1; end\nend\n", "class A\n    def f\n\n        1\n    end\n\nend\n", False, False),
    ("class A\n  def f\n    1\n  end\nend\n", "class A\n  # x\n\n  def f # y\n    1\n  end\nend\n", False, False),
    ("X = [1, 2]\n", "X = [\n  1,\n  2,\n]\n", False, False),
    ("X = 'a'\n", 'X = "a"\n', False, False),
    ("def f\n  1\nend\n", "def f\n  2\nend\n", False, True),
    ("def f\n  a\n  b\nend\n", "def f\n  a b\nend\n", False, True),
    ("def f(a)\nend\n", "def f(b)\nend\n", True, True),
    ("def f(a = 1)\nend\n", "def f(a = 2)\nend\n", True, True),
    ("def f(a: 1)\nend\n", "def f(a:)\nend\n", True, True),
    ("class A < B\nend\n", "class A < C\nend\n", True, True),
    ("class A\n  include B\nend\n", "class A\n  include C\nend\n", False, True),
    ("class A\n  def f; end\nend\n", "class A\n  private def f; end\nend\n", True, True),
    ("class A\n  def f; end\nend\n", "class A\n  private\n\n  def f; end\nend\n", True, True),
    ("class A\n  private\n  def f; end\nend\n", "class A\n  private\n  def f(a); end\nend\n", False, True),
    ("class A\n  def f; end\n  private :f\nend\n", "class A\n  def f(a); end\n  private :f\nend\n", False, True),
    ("class A\n  B = 1\nend\n", "class A\n  B = 2\nend\n", True, True),
    ("class A\n  B = 1\n  private_constant :B\nend\n", "class A\n  B = 2\n  private_constant :B\nend\n", False, True),
    ("# a\ndef f\nend\n", "# b\ndef f\nend\n", True, True),
    ("# a\n# b\ndef f\nend\n", "#  a\n#b\ndef f\nend\n".replace("#  a", "# a"), False, False),
    ("# a\n\ndef f\nend\n", "# b\n\ndef f\nend\n", False, False),
    ("# frozen_string_literal: true\nX = 1\n", "X = 1\n", False, True),
    ("class A\n  def f; end\n  def g; end\nend\n", "class A\n  def g; end\n  def f; end\nend\n", False, True),
    ("class A\n  attr_reader :a\nend\n", "class A\n  attr_accessor :a\nend\n", True, True),
    ("A = Struct.new(:a)\n", "A = Struct.new(:a, :b)\n", True, True),
    ("X = <<~T\n  a\nT\n", "X = <<~T\n  b\nT\n", True, True),
    ("x\n__END__\na\n", "x\n__END__\nb\n", False, True),
    ("require 'a'\n", "require 'b'\n", False, True),
    ("def f = 1\n", "def f = 2\n", False, True),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after", "interface", "meaning"), CHANGES)
def test_change(before, after, interface, meaning):
    check_change("a.rb", before, after, interface=interface, meaning=meaning)


def test_what_is_unclear_or_leads_nowhere():
    links = links_of(
        {
            "a.rb": "require_relative 'gone'\nrequire 'json'\nrequire 'm/gone'\nThing\nNowhere.go\n",
            "lib/m.rb": "module M; end\n",
            "one.rb": "class Thing\n  def a; end\nend\n",
            "two.rb": "class Thing\n  def b; end\nend\n",
        }
    )
    found = [(one.text, one.line) for one in links["a.rb"].unresolved]
    assert found == [("Thing", 4), ("gone", 1), ("m/gone", 3)]


def test_a_module_included_at_the_top():
    links = links_of(
        {
            "a.rb": "require_relative 'helper'\nThing.new\nclass A\n  def x = Thing\nend\n",
            "helper.rb": "require_relative 'm'\ninclude M\n",
            "m.rb": "module M\n  class Thing; end\nend\n",
            "b.rb": "Thing\n",
        }
    )
    assert {edge.target for edge in links["a.rb"].edges} == {"helper.rb", "m.rb"}
    assert not links["b.rb"].edges


def test_tests_of_a_part_without_a_gemspec():
    links = links_of(
        {
            "parts/x/spec/deep/a_spec.rb": "require 'helper'\nrequire 'x/y'\n",
            "parts/x/spec/helper.rb": "",
            "parts/x/lib/x/y.rb": "require 'x/z'\n",
            "parts/x/lib/x/z.rb": "",
            "spec/helper.rb": "",
        }
    )
    found = {edge.target for edge in links["parts/x/spec/deep/a_spec.rb"].edges}
    assert found == {"parts/x/spec/helper.rb", "parts/x/lib/x/y.rb"}
    assert [edge.target for edge in links["parts/x/lib/x/y.rb"].edges] == ["parts/x/lib/x/z.rb"]


def test_a_variable_is_not_made_again_where_it_is_used():
    links = links_of(
        {
            "a.rb": "class A\n  def initialize\n    @b = B.new\n  end\n  def x\n    @b.go\n    c = B.new\n    c.go\n  end\nend\n",
            "b.rb": "class B\n  def initialize; end\n  def go; end\nend\n",
        }
    )
    uses = {(one.symbol, one.scope, one.lines) for one in links["a.rb"].uses}
    assert uses == {
        ("B", "A.initialize", (3,)),
        ("B.initialize", "A.initialize", (3,)),
        ("B", "A.x", (7,)),
        ("B.initialize", "A.x", (7,)),
        ("B.go", "A.x", (6, 8)),
    }


def test_what_blocks_define_and_include_is_not_of_the_class_around():
    links = links_of(
        {
            "a.rb": "class A\n  describe 'x' do\n    include M\n    class Inner < B; end\n  end\n  class << self\n    include N\n  end\n  def x = one\n  def self.y = two\nend\nA.three\n",
            "b.rb": "class B\n  def one; end\nend\n",
            "m.rb": "module M\n  def one; end\n  def two; end\nend\n",
            "n.rb": "module N\n  def three; end\nend\n",
        }
    )
    used = {use.symbol for use in links["a.rb"].uses if use.target != "a.rb"}
    assert used == {"B", "M", "N", "N.three"}


def test_a_method_defined_in_a_block_is_the_files_own():
    links = links_of(
        {
            "spec/a_spec.rb": "require_relative 'helper'\ndescribe 'x' do\n  def app = 1\n  it { app; other }\nend\n",
            "spec/helper.rb": "def app = 2\ndef other = 3\n",
        }
    )
    assert {use.symbol for use in links["spec/a_spec.rb"].uses} == {"*", "other"}


def test_all_files_of_a_folder():
    links = links_of(
        {
            "spec/helper.rb": "Dir[File.join(__dir__, 'support/**/*.rb')].sort.each { |f| require f }\nDir.glob('lib/x/*.rb').each do |f|\n  load f\nend\n",
            "spec/support/a.rb": "",
            "spec/support/b/c.rb": "",
            "spec/other.rb": "",
            "lib/x/y.rb": "",
            "lib/x/z/no.rb": "",
        }
    )
    found = {edge.target for edge in links["spec/helper.rb"].edges}
    assert found == {"spec/support/a.rb", "spec/support/b/c.rb", "lib/x/y.rb"}


def test_ruby_itself_is_not_where_a_project_opens_it():
    links = links_of(
        {
            "lib/core.rb": "class String\n  def shout; end\nend\nclass Hash\n  def self.deep; end\nend\n",
            "a.rb": "String.new\nHash.deep\n",
            "b.rb": "String.new\n",
        }
    )
    assert [(edge.target, edge.names) for edge in links["a.rb"].edges] == [
        ("lib/core.rb", ("Hash.deep",))
    ]
    assert not links["b.rb"].edges


def test_a_class_defined_in_a_block_is_the_files_own():
    links = links_of(
        {
            "spec/a_spec.rb": "describe 'x' do\n  class Fake; end\n  class M::More; end\n  it { Fake.new; M::Real }\nend\n",
            "lib/fake.rb": "class Fake; end\n",
            "lib/m/real.rb": "module M\n  class Real; end\nend\n",
        }
    )
    assert {edge.target for edge in links["spec/a_spec.rb"].edges} == {"lib/m/real.rb"}


def test_kinds_of_edges_and_uses():
    links = links_of(
        {
            "a.rb": "require_relative 'b'\nclass A < B\n  def x\n    B.make.go\n    one\n  end\nend\n",
            "b.rb": "class B < C\n  def self.make; end\nend\n",
            "c.rb": "class C\n  def one; end\nend\n",
        }
    )
    kinds = {(edge.target, edge.kind) for edge in links["a.rb"].edges}
    assert kinds == {("b.rb", "require_relative"), ("b.rb", "constant"), ("c.rb", "member")}
    uses = {(one.symbol, one.kind, one.lines, one.scope) for one in links["a.rb"].uses}
    assert uses == {
        ("*", "import", (1,), ""),
        ("B", "base", (2,), "A"),
        ("B", "read", (4,), "A.x"),
        ("B.make", "read", (4,), "A.x"),
        ("C.one", "call", (5,), "A.x"),
    }


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"class A{n} < A{n + 1}::B\n  include A{n + 2}\nend\n" for n in range(600)),
        "".join(f"A{n} = A{n + 1}::B\n" for n in range(600)) + "A0::C.x\n",
        "A = B\nB = A\nA::C = A::B::C\nclass D < D::D\n  include E\nend\nmodule E; include D; end\nA::X.y\n",
        "include A\ninclude B\nmodule A; include B; end\nmodule B; include A; end\nA::X\n",
    ],
)
def test_long_and_round_ways_end(text):
    assert links_of({"a.rb": text})["a.rb"] is not None
