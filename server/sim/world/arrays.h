// SPDX-License-Identifier: MIT
// The arrays of a world, each declared once. This file is read several times, with other meanings of the four macros
// each time, and holds no include guard for that reason: it gives the members of struct sim_world (world.h), moves what
// lies behind an object that comes, grows or goes (layout.c), and reserves (memory.c), saves (snapshot.c), archives
// (archive.c), checks (archive_check.c) and hashes (state_hash.c) the arrays.
//
//   STATE_ARRAY(type, name, each, per, since, hash)
//       Part of the state, in the order of the archive: `each` elements for each of what `per` counts in struct
//       sim_state. `since`: the version of archives that added the array. `hash`: its place among the arrays that are
//       hashed, from 1, or 0 where the array is not; those from 101 on are hashed after all that is no array.
//   ELEMENT_ARRAY(type, name, per, room, one, many)
//       Part of the state: structs whose fields have rows of their own (of_NAME in fields.c), in the order of the
//       archive and of the hash. `room` of them are reserved; `one` and `many` are their names in refusals.
//   CARRIED_ARRAY(type, name, per, element)
//       Scratch that stays with its particles when objects move in the arrays.
//   SCRATCH_ARRAY(type, name, room, element)
//       Scratch: `room` elements are reserved.
//
// `element` says how what is in use is counted (memory.c). A macro that is not defined stands for nothing.

// The newest layout of archives. Raise it together with the first array or field (fields.c) that is added after a
// release of the present one (archive.c).
#define STATE_VERSION 4u

#ifndef STATE_ARRAY
#define STATE_ARRAY(type, name, each, per, since, hash)
#endif
#ifndef ELEMENT_ARRAY
#define ELEMENT_ARRAY(type, name, per, room, one, many)
#endif
#ifndef CARRIED_ARRAY
#define CARRIED_ARRAY(type, name, per, element)
#endif
#ifndef SCRATCH_ARRAY
#define SCRATCH_ARRAY(type, name, room, element)
#endif

// clang-format off

// Particles.
STATE_ARRAY(float, x, 1, particles, 1, 1) // m, published
STATE_ARRAY(float, y, 1, particles, 1, 2)
STATE_ARRAY(float, z, 1, particles, 1, 3)
STATE_ARRAY(float, dx, 1, particles, 1, 7) // m per substep
STATE_ARRAY(float, dy, 1, particles, 1, 8)
STATE_ARRAY(float, dz, 1, particles, 1, 9)
STATE_ARRAY(float, own_w, 1, particles, 1, 10) // 1/kg, as if neither pinned nor held
STATE_ARRAY(float, w, 1, particles, 1, 0) // 1/kg, 0 where pinned or held
STATE_ARRAY(int16_t, still_x, 1, particles, 1, 11) // place when its object last moved, in steps (still_place.h)
STATE_ARRAY(int16_t, still_y, 1, particles, 1, 12)
STATE_ARRAY(int16_t, still_z, 1, particles, 1, 13)
STATE_ARRAY(uint8_t, flags, 1, particles, 1, 14) // of enum particle_flag
STATE_ARRAY(float, low_x, 1, particles, 3, 4) // m, the rest of the position x + low, where x is the rounded sum
STATE_ARRAY(float, low_y, 1, particles, 3, 5)
STATE_ARRAY(float, low_z, 1, particles, 3, 6)

// Sticks, sorted by colour within an object; no two of a colour share a particle.
STATE_ARRAY(uint32_t, stick_a, 1, sticks, 1, 15) // local
STATE_ARRAY(uint32_t, stick_b, 1, sticks, 1, 16)
STATE_ARRAY(float, stick_rest, 1, sticks, 1, 17) // m
STATE_ARRAY(uint32_t, colour_end, 1, colours, 1, 18) // index of the object's stick after the last of the colour
STATE_ARRAY(uint8_t, colour_class, 1, colours, 1, 19) // an enum sim_stick_kind and COLOUR_BEND
STATE_ARRAY(uint32_t, triangle, 3, triangles, 1, 20) // 3 local indices each

// Tetrahedra of soft bodies, in an order in which many in a row share no particle.
STATE_ARRAY(uint32_t, tetrahedron, 4, tetrahedra, 4, 161) // 4 local indices each
// Of each the rows of the inverse of its matrix of edges at rest, in 1/m, and its volume in m³.
STATE_ARRAY(float, tetrahedron_rest, 10, tetrahedra, 4, 162)

