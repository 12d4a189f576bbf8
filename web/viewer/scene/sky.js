// SPDX-License-Identifier: MIT
// The background: a round gradient behind everything, drawn only where nothing covers it. Its colours are those of the
// display; half a level of noise keeps it free of bands.
import { Color, Mesh, PlaneGeometry, ShaderMaterial } from 'three';

const VERTEX = `
  varying vec2 vAt;
  void main() {
    vAt = position.xy - vec2(0.0, 0.12);
    gl_Position = vec4(position.xy, 1.0, 1.0);
  }`;

const FRAGMENT = `
  uniform vec3 uCentre;
  uniform vec3 uMiddle;
  uniform vec3 uRim;
  varying vec2 vAt;
  void main() {
    float away = length(vAt) * 0.8;
    vec3 color = mix(mix(uCentre, uMiddle, min(1.0, 2.0 * away)), uRim, clamp(2.0 * away - 1.0, 0.0, 1.0));
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    gl_FragColor = vec4(color + (noise - 0.5) / 160.0, 1.0);
  }`;

/** The sky of a theme: three colours from the middle of the picture to its rim. */
export class Sky {
  constructor() {
    const uniforms = { uCentre: { value: new Color() }, uMiddle: { value: new Color() }, uRim: { value: new Color() } };
    // Transparent only in name: that has it drawn after all that is solid and before what blends with it.
    this.material = new ShaderMaterial({
      uniforms, vertexShader: VERTEX, fragmentShader: FRAGMENT, transparent: true, depthWrite: false, toneMapped: false,
    });
    this.mesh = new Mesh(new PlaneGeometry(2, 2), this.material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = -10;
  }

  /** @param {string[]} colors centre, middle, rim */
  set(colors) {
    Object.values(this.material.uniforms).forEach(({ value }, i) => value.set(colors[i]).convertLinearToSRGB());
  }
}
