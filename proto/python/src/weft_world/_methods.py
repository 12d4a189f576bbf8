# SPDX-License-Identifier: MIT
# Generated from proto/weft.openrpc.json by proto/generate.mjs: do not edit, run `make generate`.
"""The methods of the protocol. Of a Caller they return when the reply has come; of an AsyncCaller they are to be awaited."""

from weft_world._caller import REQUIRED

class WorldMethods:
    """The methods of the protocol."""

    def cloth(self, columns=REQUIRED, rows=REQUIRED, *, spacing=0.05, mesh="grid", shear=True, position=(0, 0, 0), rotation=(0, 0, 0, 1), pin="topCorners", mass=None, areal_density=None, masses=None, friction=0.5, restitution=0, stretch_compliance=0, bend=False, bend_compliance=0, fabric=None, stretch_warp=None, stretch_weft=None, shear_stiffness=None, bend_warp=None, bend_weft=None, crease_curvature=None, tethers=False, tear=None, tear_force=None, thickness=0, self_collision=False, projection="current", color=None, name=None, at_tick=None, **unknown):
        """Create a cloth.

        The cloth is centred in its local x–y plane, with columns along +x and rows along −y,
        starting at the top. The index of a particle is row·columns + column.

        Args:
            columns: Number of particles in a row. At least 2, at most 4096.
            rows: Number of particles in a column. At least 2, at most 4096.
            spacing: Distance between neighbouring particles. In m. At least 0.0001, at most 1000.
                Default: 0.05.
            mesh: Lattice of the cloth: squares (grid), or equilateral triangles with every second
                row shifted by half a spacing (hex). One of "grid", "hex". Default: "grid".
            shear: Whether to add sticks across the diagonals of a grid's squares. Default: True.
            position: Position of the cloth's centre. In m. Default: (0, 0, 0).
            rotation: Quaternion [x, y, z, w]; it is normalised, and must not be zero. Default: (0,
                0, 0, 1).
            pin: Particles that are pinned: a named choice, or indices. A mesh accepts only "none"
                and indices. One of "topCorners", "corners", "topEdge", "none". Default:
                "topCorners".
            mass: Total mass, distributed over the particles by area. Cannot be combined with
                areal_density or masses. In kg. At least 0.000001, at most 1000000.
            areal_density: Mass per area; 0.2 if neither mass nor masses is given. In kg/m². Above
                0, at most 10000.
            masses: One mass per particle.
            friction: Coefficient of friction; the coefficient of two materials in contact is
                √(μ₁μ₂). At least 0, at most 10. Default: 0.5.
            restitution: Share of the approach speed that is kept after a bounce; two materials in
                contact use the larger value. At least 0, at most 1. Default: 0.
            stretch_compliance: Compliance of every structural and shear stick, which acts as a
                spring of 1/stretch_compliance N/m; 0 is rigid. Sticks are solved one by one, so
                their forces are within 5 % of the spring's only if stretch_compliance · particle
                mass · (tick_hz · substeps)² is at least 20 with 1 iteration, 1.2 with 4, 0.3 with
                16 or 0.06 with 64. A stiffer spring exerts only part of its force;
                `compliance.residual` of world.measure is the missing share. In m/N. At least 0, at
                most 1000. Default: 0.
            bend: Whether to add sticks that resist bending, between particles that share a
                neighbour. Default: False.
            bend_compliance: Compliance of every bending stick; 0 is rigid. The limits of accuracy
                described for stretch_compliance apply to it too. In m/N. At least 0, at most 1000.
                Default: 0.
            fabric: A fabric that was measured, with its stiffnesses and, if neither mass nor masses
                nor areal_density is given, its mass per area: cotton of a T-shirt, denim of jeans,
                polyester of a tablecloth, nylon of a swimsuit, twill of trousers, a blanket.
                Members of its own take precedence. Excludes bend and compliances. One of "cotton",
                "denim", "polyester", "nylon", "twill", "blanket".
            stretch_warp: Stiffness along the warp: force per width and strain. Makes a fabric of
                the sheet even without `fabric`. The warp runs along the local y axis, or along z in
                a mesh that faces along y. In N/m. At least 0.1, at most 1000000.
            stretch_weft: Stiffness along the weft; as along the warp if absent. Requires fabric or
                stretch_warp. In N/m. At least 0.1, at most 1000000.
            shear_stiffness: Stiffness against shear: force per width and angle in radians; a tenth
                of the lesser stretch stiffness if absent. Requires fabric or stretch_warp. In N/m.
                At least 0.01, at most 1000000.
            bend_warp: Stiffness against bending of the warp: moment per width and curvature; as of
                the weft if absent. 0 bends freely. Requires fabric or stretch_warp. In N·m. At
                least 0, at most 10.
            bend_weft: Stiffness against bending of the weft: moment per width and curvature; as of
                the warp if absent. 0 bends freely. Requires fabric or stretch_warp. In N·m. At
                least 0, at most 10.
            crease_curvature: Curvature beyond which bending stays: folded sharper than a radius of
                1/crease_curvature, the cloth keeps a crease. If absent, all bending is elastic.
                Requires fabric or stretch_warp. In 1/m. At least 0.001, at most 100000.
            tethers: Whether to limit the distance of every particle from its nearest pin, so that a
                hanging cloth does not stretch. Default: False.
            tear: A stick breaks when its length exceeds this multiple of its rest length. If
                absent, sticks never break. Above 1, at most 1000.
            tear_force: A stick breaks when it pulls with more than this force, on average over a
                tick. If absent, no force breaks one. Excludes a fabric. In N. At least 0.000001, at
                most 1000000000.
            thickness: Distance that the cloth keeps from obstacles, from itself and from other
                cloth; at most twice the mean side of its triangles. In m. At least 0, at most 1.
                Default: 0.
            self_collision: Whether to keep the cloth from passing through itself; requires a
                thickness greater than 0. Default: False.
            projection: Direction of a stick's projection: its present direction (current, after
                Jakobsen), which damps rotation, or its direction at the start of the substep
                (start, as in SHAKE), which conserves it. One of "current", "start". Default:
                "current".
            color: Color as "#rrggbb".
            name: Name that is shown to people; control, invisible and direction-changing characters
                are not allowed.
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            LimitError, StateError, RateError, FrozenError.

        Method of the protocol: cloth.spawn.
        """
        return self._make("object", "cloth.spawn", {"columns": columns, "rows": rows, "spacing": spacing, "mesh": mesh, "shear": shear, "position": position, "rotation": rotation, "pin": pin, "mass": mass, "arealDensity": areal_density, "masses": masses, "friction": friction, "restitution": restitution, "stretchCompliance": stretch_compliance, "bend": bend, "bendCompliance": bend_compliance, "fabric": fabric, "stretchWarp": stretch_warp, "stretchWeft": stretch_weft, "shearStiffness": shear_stiffness, "bendWarp": bend_warp, "bendWeft": bend_weft, "creaseCurvature": crease_curvature, "tethers": tethers, "tear": tear, "tearForce": tear_force, "thickness": thickness, "selfCollision": self_collision, "projection": projection, "color": color, "name": name, "atTick": at_tick}, unknown)

    def mesh(self, positions=REQUIRED, triangles=REQUIRED, *, position=(0, 0, 0), rotation=(0, 0, 0, 1), pin="none", mass=None, areal_density=None, masses=None, friction=0.5, restitution=0, stretch_compliance=0, bend=False, bend_compliance=0, fabric=None, stretch_warp=None, stretch_weft=None, shear_stiffness=None, bend_warp=None, bend_weft=None, crease_curvature=None, tethers=False, tear=None, tear_force=None, thickness=0, self_collision=False, projection="current", pressure=None, supplied=False, color=None, name=None, at_tick=None, **unknown):
        """Create a cloth from a triangle mesh.

        The cloth has one particle per vertex and one stick per edge.

        Args:
            positions: Three numbers per particle, flat [x0, y0, z0, x1, …] or as triples [[x0, y0,
                z0], …]. In m.
            triangles: Three particle indices per triangle, flat or as triples.
            position: Position of the origin of the mesh's local coordinates. In m. Default: (0, 0,
                0).
            rotation: Quaternion [x, y, z, w]; it is normalised, and must not be zero. Default: (0,
                0, 0, 1).
            pin: Particles that are pinned: a named choice, or indices. A mesh accepts only "none"
                and indices. One of "topCorners", "corners", "topEdge", "none". Default: "none".
            mass: Total mass, distributed over the particles by area. Cannot be combined with
                areal_density or masses. In kg. At least 0.000001, at most 1000000.
            areal_density: Mass per area; 0.2 if neither mass nor masses is given. In kg/m². Above
                0, at most 10000.
            masses: One mass per particle.
            friction: Coefficient of friction; the coefficient of two materials in contact is
                √(μ₁μ₂). At least 0, at most 10. Default: 0.5.
            restitution: Share of the approach speed that is kept after a bounce; two materials in
                contact use the larger value. At least 0, at most 1. Default: 0.
            stretch_compliance: Compliance of every structural and shear stick, which acts as a
                spring of 1/stretch_compliance N/m; 0 is rigid. Sticks are solved one by one, so
                their forces are within 5 % of the spring's only if stretch_compliance · particle
                mass · (tick_hz · substeps)² is at least 20 with 1 iteration, 1.2 with 4, 0.3 with
                16 or 0.06 with 64. A stiffer spring exerts only part of its force;
                `compliance.residual` of world.measure is the missing share. In m/N. At least 0, at
                most 1000. Default: 0.
            bend: Whether to add sticks that resist bending, between particles that share a
                neighbour. Default: False.
            bend_compliance: Compliance of every bending stick; 0 is rigid. The limits of accuracy
                described for stretch_compliance apply to it too. In m/N. At least 0, at most 1000.
                Default: 0.
            fabric: A fabric that was measured, with its stiffnesses and, if neither mass nor masses
                nor areal_density is given, its mass per area: cotton of a T-shirt, denim of jeans,
                polyester of a tablecloth, nylon of a swimsuit, twill of trousers, a blanket.
                Members of its own take precedence. Excludes bend and compliances. One of "cotton",
                "denim", "polyester", "nylon", "twill", "blanket".
            stretch_warp: Stiffness along the warp: force per width and strain. Makes a fabric of
                the sheet even without `fabric`. The warp runs along the local y axis, or along z in
                a mesh that faces along y. In N/m. At least 0.1, at most 1000000.
            stretch_weft: Stiffness along the weft; as along the warp if absent. Requires fabric or
                stretch_warp. In N/m. At least 0.1, at most 1000000.
            shear_stiffness: Stiffness against shear: force per width and angle in radians; a tenth
                of the lesser stretch stiffness if absent. Requires fabric or stretch_warp. In N/m.
                At least 0.01, at most 1000000.
            bend_warp: Stiffness against bending of the warp: moment per width and curvature; as of
                the weft if absent. 0 bends freely. Requires fabric or stretch_warp. In N·m. At
                least 0, at most 10.
            bend_weft: Stiffness against bending of the weft: moment per width and curvature; as of
                the warp if absent. 0 bends freely. Requires fabric or stretch_warp. In N·m. At
                least 0, at most 10.
            crease_curvature: Curvature beyond which bending stays: folded sharper than a radius of
                1/crease_curvature, the cloth keeps a crease. If absent, all bending is elastic.
                Requires fabric or stretch_warp. In 1/m. At least 0.001, at most 100000.
            tethers: Whether to limit the distance of every particle from its nearest pin, so that a
                hanging cloth does not stretch. Default: False.
            tear: A stick breaks when its length exceeds this multiple of its rest length. If
                absent, sticks never break. Above 1, at most 1000.
            tear_force: A stick breaks when it pulls with more than this force, on average over a
                tick. If absent, no force breaks one. Excludes a fabric. In N. At least 0.000001, at
                most 1000000000.
            thickness: Distance that the cloth keeps from obstacles, from itself and from other
                cloth; at most twice the mean side of its triangles. In m. At least 0, at most 1.
                Default: 0.
            self_collision: Whether to keep the cloth from passing through itself; requires a
                thickness greater than 0. Default: False.
            projection: Direction of a stick's projection: its present direction (current, after
                Jakobsen), which damps rotation, or its direction at the start of the substep
                (start, as in SHAKE), which conserves it. One of "current", "start". Default:
                "current".
            pressure: Fills a closed mesh with gas, whose pressure above that outside this is at the
                volume that it has now: a balloon, a cushion. Every edge needs two triangles, and
                they must wind outward, counter-clockwise as seen from outside. A mesh that tears
                loses its gas. In Pa. At least -100000, at most 1000000.
            supplied: Whether the pressure of the gas stays, as from a pump; otherwise its amount
                does, (101325 Pa + pressure) · volume. Default: False.
            color: Color as "#rrggbb".
            name: Name that is shown to people; control, invisible and direction-changing characters
                are not allowed.
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            LimitError, StateError, RateError, FrozenError.

        Method of the protocol: mesh.spawn.
        """
        return self._make("object", "mesh.spawn", {"positions": positions, "triangles": triangles, "position": position, "rotation": rotation, "pin": pin, "mass": mass, "arealDensity": areal_density, "masses": masses, "friction": friction, "restitution": restitution, "stretchCompliance": stretch_compliance, "bend": bend, "bendCompliance": bend_compliance, "fabric": fabric, "stretchWarp": stretch_warp, "stretchWeft": stretch_weft, "shearStiffness": shear_stiffness, "bendWarp": bend_warp, "bendWeft": bend_weft, "creaseCurvature": crease_curvature, "tethers": tethers, "tear": tear, "tearForce": tear_force, "thickness": thickness, "selfCollision": self_collision, "projection": projection, "pressure": pressure, "supplied": supplied, "color": color, "name": name, "atTick": at_tick}, unknown)

    def particles(self, positions=REQUIRED, *, velocities=None, masses=None, radius=0.05, collision=False, friction=0.5, restitution=0, color=None, name=None, at_tick=None, **unknown):
        """Create loose particles.

        Args:
            positions: Three numbers per particle, flat [x0, y0, z0, x1, …] or as triples [[x0, y0,
                z0], …]. In m.
            velocities: Three numbers per particle, flat or as triples. In m/s.
            masses: One mass per particle; 1 kg each if absent.
            radius: Distance that the particles keep from obstacles and from the world's bounds. In
                m. At least 0, at most 1000. Default: 0.05.
            collision: Whether the particles are balls of their radius that collide with one
                another, with ropes and other particles that have collision, and with cloths, meshes
                and soft bodies that have a thickness; requires a radius greater than 0. Default:
                False.
            friction: Coefficient of friction; the coefficient of two materials in contact is
                √(μ₁μ₂). At least 0, at most 10. Default: 0.5.
            restitution: Share of the approach speed that is kept after a bounce; two materials in
                contact use the larger value. At least 0, at most 1. Default: 0.
            color: Color as "#rrggbb".
            name: Name that is shown to people; control, invisible and direction-changing characters
                are not allowed.
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, LimitError,
            StateError, RateError, FrozenError.

        Method of the protocol: particles.spawn.
        """
        return self._make("object", "particles.spawn", {"positions": positions, "velocities": velocities, "masses": masses, "radius": radius, "collision": collision, "friction": friction, "restitution": restitution, "color": color, "name": name, "atTick": at_tick}, unknown)

    def rope(self, *, from_=None, to=None, positions=None, particles=20, mass=0.5, masses=None, pin="start", friction=0.5, restitution=0, thickness=0, collision=False, stretch_compliance=0, tear_force=None, projection="current", color=None, name=None, at_tick=None, **unknown):
        """Create a rope: a chain of sticks.

        Args:
            from_: Start of a straight rope; with `to`. In m.
            to: End of a straight rope; with `from`. In m.
            positions: Places of the particles from start to end, flat or as triples, in the place
                of `from`, `to` and `particles`: a rope that begins coiled, knotted or hung over
                something. The distances of neighbours are the lengths of the sticks. In m.
            particles: Number of particles of a straight rope, evenly apart. At least 2, at most
                100000. Default: 20.
            mass: Total mass. In kg. At least 0.000001, at most 1000000. Default: 0.5.
            masses: One mass per particle.
            pin: Which ends of the rope are pinned. One of "start", "end", "both", "none". Default:
                "start".
            friction: Coefficient of friction; the coefficient of two materials in contact is
                √(μ₁μ₂). At least 0, at most 10. Default: 0.5.
            restitution: Share of the approach speed that is kept after a bounce; two materials in
                contact use the larger value. At least 0, at most 1. Default: 0.
            thickness: Diameter of the rope, which keeps half of it as its distance from obstacles.
                In m. At least 0, at most 1. Default: 0.
            collision: Whether the rope collides with itself, with particles and other ropes that
                have collision, and with cloths, meshes and soft bodies that have a thickness;
                requires a thickness greater than 0. Default: False.
            stretch_compliance: Compliance of every stick, which acts as a spring of
                1/stretch_compliance N/m; 0 is rigid. A compliant rope is solved as a whole, so its
                forces are accurate with any number of substeps and iterations. Waves on it have the
                right speed within 5 % if their period is at least 16 substeps; faster waves are
                slowed down and damped. In m/N. At least 0, at most 1000. Default: 0.
            tear_force: A stick breaks when it pulls with more than this force, on average over a
                tick. If absent, no force breaks one. In N. At least 0.000001, at most 1000000000.
            projection: Direction in which sticks move their ends: their present direction
                (current), which damps swinging and rotation, or their direction at the start of the
                substep (start), which conserves energy and rotation and suits pendulums. Sticks
                with a stretch_compliance above 0 always use their present direction. One of
                "current", "start". Default: "current".
            color: Color as "#rrggbb".
            name: Name that is shown to people; control, invisible and direction-changing characters
                are not allowed.
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            LimitError, StateError, RateError, FrozenError.

        Method of the protocol: rope.spawn.
        """
        return self._make("object", "rope.spawn", {"from": from_, "to": to, "positions": positions, "particles": particles, "mass": mass, "masses": masses, "pin": pin, "friction": friction, "restitution": restitution, "thickness": thickness, "collision": collision, "stretchCompliance": stretch_compliance, "tearForce": tear_force, "projection": projection, "color": color, "name": name, "atTick": at_tick}, unknown)

    def body(self, *, shape="tetrahedron", size=None, vertices=None, radius=None, length=None, height=None, parts=None, position=(0, 0, 0), rotation=(0, 0, 0, 1), velocity=(0, 0, 0), angular_velocity=(0, 0, 0), mass=1, masses=None, friction=0.5, restitution=0, projection="start", color=None, name=None, at_tick=None, **unknown):
        """Create a rigid body: four particles with six constraints.

        The particles of a tetrahedron are its corners. If vertices or parts are given, position is
        where their origin lies; otherwise it is where the centre of mass lies. The axis of a
        capsule or a cylinder is y.

        Args:
            shape: Shape of the body: a tetrahedron is its particles, a frame consists of three rods
                at right angles, every other shape is embedded in four particles with its exact
                mass, centre and inertia. A compound body is one rigid body of several parts. One of
                "tetrahedron", "box", "hull", "frame", "sphere", "capsule", "cylinder", "compound".
                Default: "tetrahedron".
            size: For a tetrahedron, the edge length (0.4 if absent); for a box, the full extents
                [x, y, z], each at least 0.001; for a frame, the length of its axes. Cannot be
                combined with vertices. In m.
            vertices: Points in local coordinates, flat or as triples: 4 for a tetrahedron, or 4 to
                256 within ±1000 m for a hull. In m.
            radius: Radius of a sphere, a capsule or a cylinder. A box or a hull is rounded by it
                and larger by it on every side. In m. At least 0.0005, at most 1000.
            length: Distance between the centres of the ends of a capsule. In m. At least 0.001, at
                most 1000.
            height: Height of a cylinder. In m. At least 0.001, at most 1000.
            parts: Parts of a compound body, which may overlap and do not collide with one another;
                1024 vertices and 2048 triangles in all. Members: shape*, size, vertices, radius,
                length, height, position, rotation, density, share.
            position: Position of the centre of mass or, if vertices or parts are given, of their
                origin. In m. Default: (0, 0, 0).
            rotation: Quaternion [x, y, z, w]; it is normalised, and must not be zero. Default: (0,
                0, 0, 1).
            velocity: Velocity [x, y, z]. In m/s. Default: (0, 0, 0).
            angular_velocity: Angular velocity [x, y, z] about the centre of mass. In rad/s.
                Default: (0, 0, 0).
            mass: Total mass. In kg. At least 0.000001, at most 1000000. Default: 1.
            masses: Masses of the four particles of a tetrahedron or frame. Cannot be combined with
                mass.
            friction: Coefficient of friction; the coefficient of two materials in contact is
                √(μ₁μ₂). At least 0, at most 10. Default: 0.5.
            restitution: Share of the approach speed that is kept after a bounce; two materials in
                contact use the larger value. At least 0, at most 1. Default: 0.
            projection: Direction of a stick's projection: its present direction (current, after
                Jakobsen), which damps rotation, or its direction at the start of the substep
                (start, as in SHAKE), which conserves it. One of "current", "start". Default:
                "start".
            color: Color as "#rrggbb".
            name: Name that is shown to people; control, invisible and direction-changing characters
                are not allowed.
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, LimitError,
            StateError, RateError, FrozenError.

        Method of the protocol: body.spawn.
        """
        return self._make("object", "body.spawn", {"shape": shape, "size": size, "vertices": vertices, "radius": radius, "length": length, "height": height, "parts": parts, "position": position, "rotation": rotation, "velocity": velocity, "angularVelocity": angular_velocity, "mass": mass, "masses": masses, "friction": friction, "restitution": restitution, "projection": projection, "color": color, "name": name, "atTick": at_tick}, unknown)

    def plant(self, *, position=(0, 0, 0), height=1, levels=10, leaves=4, mass=0.3, stiffness=0.5, friction=0.5, color=None, name=None, at_tick=None, **unknown):
        """Create a plant.

        A plant is a stem of crossed sticks with pairs of leaves. It bends in the wind and
        straightens up again; its root is pinned.

        Args:
            position: Position of the root. In m. Default: (0, 0, 0).
            height: Height of the stem. In m. At least 0.01, at most 100. Default: 1.
            levels: Number of storeys of the stem. At least 3, at most 64. Default: 10.
            leaves: Number of pairs of leaves. At least 0, at most 64. Default: 4.
            mass: Total mass. In kg. At least 0.000001, at most 1000000. Default: 0.3.
            stiffness: How strongly the stem's supports resist bending. At least 0, at most 1.
                Default: 0.5.
            friction: Coefficient of friction; the coefficient of two materials in contact is
                √(μ₁μ₂). At least 0, at most 10. Default: 0.5.
            color: Color as "#rrggbb".
            name: Name that is shown to people; control, invisible and direction-changing characters
                are not allowed.
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, LimitError,
            StateError, RateError, FrozenError.

        Method of the protocol: plant.spawn.
        """
        return self._make("object", "plant.spawn", {"position": position, "height": height, "levels": levels, "leaves": leaves, "mass": mass, "stiffness": stiffness, "friction": friction, "color": color, "name": name, "atTick": at_tick}, unknown)

    def ragdoll(self, *, position=(0, 1, 0), rotation=(0, 0, 0, 1), velocity=(0, 0, 0), height=1.7, mass=70, friction=0.5, color=None, name=None, at_tick=None, **unknown):
        """Create a ragdoll.

        A ragdoll has eleven bones. Bones that share one particle form a pin joint, bones that share
        two a hinge; limits prevent joints from bending the wrong way.

        Args:
            position: Position of the pelvis. In m. Default: (0, 1, 0).
            rotation: Quaternion [x, y, z, w]; it is normalised, and must not be zero. Default: (0,
                0, 0, 1).
            velocity: Velocity [x, y, z]. In m/s. Default: (0, 0, 0).
            height: Height from head to foot. In m. At least 0.01, at most 100. Default: 1.7.
            mass: Total mass. In kg. At least 0.000001, at most 1000000. Default: 70.
            friction: Coefficient of friction; the coefficient of two materials in contact is
                √(μ₁μ₂). At least 0, at most 10. Default: 0.5.
            color: Color as "#rrggbb".
            name: Name that is shown to people; control, invisible and direction-changing characters
                are not allowed.
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, LimitError,
            StateError, RateError, FrozenError.

        Method of the protocol: ragdoll.spawn.
        """
        return self._make("object", "ragdoll.spawn", {"position": position, "rotation": rotation, "velocity": velocity, "height": height, "mass": mass, "friction": friction, "color": color, "name": name, "atTick": at_tick}, unknown)

    def soft(self, *, shape="box", size=None, radius=None, cells=None, positions=None, tetrahedra=None, position=(0, 0, 0), rotation=(0, 0, 0, 1), velocity=(0, 0, 0), angular_velocity=(0, 0, 0), young=20000, poisson=0.4, density=1000, viscosity=0.002, pin="none", friction=0.5, restitution=0, thickness=0.01, self_collision=False, projection="start", color=None, name=None, at_tick=None, **unknown):
        """Create a soft body: particles and tetrahedra of an elastic material.

        A soft body is given in SI units, and bends, swings and carries as its material does,
        whatever its tetrahedra. Each counts as four sticks against limits.

        Args:
            shape: A box of cells, a ball of cells, or given tetrahedra. One of "box", "ball",
                "tetrahedra". Default: "box".
            size: Full extents [x, y, z] of a box, each from 0.001 to 10000; [0.4, 0.4, 0.4] if
                absent. In m.
            radius: Radius of a ball; 0.2 if absent. In m. At least 0.001, at most 10000.
            cells: Cells along x, y and z of a box, or one number for all three; for a ball one even
                number across it. 4 if absent. A cell is five tetrahedra. Tetrahedra bend too
                stiffly where they are few: with two cells across, a beam bends by 28 % too little,
                with four by 10 %, with six by 4 %.
            positions: Particles of given tetrahedra in local coordinates, flat or as triples. Every
                particle must belong to a tetrahedron. In m.
            tetrahedra: Four particle indices per tetrahedron, flat and in any order of the four.
                None may be flat, and two may share only whole faces, edges and corners.
            position: Position of the centre of a box or ball, or of the origin of positions. In m.
                Default: (0, 0, 0).
            rotation: Quaternion [x, y, z, w]; it is normalised, and must not be zero. Default: (0,
                0, 0, 1).
            velocity: Velocity [x, y, z]. In m/s. Default: (0, 0, 0).
            angular_velocity: Angular velocity [x, y, z] about the centre of mass. In rad/s.
                Default: (0, 0, 0).
            young: Young's modulus: jelly 10000, soft rubber 1000000. Forces are accurate only if
                sound, of the speed √(young/density), needs at least ten substeps for the length of
                a tetrahedron's side, or five with 4 iterations; what is stiffer is solved as
                something softer. In Pa. At least 1, at most 1000000000000. Default: 20000.
            poisson: Poisson's ratio. At 0.5 every tetrahedron keeps its volume exactly, which also
                makes bending stiffer. At least 0, at most 0.5. Default: 0.4.
            density: Mass per volume. In kg/m³. At least 0.001, at most 100000. Default: 1000.
            viscosity: Damping: the stress of a strain rate of 1/s is this many times that of a
                strain of 1 (Kelvin and Voigt). A viscosity far above the length of a substep makes
                the material softer than young says. In s. At least 0, at most 10. Default: 0.002.
            pin: Particles that are pinned: "none" or indices. In a box, index = (z·(cells_y + 1) +
                y)·(cells_x + 1) + x. One of "topCorners", "corners", "topEdge", "none". Default:
                "none".
            friction: Coefficient of friction; the coefficient of two materials in contact is
                √(μ₁μ₂). At least 0, at most 10. Default: 0.5.
            restitution: Share of the approach speed that is kept after a bounce; two materials in
                contact use the larger value. At least 0, at most 1. Default: 0.
            thickness: Distance that the surface keeps from obstacles, from itself, from cloth and
                from other soft bodies; at most the longest side of its triangles. In m. At least 0,
                at most 1. Default: 0.01.
            self_collision: Whether to keep the surface from passing through itself; requires a
                thickness greater than 0. Default: False.
            projection: Directions in which strains move particles: those at the substep's start
                (start), which conserves angular momentum, or the present ones (current), which
                damps rotation. One of "current", "start". Default: "start".
            color: Color as "#rrggbb".
            name: Name that is shown to people; control, invisible and direction-changing characters
                are not allowed.
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, LimitError,
            StateError, RateError, FrozenError.

        Method of the protocol: soft.spawn.
        """
        return self._make("object", "soft.spawn", {"shape": shape, "size": size, "radius": radius, "cells": cells, "positions": positions, "tetrahedra": tetrahedra, "position": position, "rotation": rotation, "velocity": velocity, "angularVelocity": angular_velocity, "young": young, "poisson": poisson, "density": density, "viscosity": viscosity, "pin": pin, "friction": friction, "restitution": restitution, "thickness": thickness, "selfCollision": self_collision, "projection": projection, "color": color, "name": name, "atTick": at_tick}, unknown)

    def stick(self, a=REQUIRED, b=REQUIRED, *, rest_length=None, kind="equal", compliance=0, projection="start", swing=None, break_force=None, at_tick=None, **unknown):
        """Join two points with a stick.

        A stick of rest_length 0 is a ball joint, and two of them are a hinge about the line through
        both. Bodies, ragdolls and loose particles on a ball joint do not collide with one another.
        A stick between points, and a ball joint, do not collide with obstacles either.

        Args:
            a: Where a stick ends: at a particle of an object, or at a point that up to four of its
                particles carry. Requires exactly one of particle, point, anchor, and particles with
                weights. Members: object*, particle, point, anchor, particles, weights.
            b: Where a stick ends: at a particle of an object, or at a point that up to four of its
                particles carry. Requires exactly one of particle, point, anchor, and particles with
                weights. Members: object*, particle, point, anchor, particles, weights.
            rest_length: Length that the stick keeps; the present distance of its ends if absent,
                less what a swing adds now. 0 makes a ball joint, which needs the kind equal. In m.
                At least 0, at most 100000.
            kind: Whether the stick keeps its length (equal), or only an upper (atMost) or a lower
                (atLeast) bound of it. One of "equal", "atMost", "atLeast". Default: "equal".
            compliance: Compliance of the stick, which acts as a spring of 1/compliance N/m; 0 is
                rigid. If no other stick is attached to its ends, its force is accurate with any
                number of substeps and iterations. Added sticks that share a particle are solved one
                by one, so their forces are within 5 % of the spring's only if compliance · particle
                mass · (tick_hz · substeps)² is at least 20 with 1 iteration, 1.2 with 4, 0.3 with
                16 or 0.06 with 64. A stiffer spring exerts only part of its force;
                `compliance.residual` of world.measure is the missing share. In m/N. At least 0, at
                most 1000. Default: 0.
            projection: Direction in which the stick moves its ends: its direction at the start of
                the substep (start), which conserves energy and rotation, or its present direction
                (current), which damps rotation. This applies to every kind; atMost and atLeast use
                it while they act. A stick with a compliance above 0 always uses its present
                direction, and damps rotation accordingly. One of "current", "start". Default:
                "start".
            swing: A length that swings: rest_length + amplitude · sin(2π · (phase + t / period)),
                where t is the time of the world in s. Members: amplitude*, period, phase.
            break_force: Force above which the stick breaks: the mean of its force over a tick. 0 or
                absent: never. In N. At least 0, at most 1000000000.
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            LimitError, StateError, RateError, FrozenError.

        Method of the protocol: stick.add.
        """
        return self._make("stick", "stick.add", {"a": a, "b": b, "restLength": rest_length, "kind": kind, "compliance": compliance, "projection": projection, "swing": swing, "breakForce": break_force, "atTick": at_tick}, unknown)

    def stick_set(self, stick=REQUIRED, *, rest_length=None, rate=None, kind=None, compliance=None, swing=None, break_force=None, at_tick=None, **unknown):
        """Change a stick that stick.add added.

        Parameters that are absent keep their values; at least one is required. A muscle is a stick
        whose length changes: at once, at a rate, or to and fro with a swing.

        Args:
            stick: Id, which is never reused. At least 1, at most 4294967295.
            rest_length: Length that the stick keeps. 0 makes a ball joint, which needs the kind
                equal. In m. At least 0, at most 100000.
            rate: Rate at which the length moves to rest_length, which is required then; 0 or
                absent: it changes at once. In m/s. At least 0, at most 1000.
            kind: Kind of the stick, as in stick.add. One of "equal", "atMost", "atLeast".
            compliance: Compliance of a stick, which acts as a spring of 1/compliance N/m: the
                change of length per newton of force. 0 is rigid. In m/N. At least 0, at most 1000.
            swing: A length that swings: rest_length + amplitude · sin(2π · (phase + t / period)),
                where t is the time of the world in s. Members: amplitude*, period, phase.
            break_force: Force above which the stick breaks: the mean of its force over a tick. 0 or
                absent: never. In N. At least 0, at most 1000000000.
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            StateError, RateError, FrozenError.

        Method of the protocol: stick.set.
        """
        return self._request("stick.set", {"stick": stick, "restLength": rest_length, "rate": rate, "kind": kind, "compliance": compliance, "swing": swing, "breakForce": break_force, "atTick": at_tick}, unknown)

    def stick_remove(self, stick=REQUIRED, *, at_tick=None, **unknown):
        """Remove a stick that stick.add added.

        Args:
            stick: Id, which is never reused. At least 1, at most 4294967295.
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            StateError, RateError, FrozenError.

        Method of the protocol: stick.remove.
        """
        return self._request("stick.remove", {"stick": stick, "atTick": at_tick}, unknown)

    def obstacle(self, shape=REQUIRED, *, position=(0, 0, 0), radius=None, size=None, rotation=(0, 0, 0, 1), normal=None, from_=None, to=None, columns=None, rows=None, spacing=None, heights=None, positions=None, triangles=None, friction=0.5, restitution=0, velocity=None, angular_velocity=None, pivot=None, surface_velocity=None, path=None, loop=None, path_time=None, color=None, name=None, at_tick=None, **unknown):
        """Add an obstacle, which stays or moves by a velocity or along a path.

        Parameters by shape: sphere: position, radius. box: position, rotation, size. plane:
        position, normal; solid on the side opposite to its normal. capsule: from, to, radius.
        heightfield: position, columns, rows, spacing, heights; solid below. mesh: position,
        rotation, positions, triangles. Cloth, ropes, plants, bodies and ragdolls that lie deep
        inside the obstacle, when it is added or when they are spawned there, are moved out at about
        3 m/s: out of a box or a closed mesh through a near side, out of a sphere, capsule or plane
        along its normal, and upwards out of a height field. An open mesh has no inside; the
        triangles of a closed mesh must face outwards. Loose particles leave a mesh or a height
        field at once, without gaining speed. An obstacle that moves is where its motion has it at
        every tick, whatever it meets; what it touches does not fall asleep. All paths of a world
        have at most 4096 points.

        Args:
            shape: Shape of the obstacle. One of "sphere", "box", "plane", "capsule", "heightfield",
                "mesh".
            position: Position [x, y, z]; y points up. In m. Default: (0, 0, 0).
            radius: Radius of a sphere or a capsule; required for these, refused for other shapes.
                In m. Above 0, at most 100000.
            size: Full extents of a box; required for it, refused for other shapes. In m.
            rotation: Rotation of a box or a mesh. Default: (0, 0, 0, 1).
            normal: Normal of a plane; [0, 1, 0] if absent.
            from_: One end of a capsule's axis. In m.
            to: The other end of a capsule's axis. In m.
            columns: Number of samples of a height field along x. At least 2, at most 4096.
            rows: Number of samples of a height field along z. At least 2, at most 4096.
            spacing: Distance between the samples of a height field. In m. At least 0.0001, at most
                1000.
            heights: Heights of the samples above position, row by row: first along x, then along z.
                The height field is centred on position. In m.
            positions: Vertices of a mesh in local coordinates. In m.
            triangles: Vertex indices of a mesh's triangles, three per triangle, facing outwards.
            friction: Coefficient of friction; the coefficient of two materials in contact is
                √(μ₁μ₂). At least 0, at most 10. Default: 0.5.
            restitution: Share of the approach speed that is kept after a bounce; two materials in
                contact use the larger value. At least 0, at most 1. Default: 0.
            velocity: Velocity [x, y, z] with which the obstacle moves. It pushes what is in its way
                and carries by friction what lies on it. In m/s.
            angular_velocity: Angular velocity [x, y, z] with which the obstacle turns about
                `pivot`; a height field cannot turn. In rad/s.
            pivot: A point on the axis of `angular_velocity`, which moves with `velocity`; the
                obstacle's position, of a capsule the middle of its axis, if absent. In m.
            surface_velocity: Velocity [x, y, z] of the surface of an obstacle that stays where it
                is, as of a conveyor belt; only its part along the surface counts. In m/s.
            path: Points that the obstacle moves through, from where it is put, straight and evenly
                from each to the next; at the last it stays or begins anew. In place of `velocity`
                and `angular_velocity`. Members: time*, position*, rotation.
            loop: Whether the path begins anew when it ends; it must then end where it begins. False
                if absent.
            path_time: Time on the path at which the obstacle begins; 0 if absent. In s. At least 0,
                at most 1000000.
            color: Color as "#rrggbb".
            name: Name that is shown to people; control, invisible and direction-changing characters
                are not allowed.
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, LimitError,
            StateError, RateError, FrozenError.

        Method of the protocol: obstacle.add.
        """
        return self._make("obstacle", "obstacle.add", {"shape": shape, "position": position, "radius": radius, "size": size, "rotation": rotation, "normal": normal, "from": from_, "to": to, "columns": columns, "rows": rows, "spacing": spacing, "heights": heights, "positions": positions, "triangles": triangles, "friction": friction, "restitution": restitution, "velocity": velocity, "angularVelocity": angular_velocity, "pivot": pivot, "surfaceVelocity": surface_velocity, "path": path, "loop": loop, "pathTime": path_time, "color": color, "name": name, "atTick": at_tick}, unknown)

    def obstacle_remove(self, obstacle=REQUIRED, *, at_tick=None, **unknown):
        """Remove an obstacle.

        Args:
            obstacle: Id, which is never reused. At least 1, at most 4294967295.
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            StateError, RateError, FrozenError.

        Method of the protocol: obstacle.remove.
        """
        return self._request("obstacle.remove", {"obstacle": obstacle, "atTick": at_tick}, unknown)

    def obstacle_set(self, obstacle=REQUIRED, *, color=None, name=None, friction=None, restitution=None, velocity=None, angular_velocity=None, pivot=None, surface_velocity=None, path=None, loop=None, path_time=None, at_tick=None, **unknown):
        """Change the color, name, material or motion of an obstacle.

        Properties that are absent keep their values; at least one is required. A new motion begins
        where the obstacle is: `velocity` or `angular_velocity` ends a path, and `path` ends both.

        Args:
            obstacle: Id, which is never reused. At least 1, at most 4294967295.
            color: Color as "#rrggbb".
            name: Name that is shown to people; control, invisible and direction-changing characters
                are not allowed.
            friction: Coefficient of friction; the coefficient of two materials in contact is
                √(μ₁μ₂). At least 0, at most 10.
            restitution: Share of the approach speed that is kept after a bounce; two materials in
                contact use the larger value. At least 0, at most 1.
            velocity: Velocity [x, y, z] with which the obstacle moves. It pushes what is in its way
                and carries by friction what lies on it. [0, 0, 0] stops it, and ends a path. In
                m/s.
            angular_velocity: Angular velocity [x, y, z] with which the obstacle turns about
                `pivot`; a height field cannot turn. In rad/s.
            pivot: A point on the axis of `angular_velocity`, which moves with `velocity`; as
                before, or its position, of a capsule the middle of its axis, if absent. In m.
            surface_velocity: Velocity [x, y, z] of the surface of an obstacle that stays where it
                is, as of a conveyor belt; only its part along the surface counts. In m/s.
            path: Points that the obstacle moves through, from where it is now, straight and evenly
                from each to the next; at the last it stays or begins anew. In place of `velocity`
                and `angular_velocity`. Members: time*, position*, rotation.
            loop: Whether the path begins anew when it ends; it must then end where it begins. False
                if absent.
            path_time: Time on the path at which the obstacle begins; 0 if absent. In s. At least 0,
                at most 1000000.
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            StateError, RateError, FrozenError.

        Method of the protocol: obstacle.set.
        """
        return self._request("obstacle.set", {"obstacle": obstacle, "color": color, "name": name, "friction": friction, "restitution": restitution, "velocity": velocity, "angularVelocity": angular_velocity, "pivot": pivot, "surfaceVelocity": surface_velocity, "path": path, "loop": loop, "pathTime": path_time, "atTick": at_tick}, unknown)

    def object_list(self, **unknown):
        """List all objects.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, RateError.

        Method of the protocol: object.list.
        """
        return self._request("object.list", {}, unknown)

    def object_get(self, object=REQUIRED, **unknown):
        """Get the properties of an object.

        Args:
            object: Id of an object, or in batch.run "$k" for the object that command k of the same
                batch creates.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            RateError.

        Method of the protocol: object.get.
        """
        return self._request("object.get", {"object": object}, unknown)

    def object_remove(self, object=REQUIRED, *, at_tick=None, **unknown):
        """Remove an object and the sticks and grabs on it.

        Args:
            object: Id of an object, or in batch.run "$k" for the object that command k of the same
                batch creates.
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            StateError, RateError, FrozenError.

        Method of the protocol: object.remove.
        """
        return self._request("object.remove", {"object": object, "atTick": at_tick}, unknown)

    def object_set(self, object=REQUIRED, *, color=None, name=None, friction=None, restitution=None, stretch_compliance=None, bend_compliance=None, stretch_warp=None, stretch_weft=None, shear_stiffness=None, bend_warp=None, bend_weft=None, young=None, poisson=None, viscosity=None, pressure=None, mass=None, at_tick=None, **unknown):
        """Change the color, name or material of an object.

        Properties that are absent keep their values; at least one is required.

        Args:
            object: Id of an object, or in batch.run "$k" for the object that command k of the same
                batch creates.
            color: Color as "#rrggbb".
            name: Name that is shown to people; control, invisible and direction-changing characters
                are not allowed.
            friction: Coefficient of friction; the coefficient of two materials in contact is
                √(μ₁μ₂). At least 0, at most 10.
            restitution: Share of the approach speed that is kept after a bounce; two materials in
                contact use the larger value. At least 0, at most 1.
            stretch_compliance: Compliance of the sticks that keep a length; only for a cloth, a
                mesh or a rope. In m/N. At least 0, at most 1000.
            bend_compliance: Compliance of the bending sticks; only for a plant, or for a cloth or
                mesh that was created with `bend`. In m/N. At least 0, at most 1000.
            stretch_warp: Stiffness along the warp of a fabric: force per width and strain; only for
                a sheet with a fabric. In N/m. At least 0.1, at most 1000000.
            stretch_weft: Stiffness along the weft of a fabric; only for a sheet with a fabric. In
                N/m. At least 0.1, at most 1000000.
            shear_stiffness: Stiffness of a fabric against shear: force per width and angle in
                radians; only for a sheet with a fabric. In N/m. At least 0.01, at most 1000000.
            bend_warp: Stiffness of a fabric against bending of its warp: moment per width and
                curvature. 0 bends freely; only for a sheet with a fabric. In N·m. At least 0, at
                most 10.
            bend_weft: Stiffness of a fabric against bending of its weft: moment per width and
                curvature. 0 bends freely; only for a sheet with a fabric. In N·m. At least 0, at
                most 10.
            young: Young's modulus; only for a soft body. In Pa. At least 1, at most 1000000000000.
            poisson: Poisson's ratio; only for a soft body. At least 0, at most 0.5.
            viscosity: Damping; only for a soft body. In s. At least 0, at most 10.
            pressure: Pressure above that outside which the gas in a closed mesh would have at the
                volume at which it was filled first: inflates or deflates it. That volume is the
                present one where there was no gas. Only for a mesh that is closed. In Pa. At least
                -100000, at most 1000000.
            mass: Total mass, distributed among the particles in the same proportions as before.
                Particles of inverse mass 0 stay immovable. In kg. At least 0.000001, at most
                1000000.
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            StateError, RateError, FrozenError.

        Method of the protocol: object.set.
        """
        return self._request("object.set", {"object": object, "color": color, "name": name, "friction": friction, "restitution": restitution, "stretchCompliance": stretch_compliance, "bendCompliance": bend_compliance, "stretchWarp": stretch_warp, "stretchWeft": stretch_weft, "shearStiffness": shear_stiffness, "bendWarp": bend_warp, "bendWeft": bend_weft, "young": young, "poisson": poisson, "viscosity": viscosity, "pressure": pressure, "mass": mass, "atTick": at_tick}, unknown)

    def particle_pin(self, object=REQUIRED, particles=REQUIRED, *, position=None, at_tick=None, **unknown):
        """Pin particles: only commands move them.

        With position, only one particle can be given; it is moved there and pinned. Pinning a
        pinned particle moves its pin.

        Args:
            object: Id of an object, or in batch.run "$k" for the object that command k of the same
                batch creates.
            particles: Indices of particles within their object.
            position: Position [x, y, z]; y points up. In m.
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            StateError, RateError, FrozenError.

        Method of the protocol: particle.pin.
        """
        return self._request("particle.pin", {"object": object, "particles": particles, "position": position, "atTick": at_tick}, unknown)

    def particle_unpin(self, object=REQUIRED, particles=REQUIRED, *, at_tick=None, **unknown):
        """Unpin particles and restore their masses.

        Args:
            object: Id of an object, or in batch.run "$k" for the object that command k of the same
                batch creates.
            particles: Indices of particles within their object.
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            StateError, RateError, FrozenError.

        Method of the protocol: particle.unpin.
        """
        return self._request("particle.unpin", {"object": object, "particles": particles, "atTick": at_tick}, unknown)

    def particle_tear(self, object=REQUIRED, particles=REQUIRED, *, at_tick=None, **unknown):
        """Tear a cloth along the edges between these particles, or around one.

        With several particles, the cloth tears along every edge that joins two of them; the ends of
        the tear inside the cloth stay whole, and a tear along a single inner edge continues
        straight by one more edge. With one particle, the cloth tears along all edges of that
        particle. Mass, sticks, pins and grabs are treated as when a stick breaks. The new particles
        belong to the same object, after its existing ones.

        Args:
            object: Id of an object, or in batch.run "$k" for the object that command k of the same
                batch creates.
            particles: Indices of particles within their object.
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            LimitError, StateError, RateError, FrozenError.

        Method of the protocol: particle.tear.
        """
        return self._request("particle.tear", {"object": object, "particles": particles, "atTick": at_tick}, unknown)

    def blade_cut(self, path=REQUIRED, *, object=None, far_path=None, blade=None, at_tick=None, **unknown):
        """Cut cloth, meshes and ropes with a blade that moves along a path.

        The blade reaches from a point of path to the point at the same place of far_path, or to the
        point that lies blade away; give one of both. It moves straight from each point to the next.
        Cloths and meshes part along edges near the surface that it sweeps, and ropes lose the
        sticks that it crosses. Mass, sticks, pins and grabs are treated as when a stick breaks. The
        new particles belong to the same object, after its existing ones. Other objects are not cut.
        The command is refused if nothing parts.

        Args:
            path: Points that one end of the blade passes, 2 to 256, flat or as triples. In m.
            object: Id of the only object to cut, a cloth, a mesh or a rope; if absent, everything
                on the blade's way is cut. In batch.run, "$k" is the object that command k of the
                same batch creates.
            far_path: Points that the other end of the blade passes, as many as in path, flat or as
                triples. In m.
            blade: Vector [x, y, z] from each point of path to the other end of the blade. In m.
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            LimitError, StateError, RateError, FrozenError.

        Method of the protocol: blade.cut.
        """
        return self._request("blade.cut", {"path": path, "object": object, "farPath": far_path, "blade": blade, "atTick": at_tick}, unknown)

    def particle_set(self, object=REQUIRED, particles=REQUIRED, inverse_mass=REQUIRED, *, at_tick=None, **unknown):
        """Set properties of particles.

        Args:
            object: Id of an object, or in batch.run "$k" for the object that command k of the same
                batch creates.
            particles: Indices of particles within their object.
            inverse_mass: Inverse mass; 0 makes the particles immovable. In 1/kg. At least 0, at
                most 1000000000000.
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            StateError, RateError, FrozenError.

        Method of the protocol: particle.set.
        """
        return self._request("particle.set", {"object": object, "particles": particles, "inverseMass": inverse_mass, "atTick": at_tick}, unknown)

    def particle_move(self, object=REQUIRED, particle=REQUIRED, position=REQUIRED, *, mode="teleport", at_tick=None, **unknown):
        """Move one particle.

        A teleport also stops the particle; a push that moves it by Δ also adds Δ to its
        displacement.

        Args:
            object: Id of an object, or in batch.run "$k" for the object that command k of the same
                batch creates.
            particle: Index of a particle within its object. At least 0, at most 4294967294.
            position: Position [x, y, z]; y points up. In m.
            mode: Whether the particle is teleported or pushed. One of "teleport", "push". Default:
                "teleport".
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            StateError, RateError, FrozenError.

        Method of the protocol: particle.move.
        """
        return self._request("particle.move", {"object": object, "particle": particle, "position": position, "mode": mode, "atTick": at_tick}, unknown)

    def particle_read(self, object=REQUIRED, *, particles=None, **unknown):
        """Read positions, velocities and inverse masses.

        Reads at most 1,000,000 particles. Large results are written in the background, so that they
        do not delay ticks.

        Args:
            object: Id of an object, or in batch.run "$k" for the object that command k of the same
                batch creates.
            particles: Indices of particles within the object; all particles if absent.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            RateError.

        Method of the protocol: particle.read.
        """
        return self._request("particle.read", {"object": object, "particles": particles}, unknown)

    def object_sticks(self, object=REQUIRED, *, from_=0, most=4096, lengths_only=False, **unknown):
        """Read an object's sticks: ends, lengths, and batches of the solver.

        No two sticks of a batch share a particle. The difference between a stick's length and its
        rest length is the solver's remaining error.

        Args:
            object: Id of an object, or in batch.run "$k" for the object that command k of the same
                batch creates.
            from_: Index of the first stick to read. At least 0, at most 4294967295. Default: 0.
            most: Maximum number of sticks to read. At least 1, at most 65536. Default: 4096.
            lengths_only: Whether to omit the ends, rest lengths and batches, which do not change as
                long as epoch stays the same. Default: False.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            RateError.

        Method of the protocol: object.sticks.
        """
        return self._request("object.sticks", {"object": object, "from": from_, "most": most, "lengthsOnly": lengths_only}, unknown)

    def force_apply(self, object=REQUIRED, force=REQUIRED, *, particles=None, ticks=1, at_tick=None, **unknown):
        """Apply a force for a number of ticks.

        The force is distributed evenly over the particles.

        Args:
            object: Id of an object, or in batch.run "$k" for the object that command k of the same
                batch creates.
            force: Total force on all the particles together. In N.
            particles: Indices of particles within the object; all particles if absent.
            ticks: Number of ticks during which the force acts. At least 1, at most 1000000.
                Default: 1.
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            LimitError, StateError, RateError, FrozenError.

        Method of the protocol: force.apply.
        """
        return self._request("force.apply", {"object": object, "force": force, "particles": particles, "ticks": ticks, "atTick": at_tick}, unknown)

    def grab_start(self, object=REQUIRED, *, particle=None, point=None, at_tick=None, **unknown):
        """Grab a particle, or the surface point nearest to a point.

        Requires either particle or point. A grab belongs to its client and ends when the client
        leaves. A particle that another grab holds is refused with −32004.

        Args:
            object: Id of an object, or in batch.run "$k" for the object that command k of the same
                batch creates.
            particle: Index of a particle within its object. At least 0, at most 4294967294.
            point: Position [x, y, z]; y points up. In m.
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            LimitError, StateError, RateError, FrozenError.

        Method of the protocol: grab.start.
        """
        return self._make("grab", "grab.start", {"object": object, "particle": particle, "point": point, "atTick": at_tick}, unknown)

    def grab_move(self, grab=REQUIRED, position=REQUIRED, *, at_tick=None, **unknown):
        """Move a grab.

        A move that arrives after its `at_tick` is applied at the next tick.

        Args:
            grab: Id, which is never reused. At least 1, at most 4294967295.
            position: Position [x, y, z]; y points up. In m.
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            StateError, RateError, FrozenError.

        Method of the protocol: grab.move.
        """
        return self._request("grab.move", {"grab": grab, "position": position, "atTick": at_tick}, unknown)

    def grab_end(self, grab=REQUIRED, *, at_tick=None, **unknown):
        """End a grab.

        Args:
            grab: Id, which is never reused. At least 1, at most 4294967295.
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            StateError, RateError, FrozenError.

        Method of the protocol: grab.end.
        """
        return self._request("grab.end", {"grab": grab, "atTick": at_tick}, unknown)

    def get(self, **unknown):
        """Get the state and the parameters of the world.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, RateError.

        Method of the protocol: world.get.
        """
        return self._request("world.get", {}, unknown)

    def measure(self, **unknown):
        """Measure energy, momentum and stretch.

        Measures all particles that have a finite mass. If there are very many sticks, only every
        n-th stick is measured.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, RateError.

        Method of the protocol: world.measure.
        """
        return self._request("world.measure", {}, unknown)

    def set(self, *, gravity=None, damping=None, iterations=None, substeps=None, tolerance=None, square_root=None, bounds=None, wind=None, air_density=None, friction=None, sleep=None, at_tick=None, **unknown):
        """Change parameters of the world; omitted ones keep their values.

        Args:
            gravity: Acceleration [x, y, z]. In m/s².
            damping: Share of the displacement that is lost per tick, from 0 to less than 1. At
                least 0, below 1.
            iterations: Number of relaxation sweeps per substep. At least 1, at most 256.
            substeps: Number of substeps per tick. At least 1, at most 64.
            tolerance: Relaxation stops early when no correction in a sweep exceeds this share (for
                a stick, of its rest length); 0 means never. At least 0, at most 1.
            square_root: Whether sticks are projected with an exact square root or with its
                first-order expansion. One of "exact", "approximate".
            bounds: Box that no object can leave; max must exceed min on every axis. Members: min*,
                max*.
            wind: Velocity of the air, which exerts a force of ½·air_density·area·u² on every
                triangle of cloth, meshes and plants; u is the velocity of the air relative to the
                triangle, across it. With velocity 0 the air is still and only resists motion. The
                air does not act on ropes, particles, bodies and ragdolls. Members: velocity*, gust.
            air_density: Density of the air, which resists motion in still air as in wind; 0 is a
                vacuum, in which wind has no effect either. A new world has 1.2, the density at sea
                level and 20 °C. In kg/m³. At least 0, at most 2000.
            friction: Coefficient of friction of the bounds. At least 0, at most 10.
            sleep: Whether objects fall asleep after half a second in equilibrium with everything
                they touch. A sleeping object keeps its place and takes no computing time until
                something touches it. Only objects that rest on something or hang from something
                fall asleep; an object without any support falls asleep only if it does not move at
                all. If false, all objects wake up and none falls asleep; use this for experiments
                that measure motions of less than a millimetre. True in a new world.
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, StateError,
            RateError, FrozenError.

        Method of the protocol: world.set.
        """
        return self._request("world.set", {"gravity": gravity, "damping": damping, "iterations": iterations, "substeps": substeps, "tolerance": tolerance, "squareRoot": square_root, "bounds": bounds, "wind": wind, "airDensity": air_density, "friction": friction, "sleep": sleep, "atTick": at_tick}, unknown)

    def pause(self, **unknown):
        """Pause the world.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, RateError,
            FrozenError.

        Method of the protocol: world.pause.
        """
        return self._request("world.pause", {}, unknown)

    def resume(self, **unknown):
        """Resume the world.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, RateError,
            FrozenError.

        Method of the protocol: world.resume.
        """
        return self._request("world.resume", {}, unknown)

    def reset(self, **unknown):
        """Restart the scene at tick 0 in a new epoch.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            LimitError, StateError, RateError, FrozenError.

        Method of the protocol: world.reset.
        """
        return self._request("world.reset", {}, unknown)

    def batch_run(self, commands=REQUIRED, *, at_tick=None, **unknown):
        """Run commands in order: all of them, or none if one is refused.

        "$k" refers to the object that command k of the same batch created; all commands are
        counted, starting at 0.

        Args:
            commands: The commands to run. Members: method*, params.
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, MethodError, InvalidError, InternalError, BusyError, DeniedError,
            NotFoundError, LimitError, StateError, RateError, FrozenError.

        Method of the protocol: batch.run.
        """
        return self._request("batch.run", {"commands": commands, "atTick": at_tick}, unknown)

    def events_subscribe(self, *, events=None, **unknown):
        """Subscribe to events.

        Args:
            events: Names of the events to subscribe to; all events if absent. One of
                "object.added", "object.removed", "object.changed", "obstacle.added",
                "obstacle.removed", "obstacle.changed", "stick.added", "stick.changed",
                "stick.removed", "particle.pinned", "particle.unpinned", "grab.started",
                "grab.ended", "undo.progress", "commands.lost", "world.changed", "client.joined",
                "client.left", "client.changed", "selection.changed", "pointer.moved",
                "stick.broken", "body.quarantined", "object.slept", "object.woke", "frames.paced",
                "view.shown", "view.moved".

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, StateError,
            RateError.

        Method of the protocol: events.subscribe.
        """
        return self._request("events.subscribe", {"events": events}, unknown)

    def events_unsubscribe(self, **unknown):
        """Unsubscribe from events.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, StateError,
            RateError.

        Method of the protocol: events.unsubscribe.
        """
        return self._request("events.unsubscribe", {}, unknown)

    def pointer_move(self, *, position=None, laser=False, **unknown):
        """Show your pointer to others.

        Sends pointer.moved to the other clients. Pointers are not part of the world's state.

        Args:
            position: Position of the pointer; if absent, the pointer is hidden. In m.
            laser: Whether the pointer is shown large, as a presenter's laser pointer; requires the
                role admin. Default: False.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, StateError,
            RateError.

        Method of the protocol: pointer.move.
        """
        return self._request("pointer.move", {"position": position, "laser": laser}, unknown)

    def client_introduce(self, *, name=None, color=None, **unknown):
        """Set your name and your color.

        A client that does not introduce itself has the name of its token, or a name that the server
        makes up. Names and colors are not part of the world's state.

        Args:
            name: Your name; it stays the same if absent.
            color: Your color, as "#rrggbb"; it stays the same if absent.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, StateError,
            RateError.

        Method of the protocol: client.introduce.
        """
        return self._request("client.introduce", {"name": name, "color": color}, unknown)

    def people_list(self, **unknown):
        """List the people in this world with their grabs, pointers and selections.

        Lists at most 256 people, those who joined first. The topology contains their grabs too, and
        events report all changes.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, RateError.

        Method of the protocol: people.list.
        """
        return self._request("people.list", {}, unknown)

    def hand_raise(self, **unknown):
        """Raise your hand.

        Sends client.changed to all clients. Raising a hand that is already raised does not change
        its place in the order.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, StateError,
            RateError.

        Method of the protocol: hand.raise.
        """
        return self._request("hand.raise", {}, unknown)

    def hand_lower(self, *, client=None, **unknown):
        """Lower your hand; an owner may lower anyone's.

        Sends client.changed to all clients.

        Args:
            client: Session number of the client whose hand is lowered, as in people.list; your own
                if absent. At least 1, at most 4294967295.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            StateError, RateError.

        Method of the protocol: hand.lower.
        """
        return self._request("hand.lower", {"client": client}, unknown)

    def people_grant(self, client=REQUIRED, role=REQUIRED, **unknown):
        """Let a person edit this world, or only view it.

        The role lasts until the client's connection ends or the client authenticates with a token.
        If the client may only view, its grabs end. The role of an owner cannot be changed. Sends
        client.changed to all clients.

        Args:
            client: Session number of the client, as in people.list. At least 1, at most 4294967295.
            role: Role of the client from now on. One of "viewer", "editor".

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            StateError, RateError.

        Method of the protocol: people.grant.
        """
        return self._request("people.grant", {"client": client, "role": role}, unknown)

    def people_remove(self, client=REQUIRED, *, reason=None, **unknown):
        """Remove a person from this world: the connection is closed with code 4001.

        Owners cannot be removed. A removed person who has the link can return; to prevent that,
        revoke the person's token with `weftctl token revoke`.

        Args:
            client: Session number of the client, as in people.list. At least 1, at most 4294967295.
            reason: Reason that the removed client is given.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            StateError, RateError.

        Method of the protocol: people.remove.
        """
        return self._request("people.remove", {"client": client, "reason": reason}, unknown)

    def selection_show(self, *, objects=None, particles=None, **unknown):
        """Show your selection to others.

        Replaces your previous selection; without params it clears the selection. Sends
        selection.changed to all clients. Selections are not part of the world's state. Objects that
        are removed disappear from selections.

        Args:
            objects: Ids of selected obstacles and of objects that are selected as a whole.
            particles: Runs of particles, each as [object, first, count], flat or as triples.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            StateError, RateError.

        Method of the protocol: selection.show.
        """
        return self._request("selection.show", {"objects": objects, "particles": particles}, unknown)

    def scene_list(self, **unknown):
        """List the scenes.

        Scenes are listed chapter by chapter, in an order that suits learning; saved scenes come
        last, sorted by name.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, RateError.

        Method of the protocol: scene.list.
        """
        return self._request("scene.list", {}, unknown)

    def scene_preview(self, name=REQUIRED, *, ticks=40, **unknown):
        """Preview the first ticks of a scene without changing a world.

        The scene runs in a separate temporary world for the given number of ticks, or for as many
        as can be computed in 0.25 s. `topology` and `frame` are binary messages as described in
        FRAMES.md: a complete topology, and a raw frame for it.

        Args:
            name: Name of a scene: lowercase letters, digits and hyphens.
            ticks: Number of ticks to run. At least 0, at most 600. Default: 40.

        Raises: ParseError, RequestError, MethodError, InvalidError, InternalError, BusyError,
            DeniedError, NotFoundError, LimitError, RateError.

        Method of the protocol: scene.preview.
        """
        return self._request("scene.preview", {"name": name, "ticks": ticks}, unknown)

    def scene_load(self, name=REQUIRED, **unknown):
        """Load a scene: it replaces the world, at tick 0 in a new epoch.

        Args:
            name: Name of a scene: lowercase letters, digits and hyphens.

        Raises: ParseError, RequestError, MethodError, InvalidError, InternalError, BusyError,
            DeniedError, NotFoundError, LimitError, StateError, RateError, FrozenError.

        Method of the protocol: scene.load.
        """
        return self._request("scene.load", {"name": name}, unknown)

    def scene_save(self, name=REQUIRED, *, title=None, overwrite=False, **unknown):
        """Save the world as a scene.

        Saves the commands that created the objects, sticks and obstacles, the parameters, and the
        present pins and masses, but not the present motion. A scene that comes with Weft cannot be
        overwritten. At most 256 scenes can be saved, 1 GiB in total.

        Args:
            name: Name of a scene: lowercase letters, digits and hyphens.
            title: Name that is shown to people; control, invisible and direction-changing
                characters are not allowed.
            overwrite: Whether to replace a saved scene of the same name. Default: False.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            LimitError, StateError, RateError.

        Method of the protocol: scene.save.
        """
        return self._request("scene.save", {"name": name, "title": title, "overwrite": overwrite}, unknown)

    def scene_delete(self, name=REQUIRED, **unknown):
        """Delete a saved scene.

        Worlds that were loaded from the scene do not change. A scene that comes with Weft cannot be
        deleted.

        Args:
            name: Name of a scene: lowercase letters, digits and hyphens.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            StateError, RateError.

        Method of the protocol: scene.delete.
        """
        return self._request("scene.delete", {"name": name}, unknown)

    def rpc_discover(self, **unknown):
        """Return this document.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, RateError.

        Method of the protocol: rpc.discover.
        """
        return self._request("rpc.discover", {}, unknown)

    def session_authenticate(self, token=REQUIRED, **unknown):
        """Authenticate with a token.

        On a server with tokens, a script must send this as its first request; a page authenticates
        with its cookie instead. After five wrong tokens the connection is closed with code 1008.

        Args:
            token: The token, as `weftctl token make` printed it.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, StateError,
            RateError.

        Method of the protocol: session.authenticate.
        """
        return self._request("session.authenticate", {"token": token}, unknown)

    def session_resume(self, session=REQUIRED, **unknown):
        """Name this session by a key, to resume it after a lost connection.

        This should be the first request of a connection. If a session with the same key has already
        received the reply to a change, identified by its request id, the change is not made again:
        the first reply is sent again, even after a restart of a server that stores its worlds. The
        newest 256 replies are kept for a day. Another connection that uses the key is closed, and
        one that still waits for it is refused. Requests sent after session.resume are applied once
        it has been answered; they are not applied if the connection ends before that.

        Args:
            session: Key of a session: 1 to 64 letters, digits, hyphens and underscores, chosen at
                random and kept secret.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, StateError,
            RateError.

        Method of the protocol: session.resume.
        """
        return self._request("session.resume", {"session": session}, unknown)

    def history(self, *, timeline=None, from_=0, most=100, **unknown):
        """List the commands and branches in the world's history.

        A history is a list of branches, each with a number called `timeline`; the newest one
        continues. A reset, a scene, a seek and an undo start a new branch and leave the others
        unchanged. `home` is the branch whose ticks world.seek goes to: after a seek, this is the
        branch from which the seek was made, until the world changes.

        Args:
            timeline: Number of the branch whose snapshots and commands are listed; `home` if
                absent. At least 1, at most 4294967295.
            from_: Tick of the first command to list. At least 0. Default: 0.
            most: Maximum number of commands to list. At least 0, at most 1000. Default: 100.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            StateError, RateError.

        Method of the protocol: world.history.
        """
        return self._request("world.history", {"timeline": timeline, "from": from_, "most": most}, unknown)

    def log(self, *, from_=0, most=1000, **unknown):
        """Get the commands that rebuild the world.

        Lists, in order, the commands that led from the loading of the world's scene to the present
        state, and the hash of that state. Commands that were undone, or that are only on other
        branches, are not listed. To rebuild the world, a program loads the scene, maps the ids from
        `firstId` on to those that its own scene.load returns and the ids in `made` to those that
        its own commands return, and applies each command so that the step of the command's tick is
        the first to see it. A long log is returned in parts: continue at `next` until it equals
        `count`.

        Args:
            from_: Number of the first command to list, counted from 0. At least 0. Default: 0.
            most: Maximum number of commands to list. At least 1, at most 10000. Default: 1000.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, StateError,
            RateError.

        Method of the protocol: world.log.
        """
        return self._request("world.log", {"from": from_, "most": most}, unknown)

    def replay(self, from_=REQUIRED, *, to=None, tick=None, timeline=None, speed=1, loop=False, **unknown):
        """Replay a tick or a range of the history at any speed.

        The world must be paused. Everyone in the world sees the commands and ticks of the range
        again, exactly as they were. Nothing is logged and no branch starts: world.seek without tick
        returns to the state before the replay, and so does a restart of the server. world.pause
        stops at the tick shown, and another world.replay continues elsewhere; any other change,
        including world.resume and world.step, continues the world from the tick shown, as after
        world.seek to it. The reply is sent when the first tick is shown; world.get and
        world.changed report the replay as `replay`.

        Args:
            from_: First tick of the range. At least 0.
            to: Last tick of the range; the last tick of the branch if absent. At least 0.
            tick: Tick in the range at which the replay begins; from if absent. At least 0.
            timeline: Number of the branch of the history; `home` of world.history if absent. At
                least 1, at most 4294967295.
            speed: Speed relative to the original one, at least 0.1; 0 shows a single tick and stops
                there. At least 0, at most 4. Default: 1.
            loop: Whether the range is replayed over and over; if false, the replay stops at the
                last tick. Default: False.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            LimitError, StateError, RateError, FrozenError.

        Method of the protocol: world.replay.
        """
        return self._request("world.replay", {"from": from_, "to": to, "tick": tick, "timeline": timeline, "speed": speed, "loop": loop}, unknown)

    def undo(self, *, scene=False, force=False, background=False, within=None, **unknown):
        """Undo your last command.

        The world becomes what it would be without the command, in a new epoch: the server replays
        the history from before the command to the present tick in the background, while the world
        continues, and replaces the world when the replay has caught up. Ids stay the same. Commands
        that depend on what is undone are lost with it; world.redo restores them. Only one undo or
        redo runs in a world at a time; world.cancel ends it. A grab counts as one command from its
        start to its end. Pausing and resuming are not undone; loading a scene is, with everything
        that came after it.

        Args:
            scene: Whether to undo the last reset or scene, of any client, instead of your last
                command. Default: False.
            force: Whether commands of other clients may be lost. If false, an undo that would lose
                any is refused with code -32004, and `lost` in the error's data lists them. Default:
                False.
            background: Whether to reply at once. Your next requests then do not wait for the end of
                the undo, which the event undo.progress reports. Default: False.
            within: Longest time that the undo may take; any time if absent. An undo that would take
                longer is refused with code -32004. The error's data then hold `seconds`, an
                estimate of the time, and `opposite`, commands for batch.run that revert the change
                without a replay, as far as there are any. In s. Above 0, at most 3600.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            LimitError, StateError, RateError, FrozenError.

        Method of the protocol: world.undo.
        """
        return self._request("world.undo", {"scene": scene, "force": force, "background": background, "within": within}, unknown)

    def redo(self, *, force=False, background=False, within=None, **unknown):
        """Redo the command that you undid last.

        The world becomes what it would be if the command had not been undone, in a new epoch: the
        command runs again at its own tick and with its own ids, together with the commands of other
        clients that were lost with it, and all later commands follow. This is computed in the
        background, as for world.undo. As many commands can be redone as were undone one after
        another; after a new command of yours, a scene or a seek into the past, they can no longer
        be redone.

        Args:
            force: Whether commands of other clients may be lost. If false, a redo that would lose
                any is refused with code -32004, and `lost` in the error's data lists them. Default:
                False.
            background: Whether to reply at once. Your next requests then do not wait for the end of
                the redo, which the event undo.progress reports. Default: False.
            within: Longest time that the redo may take; any time if absent. A redo that would take
                longer is refused with code -32004. The error's data then hold `seconds`, an
                estimate of the time, and `opposite`, commands for batch.run that make the change
                again at the present tick. In s. Above 0, at most 3600.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            LimitError, StateError, RateError, FrozenError.

        Method of the protocol: world.redo.
        """
        return self._request("world.redo", {"force": force, "background": background, "within": within}, unknown)

    def cancel(self, **unknown):
        """Cancel the running undo or redo.

        Any client's undo or redo can be cancelled. The world stays as it is, and the cancelled
        request is refused with code -32004. world.cancel does not wait for earlier requests, so you
        can cancel your own undo.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, RateError,
            FrozenError.

        Method of the protocol: world.cancel.
        """
        return self._request("world.cancel", {}, unknown)

    def server_get(self, **unknown):
        """Get the state of the server.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, RateError.

        Method of the protocol: server.get.
        """
        return self._request("server.get", {}, unknown)

    def client_list(self, **unknown):
        """List the connections in all worlds.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, RateError.

        Method of the protocol: client.list.
        """
        return self._request("client.list", {}, unknown)

    def client_close(self, client=REQUIRED, *, reason=None, **unknown):
        """Close a client's connection with code 1008.

        Args:
            client: Number of the client, as in client.list. At least 1.
            reason: Reason that the client is given.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            RateError.

        Method of the protocol: client.close.
        """
        return self._request("client.close", {"client": client, "reason": reason}, unknown)

    def node_list(self, **unknown):
        """List the nodes that share their worlds with this server.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, StateError,
            RateError.

        Method of the protocol: node.list.
        """
        return self._request("node.list", {}, unknown)

    def node_drain(self, *, url=None, draining=True, **unknown):
        """Make a node give its worlds to other nodes, or end that.

        For an upgrade, or before a node is stopped. The worlds move one after the other. Each
        stands still for a moment; its clients are told world.moved and lose no tick and no reply.
        node.list tells how many are left.

        Args:
            url: URL of the node; the one that answers if absent.
            draining: Whether the node drains; with false it takes worlds again. Default: True.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            StateError, RateError.

        Method of the protocol: node.drain.
        """
        return self._request("node.drain", {"url": url, "draining": draining}, unknown)

    def list(self, **unknown):
        """List the worlds of the server.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, RateError.

        Method of the protocol: world.list.
        """
        return self._request("world.list", {}, unknown)

    def create(self, name=REQUIRED, *, scene=None, tick_hz=None, paused=None, temporary=False, **unknown):
        """Create a world from a scene, at /worlds/NAME.

        Args:
            name: Name of a world: letters, digits, hyphens and underscores.
            scene: Scene that the world is created from; empty if absent.
            tick_hz: Number of ticks per second; the server's setting if absent. In Hz. At least 1,
                at most 1000.
            paused: Whether the world begins paused; the server's setting for new worlds if absent.
            temporary: Whether the world is temporary: it is not stored, has no history, and ends
                when no client has been in it for 10 s. Default: False.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            LimitError, StateError, RateError.

        Method of the protocol: world.create.
        """
        return self._request("world.create", {"name": name, "scene": scene, "tickHz": tick_hz, "paused": paused, "temporary": temporary}, unknown)

    def copy(self, key=REQUIRED, **unknown):
        """Create your own copy of this world, or find the one you have.

        Only for worlds that world.branch created with copies. The copy is named after the original
        with a number added, and does not count towards anyone's quota; the same key always leads to
        the same copy. An owner removes it with world.remove.

        Args:
            key: Key of a session: 1 to 64 letters, digits, hyphens and underscores, chosen at
                random and kept secret.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, LimitError,
            StateError, RateError.

        Method of the protocol: world.copy.
        """
        return self._request("world.copy", {"key": key}, unknown)

    def remove(self, name=REQUIRED, **unknown):
        """Remove a world and its history permanently.

        Args:
            name: Name of a world: letters, digits, hyphens and underscores.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            StateError, RateError.

        Method of the protocol: world.remove.
        """
        return self._request("world.remove", {"name": name}, unknown)

    def export(self, *, from_=0, to=None, timeline=None, **unknown):
        """Export a range of the world's history as one file, a capsule.

        The capsule holds a snapshot, the later commands and the state's hash at every 60th tick. It
        replays exactly on any machine, with `weftctl replay FILE --verify`. For a world without a
        history it holds only the present. GET /worlds/NAME/capsule returns the same as a file.

        Args:
            from_: First tick from which the capsule can be replayed; the oldest stored tick if that
                is later. At least 0. Default: 0.
            to: Last tick of the range; the last tick of the branch if absent. At least 0.
            timeline: Number of the branch of the history; `home` of world.history if absent. At
                least 1, at most 4294967295.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            StateError, RateError.

        Method of the protocol: world.export.
        """
        return self._request("world.export", {"from": from_, "to": to, "timeline": timeline}, unknown)

    def import_(self, name=REQUIRED, capsule=REQUIRED, *, paused=None, **unknown):
        """Create a world from the end of a capsule.

        The capsule is replayed and compared with its hashes first; a capsule that is damaged, or
        whose replay differs, is refused. On a server started with --editors-import, editors may
        call it too.

        Args:
            name: Name of a world: letters, digits, hyphens and underscores.
            capsule: Bytes of a capsule, in base64.
            paused: Whether the world begins paused; same as in the capsule if absent.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            LimitError, StateError, RateError.

        Method of the protocol: world.import.
        """
        return self._request("world.import", {"name": name, "capsule": capsule, "paused": paused}, unknown)

    def freeze(self, frozen=REQUIRED, *, message=None, **unknown):
        """Freeze editing for everyone else, or unfreeze it.

        While the world is frozen, changes by other clients are refused with −32006; their grabs
        end. The connection that froze the world, and those that authenticated with the same token,
        can still change it. The world keeps running. Another owner may take over the freeze or end
        it. It does not end when a client leaves, but it ends when the server stops.

        Args:
            frozen: Whether to freeze the world; false lets everyone change it again.
            message: Message that the other clients are shown while the world is frozen.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, StateError,
            RateError.

        Method of the protocol: world.freeze.
        """
        return self._request("world.freeze", {"frozen": frozen, "message": message}, unknown)

    def broadcast_start(self, *, embed=False, **unknown):
        """Start to broadcast this world over HTTP to any number of viewers.

        From now on GET PATHmanifest.json lists the available files: a snapshot for every 10 seconds
        and a file with the commands applied in each second. At most 10 minutes and 64 MB are kept.
        The files can be read without a token; on a server with tokens, the path contains a key that
        cannot be guessed. The files never change, so any HTTP cache can serve them. If the world is
        already broadcast, the method only sets embed. The broadcast ends with broadcast.stop, with
        the world and with the server. The files are described in FRAMES.md, "Broadcast".

        Args:
            embed: Whether pages of any origin may play the broadcast; if true, the server sends
                Access-Control-Allow-Origin: * and Cross-Origin-Resource-Policy: cross-origin.
                Default: False.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, RateError.

        Method of the protocol: broadcast.start.
        """
        return self._request("broadcast.start", {"embed": embed}, unknown)

    def broadcast_stop(self, **unknown):
        """Stop the broadcast of this world.

        The files are deleted at once, though HTTP caches may still have some. The key in the path
        is revoked; the next broadcast has a new one.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, RateError.

        Method of the protocol: broadcast.stop.
        """
        return self._request("broadcast.stop", {}, unknown)

    def broadcast_get(self, **unknown):
        """Get the address of this world's broadcast, if there is one.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, RateError.

        Method of the protocol: broadcast.get.
        """
        return self._request("broadcast.get", {}, unknown)

    def view_show(self, eye=REQUIRED, target=REQUIRED, **unknown):
        """Ask everyone to see your view.

        Sends view.shown to the other clients, whose users decide whether to follow. Views are not
        part of the world's state.

        Args:
            eye: Position of the camera. In m.
            target: Point that the camera looks at. In m.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, RateError.

        Method of the protocol: view.show.
        """
        return self._request("view.show", {"eye": eye, "target": target}, unknown)

    def view_move(self, eye=REQUIRED, target=REQUIRED, **unknown):
        """Send your camera to your followers.

        Sends view.moved only to the clients that follow you; a client that follows you later
        receives your last view. You need to send this only while another client follows you, which
        `follows` of the other clients shows.

        Args:
            eye: Position of the camera. In m.
            target: Point that the camera looks at. In m.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, StateError,
            RateError.

        Method of the protocol: view.move.
        """
        return self._request("view.move", {"eye": eye, "target": target}, unknown)

    def view_follow(self, *, client=None, **unknown):
        """Follow the camera of another client, or stop following.

        From then on view.moved reports the camera of that client. Sends client.changed to all
        clients. Following ends when either of the two clients leaves.

        Args:
            client: Session number of the client to follow, as in people.list; if absent, you stop
                following. At least 1, at most 4294967295.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            StateError, RateError.

        Method of the protocol: view.follow.
        """
        return self._request("view.follow", {"client": client}, unknown)

    def view_present(self, presenting=REQUIRED, **unknown):
        """Ask everyone to follow your camera, or stop asking.

        Sends client.changed to all clients. Their pages follow your camera until you stop
        presenting, except for users who choose not to. Only one client presents at a time: the one
        that started last.

        Args:
            presenting: Whether other clients are asked to follow your camera.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, StateError,
            RateError.

        Method of the protocol: view.present.
        """
        return self._request("view.present", {"presenting": presenting}, unknown)


