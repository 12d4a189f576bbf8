// SPDX-License-Identifier: MIT
// Generates C functions, one per method, that copy parsed parameters into the simulation's description structs. They are in a
// header of the command layer, since server/proto does not know the simulation. The tables below add what the schema lacks:
// the name of each description, and the member for a parameter whose name differs. The C compiler checks names and types.
import { snake, upper } from "./model.mjs";

// The members for the parameters that cloth and mesh share.
const SHEET = Object.fromEntries(
  [
    "shear", "position", "rotation", "mass", "arealDensity", "masses", "friction", "restitution", "stretchCompliance",
    "bend", "bendCompliance", "tethers", "tear", "tearForce", "thickness", "selfCollision", "projection",
  ].map((name) => [name, `sheet.${snake(name)}`]),
);
for (const name of ["stretchWarp", "stretchWeft", "bendWarp", "bendWeft"]) SHEET[name] = `sheet.fabric.${snake(name)}`;
SHEET.shearStiffness = "sheet.fabric.shear";
SHEET.creaseCurvature = "sheet.fabric.crease";
SHEET.pin = "sheet.pins";

// For each method the description's struct; `to`: the member for a parameter with another name (for a record and for a size,
// one member per part); `counts`: the member for the number of a list's triples; `byHand`: parameters that the handler reads
// itself.
const LOOK = ["color", "name"];
const DESCRIPTIONS = {
  "cloth.spawn": { struct: "sim_cloth_desc", to: { ...SHEET, mesh: "lattice" }, byHand: [...LOOK, "fabric"] },
  "mesh.spawn": { struct: "sim_mesh_desc", to: { ...SHEET, pressure: "gas.pressure", supplied: "gas.supplied" }, counts: { positions: "particles", triangles: "triangle_count" }, byHand: [...LOOK, "fabric"] },
  "particles.spawn": { struct: "sim_particles_desc", counts: { positions: "particles" }, byHand: LOOK },
  "rope.spawn": { struct: "sim_rope_desc", to: { pin: "pins.preset" }, byHand: ["positions", ...LOOK] },
  "body.spawn": { struct: "sim_body_desc", to: { size: { length: "size", extents: "extents" }, height: "length" }, counts: { vertices: "vertex_count" }, byHand: [...LOOK, "parts"] },
  "plant.spawn": { struct: "sim_plant_desc", byHand: LOOK },
  "ragdoll.spawn": { struct: "sim_ragdoll_desc", byHand: LOOK },
  "soft.spawn": {
    struct: "sim_soft_desc", to: { size: "extents", pin: "pins" }, counts: { positions: "particles" },
    byHand: ["cells", "tetrahedra", ...LOOK],
  },
  "stick.add": { struct: "sim_stick_desc", byHand: ["a", "b", "swing"] },
  "obstacle.add": {
    struct: "sim_obstacle", counts: { positions: "vertices", triangles: "triangle_count" },
    byHand: ["velocity", "angularVelocity", "pivot", "surfaceVelocity", "path", "loop", "pathTime", ...LOOK],
  },
  "world.set": {
    struct: "sim_parameters",
    to: { bounds: { min: "bounds_min", max: "bounds_max" }, wind: { velocity: "wind_velocity", gust: "wind_gust" } },
  },
};

// The simulation's enum for each enum of the schema: its type, and the prefix of its enumerators.
const ENUMS = {
  fabric: ["sim_fabric_name", "SIM_FABRIC"],
  cloth_spawn_mesh: ["sim_lattice", "SIM_LATTICE"],
  projection: ["sim_projection", "SIM_PROJECTION"],
  rope_spawn_pin: ["sim_pin_preset", "SIM_PIN"],
  body_spawn_shape: ["sim_body_shape", "SIM_BODY"],
  soft_spawn_shape: ["sim_soft_shape", "SIM_SOFT"],
  body_part_shape: ["sim_body_shape", "SIM_BODY"],
  stick_add_kind: ["sim_stick_kind", "SIM_STICK"],
  stick_set_kind: ["sim_stick_kind", "SIM_STICK"],
  obstacle_add_shape: ["sim_obstacle_shape", "SIM_OBSTACLE"],
  particle_move_mode: ["sim_move_mode", "SIM_MOVE"],
  world_set_square_root: ["sim_square_root", "SIM_SQUARE_ROOT"],
};

