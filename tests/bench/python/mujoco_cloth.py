# SPDX-License-Identifier: MIT
"""The cloth as a flex of MuJoCo.

mujoco_cloth.py '{"substeps": 4, "iterations": 15, "timeconst": 0.005}' has a constraint for each edge, solved by conjugate gradients;
mujoco_cloth.py '{"substeps": 1, "young": 1e5}' has elasticity, which is integrated implicitly.
"""

import sys
from collections.abc import Callable
from typing import Any

import mujoco
import numpy as np
import scene

THICKNESS = 0.001
MODEL = """
<mujoco>
  <option timestep="{step}" gravity="0 -{gravity} 0" solver="CG" iterations="{iterations}" integrator="{integrator}" jacobian="sparse">
    <flag contact="disable"/>
  </option>
  <size memory="1G"/>
  <worldbody>
    <flexcomp name="cloth" type="grid" dim="2" count="{side} {side} 1" spacing="{spacing} {spacing} {spacing}" mass="{mass}"
              radius="{radius}" pos="0 {height} {middle}" quat="0.7071067811865476 0.7071067811865476 0 0">
      <contact selfcollide="none"/>
      {stiffness}
      <pin id="{pins}"/>
    </flexcomp>
  </worldbody>
</mujoco>
"""
mujoco.set_mju_user_warning(lambda message: print(message, file=sys.stderr))  # else they go to a file in the present folder
UNSTABLE = (mujoco.mjtWarning.mjWARN_BADQPOS, mujoco.mjtWarning.mjWARN_BADQVEL, mujoco.mjtWarning.mjWARN_BADQACC)


def model_of(settings: dict[str, Any]) -> mujoco.MjModel:
    elastic = "young" in settings
    if elastic:
        stiffness = f'<elasticity young="{settings["young"]}" thickness="{THICKNESS}" elastic2d="stretch" poisson="0"/>'
    else:
        stiffness = f'<edge equality="true" solref="{settings["timeconst"]} 1"/>'
    text = MODEL.format(
        step=scene.TICK / settings["substeps"],
        gravity=scene.GRAVITY,
        iterations=settings.get("iterations", 1),
        integrator="discrete" if elastic else "Euler",
        side=scene.SIDE,
        spacing=scene.SPACING,
        mass=scene.MASS,
        radius=THICKNESS,
        height=scene.HEIGHT,
        middle=(scene.SIDE - 1) / 2 * scene.SPACING,
        stiffness=stiffness,
        pins=" ".join(map(str, scene.PINS)),
    )
    return mujoco.MjModel.from_xml_string(text)


def cloth(settings: dict[str, Any]) -> tuple[Callable[[], None], Callable[[], np.ndarray]]:
    model = model_of(settings)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)

    def tick() -> None:
        mujoco.mj_step(model, data, nstep=settings["substeps"])

    def positions() -> np.ndarray:
        # MuJoCo puts a cloth that becomes unstable back to its start, with a warning.
        broken = any(data.warning[kind].number for kind in UNSTABLE)
        return data.flexvert_xpos.reshape(scene.SIDE, scene.SIDE, 3) * (np.nan if broken else 1)

    return tick, positions


if __name__ == "__main__":
    scene.main(cloth)
