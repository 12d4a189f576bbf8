// SPDX-License-Identifier: MIT
// What things are made of: colours of objects that bring none, the fabric's weave, and the two small additions to
// three.js's shading that Weft uses: a sheen at grazing angles for cloth and a bright edge for solids.
import {
  Color, DataTexture, LinearFilter, LinearMipmapLinearFilter, LinearMipmapNearestFilter, MeshLambertMaterial, MeshStandardMaterial, RepeatWrapping,
  RGBAFormat, ShaderChunk, SRGBColorSpace,
} from 'three';

const PALETTE = ['#d9573f', '#2f8fa8', '#e0a63a', '#6f9f58', '#b0527f', '#5a78c9', '#d98a5b', '#3fa58c', '#8f6fc4', '#c9b48a'];

let thrifty = false;

/** Whether pictures are drawn without a graphics processor: then faces, too, should be few. */
export const isThrifty = () => thrifty;

/**
 * For machines without a graphics processor, before the first material is made: diffuse light only, one filtered look into the
 * shadow map instead of five, and square roots for the display's transfer curve instead of powers (they agree within
 * half a level of 8 bits, but for what is nearly black).
 */
export function useThriftyMaterials() {
  thrifty = true;
  ShaderChunk.shadowmap_pars_fragment = ShaderChunk.shadowmap_pars_fragment.replace(
    /float phi = interleaved[^]*?\* 0\.2;/, 'shadow = texture( shadowMap, shadowCoord.xyz );');
  ShaderChunk.colorspace_pars_fragment = ShaderChunk.colorspace_pars_fragment.replace(
    /(vec4 sRGBTransferOETF\([^{]*\{)[^]*?\}/, `$1
      vec3 s1 = sqrt( max( value.rgb, vec3( 0.0 ) ) );
      vec3 s2 = sqrt( s1 );
      return vec4( 0.662002687 * s1 + 0.684122060 * s2 - 0.323583601 * sqrt( s2 ) - 0.0225411470 * value.rgb, value.a );
    }`);
}

/** A material for things that are lit: physically based where that is affordable. Parameters as MeshStandardMaterial's. */
export function litMaterial({ roughness, metalness = 0, envMapIntensity, ...shared }) {
  if (thrifty) return new MeshLambertMaterial(shared);
  return new MeshStandardMaterial({ roughness, metalness, ...(envMapIntensity && { envMapIntensity }), ...shared });
}

const LEAF = '#5f9a4d';
const DROWSY = 0.38; // of its colour that what is asleep lacks

/** The colour an object is drawn in: its own, or one of the palette by its id; a little greyer while it sleeps. */
export function objectColor({ id, kind, color, asleep }) {
  const tint = new Color(color ?? (kind === 'plant' ? LEAF : PALETTE[(id * 7) % PALETTE.length]));
  if (!asleep) return tint;
  const grey = 0.2126 * tint.r + 0.7152 * tint.g + 0.0722 * tint.b;
  return tint.lerp(new Color(grey, grey, grey), DROWSY);
}

/** A colour per client, so that everyone sees the same hand in the same colour. */
export function clientColor(client, target = new Color()) {
  return target.setHSL((client * 0.381966 + 0.08) % 1, 0.85, 0.62);
}

const THREADS = 8; // texels a thread is wide

/** A plain weave: threads over and under each other, two each way in a tile. Brightness only; colour comes from the object. */
export function weaveTexture() {
  const size = 2 * THREADS;
  const data = new Uint8Array(4 * size * size);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const over = (Math.floor(x / THREADS) + Math.floor(y / THREADS)) % 2 === 0;
      const across = ((over ? x : y) % THREADS) / (THREADS - 1) - 0.5;
      const along = ((over ? y : x) % THREADS) / (THREADS - 1) - 0.5;
      const level = 255 * (1 - 0.62 * across * across - 0.35 * along * along);
      data.set([level, level, level, 255], 4 * (y * size + x));
    }
  }
  const texture = new DataTexture(data, size, size, RGBAFormat);
  texture.colorSpace = SRGBColorSpace;
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.magFilter = LinearFilter;
  texture.minFilter = thrifty ? LinearMipmapNearestFilter : LinearMipmapLinearFilter;
  texture.generateMipmaps = true;
  texture.anisotropy = thrifty ? 1 : 4;
  texture.repeat.set(3, 3);
  texture.needsUpdate = true;
  return texture;
}

/** Gives a standard material the soft light that fibres catch at grazing angles. */
export function addSheen(material, strength) {
  material.onBeforeCompile = (shader) => {
    shader.fragmentShader = shader.fragmentShader.replace('#include <opaque_fragment>', `
      float grazing = 1.0 - saturate(abs(dot(normal, normalize(vViewPosition))));
      outgoingLight += (0.25 + diffuseColor.rgb) * grazing * grazing * grazing * ${strength.toFixed(3)};
      #include <opaque_fragment>`);
  };
  material.customProgramCacheKey = () => `sheen ${strength}`;
  return material;
}

/** Lightens the edges of triangles that carry their barycentric coordinates in the attribute \`corner\`. */
export function addEdges(material) {
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nattribute vec3 corner;\nvarying vec3 vCorner;')
      .replace('#include <begin_vertex>', '#include <begin_vertex>\nvCorner = corner;');
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', '#include <common>\nvarying vec3 vCorner;')
      .replace('#include <color_fragment>', `#include <color_fragment>
        float rim = min(vCorner.x, min(vCorner.y, vCorner.z));
        float pixel = 1.5 * fwidth(rim);
        float edge = 1.0 - smoothstep(0.01, 0.01 + max(0.02, pixel), rim);
        // A face of a few pixels would be all edge.
        diffuseColor.rgb = mix(diffuseColor.rgb, vec3(1.0), 0.26 * edge * min(1.0, 0.1 / pixel));`);
  };
  material.customProgramCacheKey = () => 'edges';
  return material;
}