class ObjectMethods:
    """The methods about one object."""

    id: int

    def get(self, **unknown):
        """Get the properties of an object.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            RateError.

        Method of the protocol: object.get.
        """
        return self._request("object.get", {"object": self.id}, unknown)

    def remove(self, *, at_tick=None, **unknown):
        """Remove an object and the sticks and grabs on it.

        Args:
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            StateError, RateError, FrozenError.

        Method of the protocol: object.remove.
        """
        return self._request("object.remove", {"object": self.id, "atTick": at_tick}, unknown)

    def set(self, *, color=None, name=None, friction=None, restitution=None, stretch_compliance=None, bend_compliance=None, stretch_warp=None, stretch_weft=None, shear_stiffness=None, bend_warp=None, bend_weft=None, young=None, poisson=None, viscosity=None, pressure=None, mass=None, at_tick=None, **unknown):
        """Change the color, name or material of an object.

        Properties that are absent keep their values; at least one is required.

        Args:
            color: Color as "#rrggbb".
            name: Name that is shown to people; control, invisible and direction-changing characters
                are not allowed.
            friction: Coefficient of friction; the coefficient of two materials in contact is
                √(μ₁μ₂). At least 0, at most 10.
            restitution: Share of the approach speed that is kept after a bounce; two materials in
                contact use the larger value. At least 0, at most 1.
            stretch_compliance: Compliance of the sticks that keep a length; only for a cloth, a
                mesh or a rope. In m/N. At least 0, at most 1000.
            bend_compliance: Compliance of the bending sticks; only for a plant, or for a cloth or
                mesh that was created with `bend`. In m/N. At least 0, at most 1000.
            stretch_warp: Stiffness along the warp of a fabric: force per width and strain; only for
                a sheet with a fabric. In N/m. At least 0.1, at most 1000000.
            stretch_weft: Stiffness along the weft of a fabric; only for a sheet with a fabric. In
                N/m. At least 0.1, at most 1000000.
            shear_stiffness: Stiffness of a fabric against shear: force per width and angle in
                radians; only for a sheet with a fabric. In N/m. At least 0.01, at most 1000000.
            bend_warp: Stiffness of a fabric against bending of its warp: moment per width and
                curvature. 0 bends freely; only for a sheet with a fabric. In N·m. At least 0, at
                most 10.
            bend_weft: Stiffness of a fabric against bending of its weft: moment per width and
                curvature. 0 bends freely; only for a sheet with a fabric. In N·m. At least 0, at
                most 10.
            young: Young's modulus; only for a soft body. In Pa. At least 1, at most 1000000000000.
            poisson: Poisson's ratio; only for a soft body. At least 0, at most 0.5.
            viscosity: Damping; only for a soft body. In s. At least 0, at most 10.
            pressure: Pressure above that outside which the gas in a closed mesh would have at the
                volume at which it was filled first: inflates or deflates it. That volume is the
                present one where there was no gas. Only for a mesh that is closed. In Pa. At least
                -100000, at most 1000000.
            mass: Total mass, distributed among the particles in the same proportions as before.
                Particles of inverse mass 0 stay immovable. In kg. At least 0.000001, at most
                1000000.
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            StateError, RateError, FrozenError.

        Method of the protocol: object.set.
        """
        return self._request("object.set", {"object": self.id, "color": color, "name": name, "friction": friction, "restitution": restitution, "stretchCompliance": stretch_compliance, "bendCompliance": bend_compliance, "stretchWarp": stretch_warp, "stretchWeft": stretch_weft, "shearStiffness": shear_stiffness, "bendWarp": bend_warp, "bendWeft": bend_weft, "young": young, "poisson": poisson, "viscosity": viscosity, "pressure": pressure, "mass": mass, "atTick": at_tick}, unknown)

    def sticks(self, *, from_=0, most=4096, lengths_only=False, **unknown):
        """Read an object's sticks: ends, lengths, and batches of the solver.

        No two sticks of a batch share a particle. The difference between a stick's length and its
        rest length is the solver's remaining error.

        Args:
            from_: Index of the first stick to read. At least 0, at most 4294967295. Default: 0.
            most: Maximum number of sticks to read. At least 1, at most 65536. Default: 4096.
            lengths_only: Whether to omit the ends, rest lengths and batches, which do not change as
                long as epoch stays the same. Default: False.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            RateError.

        Method of the protocol: object.sticks.
        """
        return self._request("object.sticks", {"object": self.id, "from": from_, "most": most, "lengthsOnly": lengths_only}, unknown)

    def pin(self, particles=REQUIRED, *, position=None, at_tick=None, **unknown):
        """Pin particles: only commands move them.

        With position, only one particle can be given; it is moved there and pinned. Pinning a
        pinned particle moves its pin.

        Args:
            particles: Indices of particles within their object.
            position: Position [x, y, z]; y points up. In m.
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            StateError, RateError, FrozenError.

        Method of the protocol: particle.pin.
        """
        return self._request("particle.pin", {"object": self.id, "particles": particles, "position": position, "atTick": at_tick}, unknown)

    def unpin(self, particles=REQUIRED, *, at_tick=None, **unknown):
        """Unpin particles and restore their masses.

        Args:
            particles: Indices of particles within their object.
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            StateError, RateError, FrozenError.

        Method of the protocol: particle.unpin.
        """
        return self._request("particle.unpin", {"object": self.id, "particles": particles, "atTick": at_tick}, unknown)

    def tear(self, particles=REQUIRED, *, at_tick=None, **unknown):
        """Tear a cloth along the edges between these particles, or around one.

        With several particles, the cloth tears along every edge that joins two of them; the ends of
        the tear inside the cloth stay whole, and a tear along a single inner edge continues
        straight by one more edge. With one particle, the cloth tears along all edges of that
        particle. Mass, sticks, pins and grabs are treated as when a stick breaks. The new particles
        belong to the same object, after its existing ones.

        Args:
            particles: Indices of particles within their object.
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            LimitError, StateError, RateError, FrozenError.

        Method of the protocol: particle.tear.
        """
        return self._request("particle.tear", {"object": self.id, "particles": particles, "atTick": at_tick}, unknown)

    def particle_set(self, particles=REQUIRED, inverse_mass=REQUIRED, *, at_tick=None, **unknown):
        """Set properties of particles.

        Args:
            particles: Indices of particles within their object.
            inverse_mass: Inverse mass; 0 makes the particles immovable. In 1/kg. At least 0, at
                most 1000000000000.
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            StateError, RateError, FrozenError.

        Method of the protocol: particle.set.
        """
        return self._request("particle.set", {"object": self.id, "particles": particles, "inverseMass": inverse_mass, "atTick": at_tick}, unknown)

    def move(self, particle=REQUIRED, position=REQUIRED, *, mode="teleport", at_tick=None, **unknown):
        """Move one particle.

        A teleport also stops the particle; a push that moves it by Δ also adds Δ to its
        displacement.

        Args:
            particle: Index of a particle within its object. At least 0, at most 4294967294.
            position: Position [x, y, z]; y points up. In m.
            mode: Whether the particle is teleported or pushed. One of "teleport", "push". Default:
                "teleport".
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            StateError, RateError, FrozenError.

        Method of the protocol: particle.move.
        """
        return self._request("particle.move", {"object": self.id, "particle": particle, "position": position, "mode": mode, "atTick": at_tick}, unknown)

    def read(self, *, particles=None, **unknown):
        """Read positions, velocities and inverse masses.

        Reads at most 1,000,000 particles. Large results are written in the background, so that they
        do not delay ticks.

        Args:
            particles: Indices of particles within the object; all particles if absent.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            RateError.

        Method of the protocol: particle.read.
        """
        return self._request("particle.read", {"object": self.id, "particles": particles}, unknown)

    def blade_cut(self, path=REQUIRED, *, far_path=None, blade=None, at_tick=None, **unknown):
        """Cut cloth, meshes and ropes with a blade that moves along a path.

        The blade reaches from a point of path to the point at the same place of far_path, or to the
        point that lies blade away; give one of both. It moves straight from each point to the next.
        Cloths and meshes part along edges near the surface that it sweeps, and ropes lose the
        sticks that it crosses. Mass, sticks, pins and grabs are treated as when a stick breaks. The
        new particles belong to the same object, after its existing ones. Other objects are not cut.
        The command is refused if nothing parts.

        Args:
            path: Points that one end of the blade passes, 2 to 256, flat or as triples. In m.
            far_path: Points that the other end of the blade passes, as many as in path, flat or as
                triples. In m.
            blade: Vector [x, y, z] from each point of path to the other end of the blade. In m.
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            LimitError, StateError, RateError, FrozenError.

        Method of the protocol: blade.cut.
        """
        return self._request("blade.cut", {"object": self.id, "path": path, "farPath": far_path, "blade": blade, "atTick": at_tick}, unknown)

    def force_apply(self, force=REQUIRED, *, particles=None, ticks=1, at_tick=None, **unknown):
        """Apply a force for a number of ticks.

        The force is distributed evenly over the particles.

        Args:
            force: Total force on all the particles together. In N.
            particles: Indices of particles within the object; all particles if absent.
            ticks: Number of ticks during which the force acts. At least 1, at most 1000000.
                Default: 1.
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            LimitError, StateError, RateError, FrozenError.

        Method of the protocol: force.apply.
        """
        return self._request("force.apply", {"object": self.id, "force": force, "particles": particles, "ticks": ticks, "atTick": at_tick}, unknown)

    def grab_start(self, *, particle=None, point=None, at_tick=None, **unknown):
        """Grab a particle, or the surface point nearest to a point.

        Requires either particle or point. A grab belongs to its client and ends when the client
        leaves. A particle that another grab holds is refused with −32004.

        Args:
            particle: Index of a particle within its object. At least 0, at most 4294967294.
            point: Position [x, y, z]; y points up. In m.
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            LimitError, StateError, RateError, FrozenError.

        Method of the protocol: grab.start.
        """
        return self._make("grab", "grab.start", {"object": self.id, "particle": particle, "point": point, "atTick": at_tick}, unknown)


