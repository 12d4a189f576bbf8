# SPDX-License-Identifier: MIT
"""The evolution strategy: it learns, in the same way each time, and says what is wrong with its options."""

from __future__ import annotations

import functools

import pytest

from weft_world.gym import baseline
from weft_world.gym.baseline import Strategy

small = functools.partial(Strategy, pairs=4, test_episodes=2, episode_steps=20)


def test_three_generations_improve_a_policy_and_repeat_to_the_bit() -> None:
    def learned() -> tuple[float, float, bytes]:
        with small("FoldCloth", 1) as strategy:
            before = strategy.score()
            for _ in range(3):
                strategy.advance()
            return before.mean, strategy.score().mean, strategy.policy.tobytes()

    before, after, policy = learned()
    assert after > before + 0.05
    assert learned() == (before, after, policy)


def test_the_command_prints_a_table(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(baseline, "Strategy", small)
    assert baseline.main(["--task", "HangCloth", "--generations", "1", "--seed", "1"]) == 0
    title, _, head, before, after = capsys.readouterr().out.splitlines()
    assert title.startswith("HangCloth, seed 1, ")
    assert head.split() == ["mean", "return", "±", "error", "steps"]
    assert before.split()[0] == "before"
    assert after.split()[:3] == ["after", "1", "generations"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--task", "FlyCloth"], "invalid choice: 'FlyCloth' (choose from"),
        (["--minutes", "0"], "argument --minutes: it must be above 0 and at most 1440, got 0"),
        (["--minutes", "soon"], "argument --minutes: it must be a number of minutes, got 'soon'"),
        (["--seed", "-1"], "argument --seed: it must be a whole number from 0 to 1000000, got '-1'"),
        (["--generations", "1.5"], "argument --generations: it must be a whole number from 0 to 1000000, got '1.5'"),
    ],
)
def test_wrong_options_are_refused(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        baseline.main(arguments)
    assert words in capsys.readouterr().err