ELEMENT_ARRAY(struct object, object, objects, most->objects, "object", "objects")
ELEMENT_ARRAY(struct obstacle, obstacle, obstacles, most->obstacles, "obstacle", "obstacles")
ELEMENT_ARRAY(struct free_stick, free_stick, free_sticks, world_free_stick_room(most), "stick", "added sticks")
ELEMENT_ARRAY(struct grab, grab, grabs, SIM_GRABS_MAX, "grab", "grabs")
ELEMENT_ARRAY(struct force, force, forces, SIM_FORCES_MAX, "force", "forces")
// The points of all paths, obstacle after obstacle.
ELEMENT_ARRAY(struct sim_path_point, path_point, path_points, SIM_PATH_POINTS_MAX, "path point", "path points")
STATE_ARRAY(uint32_t, force_index, 1, force_indices, 1, 101) // local
STATE_ARRAY(float, shape_real, 1, shape_reals, 1, 102) // shape.h
STATE_ARRAY(uint32_t, shape_index, 1, shape_indices, 1, 103)
// Panels of fabric, one for each of the object's triangles, in their order (panel.h).
STATE_ARRAY(float, panel_shape, 4, panels, 4, 141) // 1/m, from edges to warp and weft
STATE_ARRAY(float, panel_curve, 3, panels, 4, 142) // 1/m, curvature at rest: of warp, of weft, twist