class ObstacleMethods:
    """The methods about one obstacle."""

    id: int

    def remove(self, *, at_tick=None, **unknown):
        """Remove an obstacle.

        Args:
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            StateError, RateError, FrozenError.

        Method of the protocol: obstacle.remove.
        """
        return self._request("obstacle.remove", {"obstacle": self.id, "atTick": at_tick}, unknown)

    def set(self, *, color=None, name=None, friction=None, restitution=None, velocity=None, angular_velocity=None, pivot=None, surface_velocity=None, path=None, loop=None, path_time=None, at_tick=None, **unknown):
        """Change the color, name, material or motion of an obstacle.

        Properties that are absent keep their values; at least one is required. A new motion begins
        where the obstacle is: `velocity` or `angular_velocity` ends a path, and `path` ends both.

        Args:
            color: Color as "#rrggbb".
            name: Name that is shown to people; control, invisible and direction-changing characters
                are not allowed.
            friction: Coefficient of friction; the coefficient of two materials in contact is
                √(μ₁μ₂). At least 0, at most 10.
            restitution: Share of the approach speed that is kept after a bounce; two materials in
                contact use the larger value. At least 0, at most 1.
            velocity: Velocity [x, y, z] with which the obstacle moves. It pushes what is in its way
                and carries by friction what lies on it. [0, 0, 0] stops it, and ends a path. In
                m/s.
            angular_velocity: Angular velocity [x, y, z] with which the obstacle turns about
                `pivot`; a height field cannot turn. In rad/s.
            pivot: A point on the axis of `angular_velocity`, which moves with `velocity`; as
                before, or its position, of a capsule the middle of its axis, if absent. In m.
            surface_velocity: Velocity [x, y, z] of the surface of an obstacle that stays where it
                is, as of a conveyor belt; only its part along the surface counts. In m/s.
            path: Points that the obstacle moves through, from where it is now, straight and evenly
                from each to the next; at the last it stays or begins anew. In place of `velocity`
                and `angular_velocity`. Members: time*, position*, rotation.
            loop: Whether the path begins anew when it ends; it must then end where it begins. False
                if absent.
            path_time: Time on the path at which the obstacle begins; 0 if absent. In s. At least 0,
                at most 1000000.
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            StateError, RateError, FrozenError.

        Method of the protocol: obstacle.set.
        """
        return self._request("obstacle.set", {"obstacle": self.id, "color": color, "name": name, "friction": friction, "restitution": restitution, "velocity": velocity, "angularVelocity": angular_velocity, "pivot": pivot, "surfaceVelocity": surface_velocity, "path": path, "loop": loop, "pathTime": path_time, "atTick": at_tick}, unknown)


