// SPDX-License-Identifier: MIT
// Materials. Surfaces are physically based: fabric with sheen and a normal map of its weave, rope with one of its strands,
// solids with lightened edges. Machines without a graphics processor use simpler draft versions with diffuse lighting.
// Objects made of particles read their vertices from the particle field (field.js).
import {
  Color, LinearMipmapNearestFilter, MeshDepthMaterial, MeshLambertMaterial, MeshPhysicalMaterial, MeshStandardMaterial, ShaderChunk, Vector2,
} from 'three';
import { FIELD } from './field.js';

const PALETTE = ['#d9573f', '#2f8fa8', '#e0a63a', '#6f9f58', '#b0527f', '#5a78c9', '#d98a5b', '#3fa58c', '#8f6fc4', '#c9b48a'];

// Drafts take one filtered sample of the shadow map instead of five, and square roots instead of powers for the display's
// transfer curve (the difference is below half of an 8-bit level, except in very dark colours).
const FULL = { shadowmap_pars_fragment: ShaderChunk.shadowmap_pars_fragment, colorspace_pars_fragment: ShaderChunk.colorspace_pars_fragment };
const DRAFT = {
  shadowmap_pars_fragment: FULL.shadowmap_pars_fragment.replace(
    /float phi = interleaved[^]*?\* 0\.2;/, 'shadow = texture( shadowMap, shadowCoord.xyz );'),
  colorspace_pars_fragment: FULL.colorspace_pars_fragment.replace(
    /(vec4 sRGBTransferOETF\([^{]*\{)[^]*?\}/, `$1
      vec3 s1 = sqrt( max( value.rgb, vec3( 0.0 ) ) );
      vec3 s2 = sqrt( s1 );
      return vec4( 0.662002687 * s1 + 0.684122060 * s2 - 0.323583601 * sqrt( s2 ) - 0.0225411470 * value.rgb, value.a );
    }`),
};

let draft = false;

/** Whether drafts are drawn; then meshes should have few faces, too. */
export const isDraft = () => draft;

/** Chooses whether the materials created from now on are drafts. @param {boolean} on */
export function setDraft(on) {
  draft = on;
}

/** Draws, or compiles shaders, with the drafts' parts of shaders where drafts are drawn; other users of three.js keep its own. @param {() => void} draw */
export function withDraftShaders(draw) {
  if (draft) Object.assign(ShaderChunk, DRAFT);
  try {
    draw();
  } finally {
    if (draft) Object.assign(ShaderChunk, FULL);
  }
}

/** @type {WeakMap<import('three').Material, string>} the names of the changes applied to each material */
const changesOf = new WeakMap();

/**
 * Modifies a material's shader; several modifications are applied in order.
 * @template {import('three').Material} M
 * @param {M} material
 * @param {string} name identifies the modification: the same name for the same change
 * @param {(shader: import('three').WebGLProgramParametersWithUniforms) => void} edit
 * @returns {M}
 */
export function change(material, name, edit) {
  const { onBeforeCompile } = material;
  const key = `${changesOf.get(material) ?? (draft ? 'draft' : 'full')} ${name}`;
  changesOf.set(material, key);
  material.onBeforeCompile = (shader, renderer) => {
    onBeforeCompile.call(material, shader, renderer);
    edit(shader);
  };
  material.customProgramCacheKey = () => key;
  return material;
}

/** GLSL for the vertices of each kind of object: attributes, position and normal. */
const SOURCES = {
  // Each vertex is a particle.
  surface: {
    head: 'attribute uint slot;',
    normal: 'normalOf(slot)',
    place: 'placeOf(slot)',
  },
  // Each vertex is embedded in four particles; its normal, used only against self-shadowing, points away from their centre.
  solid: {
    head: `attribute uvec4 four;
      attribute vec4 weights;
      vec3 weighed(vec4 w) { return w.x * placeOf(four.x) + w.y * placeOf(four.y) + w.z * placeOf(four.z) + w.w * placeOf(four.w); }`,
    normal: 'normalize(weighed(weights - 0.25) + 1e-9)',
    place: 'weighed(weights)',
  },
  // The same with a normal of its own, by weights whose sum is 0.
  rounded: {
    head: `attribute uvec4 four;
      attribute vec4 weights;
      attribute vec4 bend;
      vec3 weighed(vec4 w) { return w.x * placeOf(four.x) + w.y * placeOf(four.y) + w.z * placeOf(four.z) + w.w * placeOf(four.w); }`,
    normal: 'normalize(weighed(bend) + 1e-9)',
    place: 'weighed(weights)',
  },
  // As above, by local particles of an instance; `normal` has three of the normal's four weights, whose sum is 0.
  ragdoll: {
    head: `attribute uint first;
      attribute uvec4 four;
      attribute vec4 weights;
      vec3 weighed(vec4 w) {
        return w.x * placeOf(first + four.x) + w.y * placeOf(first + four.y) + w.z * placeOf(first + four.z) + w.w * placeOf(first + four.w);
      }`,
    normal: 'normalize(weighed(vec4(-normal.x - normal.y - normal.z, normal)) + 1e-9)',
    place: 'weighed(weights)',
  },
  // A cylinder of radius and length 1 along y, placed between two particles; if both are the same, a sphere of radius 1
  // around the particle. A negative `girth` sets a minimum size in pixels. Two directions perpendicular to the axis are
  // needed that change continuously with it (Duff and others, "Building an Orthonormal Basis, Revisited", 2017).
  round: {
    head: `attribute uvec2 ends;
      attribute float girth;
      uniform float uSlope;
      vec3 turned(vec3 local, vec3 along, float size) {
        vec3 n = along / max(size, 1e-6);
        float way = n.z >= 0.0 ? 1.0 : -1.0;
        float s = -1.0 / (way + n.z);
        float t = n.x * n.y * s;
        vec3 across = vec3(1.0 + way * n.x * n.x * s, way * t, -way * n.x);
        vec3 aside = vec3(t, way + n.y * n.y * s, -n.y);
        return local.x * across + local.y * n - local.z * aside;
      }
      vec3 facing() {
        if (ends.x == ends.y) return normal;
        vec3 along = placeOf(ends.y) - placeOf(ends.x);
        return turned(normal, along, length(along));
      }
      vec3 placed() {
        vec3 from = placeOf(ends.x);
        if (ends.x == ends.y) return from + max(abs(girth), girth < 0.0 ? 3.2 * uSlope * distance(cameraPosition, from) : 0.0) * position;
        vec3 along = placeOf(ends.y) - from;
        float size = length(along);
        return from + 0.5 * along + turned(vec3(girth, size, girth) * position, along, size);
      }`,
    normal: 'facing()',
    place: 'placed()',
  },
  // A cylinder as above, between two points that up to four particles carry; where both are one, a short one.
  rod: {
    head: `attribute uvec4 fromFour;
      attribute vec4 fromWeights;
      attribute uvec4 toFour;
      attribute vec4 toWeights;
      attribute float girth;
      vec3 weighed(uvec4 four, vec4 w) { return w.x * placeOf(four.x) + w.y * placeOf(four.y) + w.z * placeOf(four.z) + w.w * placeOf(four.w); }
      vec3 turned(vec3 local, vec3 n) {
        float way = n.z >= 0.0 ? 1.0 : -1.0;
        float s = -1.0 / (way + n.z);
        float t = n.x * n.y * s;
        vec3 across = vec3(1.0 + way * n.x * n.x * s, way * t, -way * n.x);
        vec3 aside = vec3(t, way + n.y * n.y * s, -n.y);
        return local.x * across + local.y * n - local.z * aside;
      }
      vec3 along() {
        vec3 way = weighed(toFour, toWeights) - weighed(fromFour, fromWeights);
        return length(way) > 1e-4 ? way : vec3(0.0, 0.0, 2.0 * girth);
      }
      vec3 facing() { return turned(normal, normalize(along())); }
      vec3 placed() {
        vec3 middle = 0.5 * (weighed(toFour, toWeights) + weighed(fromFour, fromWeights));
        return middle + turned(vec3(girth, length(along()), girth) * position, normalize(along()));
      }`,
    normal: 'facing()',
    place: 'placed()',
  },
};

/**
 * Makes a material read its vertices from the particle field.
 * @template {import('three').Material} M
 * @param {M} material
 * @param {import('./field.js').Field} field
 * @param {keyof typeof SOURCES} kind
 * @returns {M}
 */
export function onField(material, field, kind) {
  const { head, normal, place } = SOURCES[kind];
  return change(material, kind, (shader) => {
    Object.assign(shader.uniforms, field.uniforms);
    // three.js shades geometries without an attribute `normal` flat, and without a bias for shadows; these have computed normals.
    const smooth = 'flatShading' in material && material.flatShading === false ? '#undef FLAT_SHADED\n#define HAS_NORMAL\n' : '';
    shader.fragmentShader = smooth + shader.fragmentShader;
    shader.vertexShader = smooth + shader.vertexShader
      .replace('#include <common>', `#include <common>\n${FIELD}\n${head}`)
      .replace('#include <beginnormal_vertex>', `vec3 objectNormal = ${normal};`)
      .replace('#include <begin_vertex>', `vec3 transformed = ${place};`);
  });
}

/** The material for the shadow map. @param {import('./field.js').Field} field @param {keyof typeof SOURCES} kind @param {object} [more] */
export function shadowOn(field, kind, more) {
  return onField(new MeshDepthMaterial(more), field, kind);
}

/**
 * A lit material. Parameters as for MeshStandardMaterial.
 * @param {import('three').MeshStandardMaterialParameters} parameters
 * @returns {MeshStandardMaterial | MeshLambertMaterial}
 */
export function litMaterial({ roughness, metalness = 0, envMapIntensity, ...shared }) {
  if (draft) return new MeshLambertMaterial(shared);
  return new MeshStandardMaterial({ roughness, metalness, ...(envMapIntensity && { envMapIntensity }), ...shared });
}

/**
 * Fibres: rough, and bright at grazing angles.
 * @param {import('./weave.js').Fibres|null} texture
 * @param {{sheen: number, depth?: number}} how strength of the sheen, and depth of the relief
 * @param {object} [more] further parameters of the material
 */
export function fibreMaterial(texture, { sheen, depth = 0.6 }, more = {}) {
  if (draft) return addSheen(new MeshLambertMaterial({ ...(texture && { map: texture.map }), ...more }), 0.3 * sheen);
  return new MeshPhysicalMaterial({
    roughness: 0.82, metalness: 0, envMapIntensity: 0.9, sheen, sheenRoughness: 0.42, sheenColor: new Color(0.16, 0.16, 0.17),
    ...(texture && { map: texture.map, normalMap: texture.normalMap, normalScale: new Vector2(depth, depth) }), ...more,
  });
}

/** How much of its colour an object under the pointer emits. */
export const GLOW = 0.22;

const LEAF = '#5f9a4d';
const SLEEP_DESATURATION = 0.38; // how much saturation a sleeping object loses

/**
 * The displayed colour of an object: its own, or one of the palette by its id; less saturated while it sleeps.
 * @param {{id: number, kind: string, color: string | null, asleep: boolean}} object
 */
export function objectColor({ id, kind, color, asleep }) {
  const tint = new Color(color ?? (kind === 'plant' ? LEAF : PALETTE[(id * 7) % PALETTE.length]));
  if (!asleep) return tint;
  const grey = 0.2126 * tint.r + 0.7152 * tint.g + 0.0722 * tint.b;
  return tint.lerp(new Color(grey, grey, grey), SLEEP_DESATURATION);
}

/** @type {Map<number, Color>} colours chosen by clients */
const chosenColors = new Map();

/** @param {number} client @param {string|null} color the chosen colour; null if the client has left */
export function setClientColor(client, color) {
  if (color) chosenColors.set(client, new Color(color));
  else chosenColors.delete(client);
}

/** The colour of a client's grabs, the same for all viewers: the chosen one, or one by the client's number. @param {number} client */
export function clientColor(client, target = new Color()) {
  const chosen = chosenColors.get(client);
  return chosen ? target.copy(chosen) : target.setHSL((client * 0.381966 + 0.08) % 1, 0.85, 0.62);
}

/**
 * Sets the filtering of a repeated texture that this machine can afford.
 * @template {import('three').Texture} T
 * @param {T} texture
 */
export function asAffordable(texture) {
  if (draft) texture.minFilter = LinearMipmapNearestFilter;
  texture.anisotropy = draft ? 1 : 8;
  return texture;
}

/**
 * Approximates, for drafts, the soft light of fibres at grazing angles.
 * @template {import('three').Material} M
 * @param {M} material @param {number} strength
 */
function addSheen(material, strength) {
  return change(material, `sheen ${strength.toFixed(3)}`, (shader) => {
    shader.fragmentShader = shader.fragmentShader.replace('#include <opaque_fragment>', `
      float grazing = 1.0 - saturate(abs(dot(normal, normalize(vViewPosition))));
      outgoingLight += (0.25 + diffuseColor.rgb) * grazing * grazing * grazing * ${strength.toFixed(3)};
      #include <opaque_fragment>`);
  });
}

/**
 * Lightens the objects whose slots are within a range, in a mesh of many objects.
 * @template {import('three').Material} M
 * @param {M} material @param {string} slot a slot of the vertex's object, as GLSL
 * @param {{value: import('three').Vector2}} range first slot, and the one after the last
 */
export function addGlow(material, slot, range) {
  return change(material, 'glow', (shader) => {
    shader.uniforms.uGlow = range;
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nuniform vec2 uGlow;\nflat varying float vGlow;')
      .replace('#include <project_vertex>', `vGlow = float(${slot}) >= uGlow.x && float(${slot}) < uGlow.y ? ${GLOW.toFixed(2)} : 0.0;\n#include <project_vertex>`);
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', '#include <common>\nflat varying float vGlow;')
      .replace('#include <opaque_fragment>', 'outgoingLight += vGlow * (diffuseColor.rgb + 0.2);\n#include <opaque_fragment>');
  });
}

/**
 * Lightens the edges of triangles whose barycentric coordinates are in the attribute `corner`.
 * @template {import('three').Material} M
 * @param {M} material
 */
export function addEdges(material) {
  return change(material, 'edges', (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nattribute vec3 corner;\nvarying vec3 vCorner;')
      .replace('#include <project_vertex>', 'vCorner = corner;\n#include <project_vertex>');
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', '#include <common>\nvarying vec3 vCorner;')
      .replace('#include <color_fragment>', `#include <color_fragment>
        float rim = min(vCorner.x, min(vCorner.y, vCorner.z));
        float pixel = 1.5 * fwidth(rim);
        float edge = 1.0 - smoothstep(0.01, 0.01 + max(0.02, pixel), rim);
        // A face of a few pixels would consist of edges only.
        diffuseColor.rgb = mix(diffuseColor.rgb, vec3(1.0), 0.26 * edge * min(1.0, 0.1 / max(pixel, 1e-3)));`);
  });
}
