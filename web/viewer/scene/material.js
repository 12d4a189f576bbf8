// SPDX-License-Identifier: MIT
// What things are made of. Surfaces are physically based: fabric with the sheen and the relief of its weave, rope with that of
// its strands, solids with lightened edges. A draft of each, lit diffusely, is for machines without a graphics processor.
// Whatever consists of particles finds its vertices in the field (field.js).
import {
  Color, LinearMipmapNearestFilter, MeshDepthMaterial, MeshLambertMaterial, MeshPhysicalMaterial, MeshStandardMaterial, ShaderChunk, Vector2,
} from 'three';
import { FIELD } from './field.js';

const PALETTE = ['#d9573f', '#2f8fa8', '#e0a63a', '#6f9f58', '#b0527f', '#5a78c9', '#d98a5b', '#3fa58c', '#8f6fc4', '#c9b48a'];

// Drafts take one filtered look into the shadow map instead of five, and square roots for the display's transfer curve instead
// of powers (they agree within half a level of 8 bits, but for what is nearly black).
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

/** Whether things are drawn as drafts: then faces, too, should be few. */
export const isDraft = () => draft;

/** Chooses what the materials made from now on are. @param {boolean} on */
export function setDraft(on) {
  draft = on;
  Object.assign(ShaderChunk, on ? DRAFT : FULL);
}

/** @type {WeakMap<import('three').Material, string>} the names of the changes made so far */
const changesOf = new WeakMap();

/**
 * Changes a material's shader; several changes of one material are made in turn.
 * @template {import('three').Material} M
 * @param {M} material
 * @param {string} name the same for the same change
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

/** Where the vertices of each kind of thing are: GLSL of attributes, of place and of normal. */
const SOURCES = {
  // A particle each.
  surface: {
    head: 'attribute uint slot;',
    normal: 'normalOf(slot)',
    place: 'placeOf(slot)',
  },
  // Embedded in four particles; its normal, which only keeps it from shading itself, points away from their middle.
  solid: {
    head: `attribute uvec4 four;
      attribute vec4 weights;
      vec3 weighed(vec4 w) { return w.x * placeOf(four.x) + w.y * placeOf(four.y) + w.z * placeOf(four.z) + w.w * placeOf(four.w); }`,
    normal: 'normalize(weighed(weights - 0.25) + 1e-9)',
    place: 'weighed(weights)',
  },
  // A cylinder of radius and length 1 along y, from one particle to another; where both are the same, a sphere of radius 1 around it,
  // by a negative girth never smaller than some pixels. Any two directions across a cylinder will do, but they must not jump: these
  // depend on its own alone (Duff and others, "Building an Orthonormal Basis, Revisited", 2017).
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
};

/**
 * Lets a material find its vertices in the field.
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
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', `#include <common>\n${FIELD}\n${head}`)
      .replace('#include <beginnormal_vertex>', `vec3 objectNormal = ${normal};`)
      .replace('#include <begin_vertex>', `vec3 transformed = ${place};`);
  });
}

/** What such a thing is in the shadow map. @param {import('./field.js').Field} field @param {keyof typeof SOURCES} kind @param {object} [more] */
export function shadowOn(field, kind, more) {
  return onField(new MeshDepthMaterial(more), field, kind);
}

/**
 * A material for things that are lit. Parameters as MeshStandardMaterial's.
 * @param {import('three').MeshStandardMaterialParameters} parameters
 * @returns {MeshStandardMaterial | MeshLambertMaterial}
 */
export function litMaterial({ roughness, metalness = 0, envMapIntensity, ...shared }) {
  if (draft) return new MeshLambertMaterial(shared);
  return new MeshStandardMaterial({ roughness, metalness, ...(envMapIntensity && { envMapIntensity }), ...shared });
}

/**
 * Fibres: rough, and bright where they are seen from the side.
 * @param {import('./weave.js').Fibres|null} texture
 * @param {{sheen: number, depth?: number}} how strong the sheen is, and the relief
 * @param {object} [more] parameters of the material
 */
export function fibreMaterial(texture, { sheen, depth = 0.6 }, more = {}) {
  if (draft) return addSheen(new MeshLambertMaterial({ ...(texture && { map: texture.map }), ...more }), 0.3 * sheen);
  return new MeshPhysicalMaterial({
    roughness: 0.82, metalness: 0, envMapIntensity: 0.9, sheen, sheenRoughness: 0.42, sheenColor: new Color(0.16, 0.16, 0.17),
    ...(texture && { map: texture.map, normalMap: texture.normalMap, normalScale: new Vector2(depth, depth) }), ...more,
  });
}

const LEAF = '#5f9a4d';
const DROWSY = 0.38; // of its colour that what is asleep lacks

/**
 * The colour an object is drawn in: its own, or one of the palette by its id; a little greyer while it sleeps.
 * @param {{id: number, kind: string, color: string | null, asleep: boolean}} object
 */
export function objectColor({ id, kind, color, asleep }) {
  const tint = new Color(color ?? (kind === 'plant' ? LEAF : PALETTE[(id * 7) % PALETTE.length]));
  if (!asleep) return tint;
  const grey = 0.2126 * tint.r + 0.7152 * tint.g + 0.0722 * tint.b;
  return tint.lerp(new Color(grey, grey, grey), DROWSY);
}

/** @type {Map<number, Color>} by client */
const chosenColors = new Map();

/** @param {number} client @param {string|null} color it has chosen; null: it has gone */
export function setClientColor(client, color) {
  if (color) chosenColors.set(client, new Color(color));
  else chosenColors.delete(client);
}

/** The color of a client's hand, for everyone the same: its own, or one after its number. @param {number} client */
export function clientColor(client, target = new Color()) {
  const chosen = chosenColors.get(client);
  return chosen ? target.copy(chosen) : target.setHSL((client * 0.381966 + 0.08) % 1, 0.85, 0.62);
}

/**
 * How a repeated texture is looked up by what machine there is.
 * @template {import('three').Texture} T
 * @param {T} texture
 */
export function asAffordable(texture) {
  if (draft) texture.minFilter = LinearMipmapNearestFilter;
  texture.anisotropy = draft ? 1 : 8;
  return texture;
}

/**
 * Gives a draft the soft light that fibres catch at grazing angles.
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
 * Lightens the edges of triangles that carry their barycentric coordinates in the attribute `corner`.
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
        // A face of a few pixels would be all edge.
        diffuseColor.rgb = mix(diffuseColor.rgb, vec3(1.0), 0.26 * edge * min(1.0, 0.1 / pixel));`);
  });
}
