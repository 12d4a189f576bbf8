// SPDX-License-Identifier: MIT
// The background: a radial gradient behind everything, drawn only where nothing covers it. Its colours are display colours; a
// little noise prevents banding. Shaders that fade into the background compute it themselves (skyColor) instead of being
// blended with it, which would draw half of the picture twice.
import { Color, Mesh, PlaneGeometry, ShaderMaterial, Vector2 } from 'three';

/**
 * Uniforms shared by every shader that includes SKY; uSize is the size of the picture in its own pixels, uLetter the height
 * of small text relative to the picture.
 */
export const skyUniforms = {
  uCentre: { value: new Color() }, uMiddle: { value: new Color() }, uRim: { value: new Color() }, uSize: { value: new Vector2(1, 1) }, uLetter: { value: 0.02 },
};

/** GLSL: the sky's colour at this fragment. */
export const SKY = `
  uniform vec3 uCentre;
  uniform vec3 uMiddle;
  uniform vec3 uRim;
  uniform vec2 uSize;
  vec3 skyColor() {
    vec2 at = gl_FragCoord.xy / uSize * 2.0 - vec2(1.0, 1.12);
    float away = length(at) * 0.8;
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    return mix(mix(uCentre, uMiddle, min(1.0, 2.0 * away)), uRim, clamp(2.0 * away - 1.0, 0.0, 1.0)) + (noise - 0.5) / 160.0;
  }`;

const VERTEX = 'void main() { gl_Position = vec4(position.xy, 1.0, 1.0); }';
const FRAGMENT = `${SKY}
  void main() { gl_FragColor = vec4(skyColor(), 1.0); }`;

/** The mesh of the sky. */
export class Sky {
  constructor() {
    this.mesh = new Mesh(new PlaneGeometry(2, 2), new ShaderMaterial({
      uniforms: skyUniforms, vertexShader: VERTEX, fragmentShader: FRAGMENT, depthWrite: false, toneMapped: false,
    }));
    this.mesh.frustumCulled = this.mesh.matrixAutoUpdate = false;
    this.mesh.renderOrder = 5; // drawn after all solid objects, so that the depth test skips covered pixels
  }

  /** Sets the colours of the sky that is drawn next. @param {string[]} colors centre, middle, rim */
  use([centre, middle, rim]) {
    skyUniforms.uCentre.value.set(centre).convertLinearToSRGB();
    skyUniforms.uMiddle.value.set(middle).convertLinearToSRGB();
    skyUniforms.uRim.value.set(rim).convertLinearToSRGB();
  }

  dispose() {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}