// Where particles are while they are relaxed: at p = ahead + off. `ahead` is where d' takes them, rounded; off starts
// as what that leaves, and is what relaxation changes. Between substeps `ahead` holds x as it was before the last.
SCRATCH_ARRAY(float, ahead_x, particles, PARTICLE) // m
SCRATCH_ARRAY(float, ahead_y, particles, PARTICLE)
SCRATCH_ARRAY(float, ahead_z, particles, PARTICLE)
SCRATCH_ARRAY(float, off_x, particles, PARTICLE) // m
SCRATCH_ARRAY(float, off_y, particles, PARTICLE)
SCRATCH_ARRAY(float, off_z, particles, PARTICLE)
SCRATCH_ARRAY(float, fx, particles, PARTICLE) // N, force accumulators; zero between ticks
SCRATCH_ARRAY(float, fy, particles, PARTICLE)
SCRATCH_ARRAY(float, fz, particles, PARTICLE)
SCRATCH_ARRAY(uint8_t, cut_sides, triangles, OTHER) // per triangle, its sides that a blade crosses; zero between uses
SCRATCH_ARRAY(uint8_t, outcode, particles, PARTICLE) // per particle, contact_detect.c
SCRATCH_ARRAY(uint64_t, colours_taken, particles, SHEET) // a set of colours per particle; zero between uses
SCRATCH_ARRAY(struct rope_row, rope_row, particles, UNCOUNTED) // per particle, rope_relax.c
// Positions when relaxation began, in m; contacts may change x itself.
SCRATCH_ARRAY(float, begun_x, particles, UNCOUNTED)
SCRATCH_ARRAY(float, begun_y, particles, UNCOUNTED)
SCRATCH_ARRAY(float, begun_z, particles, UNCOUNTED)
CARRIED_ARRAY(uint32_t, tether_anchor, particles, TETHER) // local, per particle: its pin, or TETHER_NONE
CARRIED_ARRAY(int64_t, tether_way, particles, TETHER) // length of the path to the pin, tether.c
// Of the object whose tethers are being computed, by local indices (struct ways).
SCRATCH_ARRAY(uint32_t, tether_next, particles, UNCOUNTED)
SCRATCH_ARRAY(uint32_t, tether_link_end, particles, UNCOUNTED)
SCRATCH_ARRAY(uint32_t, tether_link, 2 * (size_t)sticks, OTHER)
SCRATCH_ARRAY(uint32_t, tether_heap, particles, UNCOUNTED)
SCRATCH_ARRAY(uint32_t, tether_place, particles, UNCOUNTED)
SCRATCH_ARRAY(float, stick_lambda, sticks, STICK) // N·s² since the substep began (stick_together)
SCRATCH_ARRAY(float, stick_gap_x, sticks, OTHER) // of sticks in a block: struct stick_gaps
SCRATCH_ARRAY(float, stick_gap_y, sticks, OTHER)
SCRATCH_ARRAY(float, stick_gap_z, sticks, OTHER)
SCRATCH_ARRAY(float, stick_pull, sticks, STICK) // N·s², of this tick so far, of sticks that a force breaks
SCRATCH_ARRAY(struct panel, panel, panels, OTHER) // by object, in the order of relaxation
SCRATCH_ARRAY(float, panel_lambda, PANEL_LAMBDAS * (size_t)panels, OTHER) // since the substep began
SCRATCH_ARRAY(uint32_t, panel_colour, panels, OTHER) // while panels are put in order
SCRATCH_ARRAY(uint32_t, panel_next, 3 * (size_t)panels, OTHER) // while neighbours are searched
SCRATCH_ARRAY(uint32_t, panel_head, particles, UNCOUNTED)
SCRATCH_ARRAY(struct stick_plan, stick_plan, objects, OTHER) // per object, stick_plan.h
SCRATCH_ARRAY(struct stick_run, stick_run, stick_plan_run_capacity(most), RUN) // simd.h
SCRATCH_ARRAY(struct stick_seam, stick_seam, stick_seam_capacity(most), OTHER) // stick_seam.h
// Particles of objects that are relaxed in blocks, stick_block.c.
SCRATCH_ARRAY(float, stick_block, SIMD_BLOCK * (size_t)stick_plan_block_capacity(most), BLOCK)
SCRATCH_ARRAY(uint32_t, block_place, particles, UNCOUNTED) // of objects whose block is ordered, stick_order.h
SCRATCH_ARRAY(uint32_t, ordered_end, 2 * (size_t)sticks, OTHER) // of each object the ends a, then b, as places
SCRATCH_ARRAY(float, ordered_rest, sticks, OTHER) // m
SCRATCH_ARRAY(uint32_t, order_queue, particles, UNCOUNTED) // while an order is searched
SCRATCH_ARRAY(uint32_t, order_link_end, particles, UNCOUNTED)
SCRATCH_ARRAY(struct wind_push, wind_push, triangles, OTHER) // per triangle, wind.c
SCRATCH_ARRAY(float, free_lambda, free_sticks, OTHER) // N·s²
SCRATCH_ARRAY(uint32_t, free_slot_a, free_sticks, OTHER) // per free stick
SCRATCH_ARRAY(uint32_t, free_slot_b, free_sticks, OTHER)
SCRATCH_ARRAY(float, free_length, free_sticks, OTHER) // m, what each free stick keeps in this substep (muscle.c)
SCRATCH_ARRAY(struct point_stick, point_stick, free_sticks, OTHER) // per free stick, point_stick.h
SCRATCH_ARRAY(uint32_t, joint_next, 2 * (size_t)free_sticks, OTHER) // joint.c
SCRATCH_ARRAY(uint32_t, free_colour, free_sticks, OTHER) // per free stick
SCRATCH_ARRAY(uint32_t, free_colour_end, free_sticks, OTHER) // in `free_order`
SCRATCH_ARRAY(uint32_t, free_order, free_sticks, OTHER) // indices of the free sticks by colour
SCRATCH_ARRAY(float, tetrahedron_lambda, TETRAHEDRON_STRAINS * (size_t)tetrahedra, OTHER) // J·s² since the substep began
SCRATCH_ARRAY(uint32_t, tetrahedron_batch_end, tetrahedra, OTHER) // per batch, the object's tetrahedron after its last
SCRATCH_ARRAY(struct point, gas_gradient, particles, UNCOUNTED) // m², change of the volume with the particle (gas.c)
SCRATCH_ARRAY(struct contact, contact, contact_capacity(particles), CONTACT) // of this substep, contact.h
SCRATCH_ARRAY(struct stack_contact, stack_contact, contact_capacity(particles), CONTACT) // of this substep, stack.h
SCRATCH_ARRAY(struct grip, grip, contact_capacity(particles), CONTACT) // of round surfaces, grip.h
SCRATCH_ARRAY(struct impact_body, impact_body, objects, OTHER) // per object, impact.h
SCRATCH_ARRAY(struct body_part, body_part, parts, OTHER) // solids of this substep, body_part.h
SCRATCH_ARRAY(uint32_t, body_order, parts, OTHER) // sorted along an axis; scratch of the sort
SCRATCH_ARRAY(uint32_t, body_order_other, parts, OTHER)
SCRATCH_ARRAY(uint32_t, body_key, parts, OTHER)
SCRATCH_ARRAY(struct body_interval, body_interval, parts, OTHER) // their boxes in sorted order
SCRATCH_ARRAY(struct slot_span, span, objects, OTHER) // particles of active objects, in order
SCRATCH_ARRAY(uint32_t, stack_level, objects, OTHER) // per object, stack.c
SCRATCH_ARRAY(struct extent, object_extent, objects, OTHER) // per object, extent.h
SCRATCH_ARRAY(uint32_t, island_parent, objects, OTHER) // per object, a forest while islands are computed
SCRATCH_ARRAY(bool, island_marked, objects, OTHER) // per first object of an island; false between uses
SCRATCH_ARRAY(struct sim_event, event, SIM_EVENTS_MAX, OTHER)
// clang-format on

#undef STATE_ARRAY
#undef ELEMENT_ARRAY
#undef CARRIED_ARRAY
#undef SCRATCH_ARRAY