function enumFunction(name, names, [type, prefix], proto = `enum proto_${name}`) {
  const rows = names.map((one) => `        [PROTO_${name.toUpperCase()}_${upper(one)}] = ${prefix}_${upper(one)},\n`);
  return (
    `static inline enum ${type} ${name}_of(${proto} value) {\n` +
    `    static const enum ${type} values[PROTO_${name.toUpperCase()}_COUNT] = {\n${rows.join("")}    };\n` +
    "    return values[value];\n}\n"
  );
}

const PINS = `static inline struct sim_pins sheet_pins_of(const struct proto_sheet_pins *pins) {
    return (struct sim_pins){.preset = sheet_pins_choice_of(pins->choice), .indices = pins->indices.items, .count = pins->indices.count};
}
`;

// The assignments for one parameter, each as [member, value].
function assignments(field, { to = {}, counts = {} }) {
  const value = `params->${field.member}`;
  const member = to[field.name] ?? field.member;
  const count = counts[field.name] ? [[counts[field.name], `${value}.count / 3`]] : [];
  switch (field.kind) {
    case "real":
    case "integer":
    case "boolean":
    case "vec3":
    case "quat":
      return [[member, value]];
    case "enum":
      return [[member, `${snake(field.enumName)}_of(${value})`]];
    case "sheetPins":
      return [[member, `sheet_pins_of(&${value})`]];
    case "reals":
    case "realTriples":
    case "indexTriples":
      return [[member, `${value}.items`], ...count];
    case "record":
    case "size":
      return Object.entries(member).map(([part, one]) => [one, `${value}.${part}`]);
    default:
      throw new Error(`${field.name}: a ${field.kind} is not copied into descriptions`);
  }
}

function fillFunction(method) {
  const description = DESCRIPTIONS[method.name];
  const { struct, byHand = [] } = description;
  for (const name of [...byHand, ...Object.keys(description.counts ?? {})]) {
    if (!method.fields.some((field) => field.name === name)) throw new Error(`${method.name} has no parameter ${name}`);
  }
  const lines = method.fields.filter((field) => !byHand.includes(field.name)).map((field) => {
    const copies = assignments(field, description).map(([member, value]) => `desc->${member} = ${value};\n`);
    if (field.required || field.default !== undefined) return copies.map((line) => `    ${line}`).join("");
    return `    if (params->has_${field.member}) {\n${copies.map((line) => `        ${line}`).join("")}    }\n`;
  });
  return `static inline void fill_${method.id}(struct ${struct} *desc, const struct ${method.struct} *params) {\n${lines.join("")}}\n`;
}

/** Returns the header with all functions. */
export function descriptions(model) {
  const enums = model.enums.filter(({ name }) => ENUMS[name]).map(({ name, names }) => enumFunction(name, names, ENUMS[name]));
  const choices = enumFunction("sheet_pins", [...model.sheetPins, "list"], ["sim_pin_preset", "SIM_PIN"], "enum proto_sheet_pins_choice");
  return [
    `// SPDX-License-Identifier: MIT
// Generated from proto/weft.openrpc.json by proto/generate.mjs: do not edit, run \`make generate\`.
// Copies the parameters of a method into the description that the simulation takes. A parameter that the request left
// out and that has no default leaves its member as it was. Arrays are not copied: they live as long as the request.
#ifndef WEFT_APP_GEN_DESCRIPTIONS_H
#define WEFT_APP_GEN_DESCRIPTIONS_H

#include "proto/gen/methods.h"
#include "sim/sim.h"

// clang-format off
`,
    ...enums,
    choices.replace("sheet_pins_of(", "sheet_pins_choice_of("),
    PINS,
    ...model.methods.filter(({ name }) => DESCRIPTIONS[name]).map(fillFunction),
    "// clang-format on\n#endif\n",
  ].join("\n");
}