class StickMethods:
    """The methods about one stick."""

    id: int

    def set(self, *, rest_length=None, rate=None, kind=None, compliance=None, swing=None, break_force=None, at_tick=None, **unknown):
        """Change a stick that stick.add added.

        Parameters that are absent keep their values; at least one is required. A muscle is a stick
        whose length changes: at once, at a rate, or to and fro with a swing.

        Args:
            rest_length: Length that the stick keeps. 0 makes a ball joint, which needs the kind
                equal. In m. At least 0, at most 100000.
            rate: Rate at which the length moves to rest_length, which is required then; 0 or
                absent: it changes at once. In m/s. At least 0, at most 1000.
            kind: Kind of the stick, as in stick.add. One of "equal", "atMost", "atLeast".
            compliance: Compliance of a stick, which acts as a spring of 1/compliance N/m: the
                change of length per newton of force. 0 is rigid. In m/N. At least 0, at most 1000.
            swing: A length that swings: rest_length + amplitude · sin(2π · (phase + t / period)),
                where t is the time of the world in s. Members: amplitude*, period, phase.
            break_force: Force above which the stick breaks: the mean of its force over a tick. 0 or
                absent: never. In N. At least 0, at most 1000000000.
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            StateError, RateError, FrozenError.

        Method of the protocol: stick.set.
        """
        return self._request("stick.set", {"stick": self.id, "restLength": rest_length, "rate": rate, "kind": kind, "compliance": compliance, "swing": swing, "breakForce": break_force, "atTick": at_tick}, unknown)

    def remove(self, *, at_tick=None, **unknown):
        """Remove a stick that stick.add added.

        Args:
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            StateError, RateError, FrozenError.

        Method of the protocol: stick.remove.
        """
        return self._request("stick.remove", {"stick": self.id, "atTick": at_tick}, unknown)


class GrabMethods:
    """The methods about one grab."""

    id: int

    def move(self, position=REQUIRED, *, at_tick=None, **unknown):
        """Move a grab.

        A move that arrives after its `at_tick` is applied at the next tick.

        Args:
            position: Position [x, y, z]; y points up. In m.
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            StateError, RateError, FrozenError.

        Method of the protocol: grab.move.
        """
        return self._request("grab.move", {"grab": self.id, "position": position, "atTick": at_tick}, unknown)

    def end(self, *, at_tick=None, **unknown):
        """End a grab.

        Args:
            at_tick: Tick whose step is the first to see the change; the next tick if absent. At
                most 2 s ahead. A tick that has passed is refused, except by `grab.move`. At least
                1.

        Raises: RequestError, InvalidError, InternalError, BusyError, DeniedError, NotFoundError,
            StateError, RateError, FrozenError.

        Method of the protocol: grab.end.
        """
        return self._request("grab.end", {"grab": self.id, "atTick": at_tick}, unknown)
