"""One annotator of a team folder in a separate process: marks, comments and synchronises.

    python -m tests.plugins.team_folder.member_process WORKSPACE SEED ROUNDS

Prints a line after each save: everything that was printed must be there in the end.
"""

import random
import sys
from pathlib import Path

from annotate.marks import edits
from annotate.marks.gold import Gold, Target
from annotate.plugins.team_folder.sync import TeamFolder
from annotate.plugins.team_work import comments
from annotate.workspace.workspace import PageStatus, Workspace
from engine.errors import PageletError
from tests.annotate.pages import row_of
from tests.plugins.team_folder.parts import KEYS, NODES


def main(path: Path, seed: int, rounds: int) -> None:
    dice = random.Random(seed)
    with Workspace.open(path) as workspace, TeamFolder.opened(path) as team:
        for number in range(rounds):
            key = dice.choice(KEYS)
            if dice.random() < 0.3:
                saved = comments.add(workspace, key, f"{seed} {number}")
            elif dice.random() < 0.3:
                workspace.set_status(key, dice.choice(list(PageStatus)[1:]))
                saved = ""
            else:
                gold = workspace.load_gold(key, NODES)
                target = Target(row_of(NODES, dice.choice(["h1", "a", "b"])))
                rest = Gold(tuple(each for each in gold.marks if each.targets != (target,)))
                gold = edits.add_block(rest, NODES, [target], 1, f"{seed} {number}")
                workspace.save_gold(key, gold, NODES, saved := f"{seed} {number}")
            if saved:
                print(saved, flush=True)
            try:
                team.sync()
            except PageletError as error:
                print("!", error, flush=True)
    print("end", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
