// SPDX-License-Identifier: MIT
// A floor: the disc that represents a plane, or the bottom of the world's bounds. It receives shadows, and has a fine grid,
// drawn in the shader, so it is smooth without multisampling and fades out before it could flicker. Its rim fades into the
// background. The floor covers half of the picture, so it computes no lighting: its colours are display colours.
import { CircleGeometry, Color, Mesh, Quaternion, ShadowMaterial, Vector2, Vector3 } from 'three';
import { CONTACT, contactUniforms } from './contact_shade.js';
import { change } from './material.js';
import { SKY, skyUniforms } from './sky.js';
/** @import { WebGLProgramParametersWithUniforms } from 'three' */

const UP = new Vector3(0, 1, 0);
const SINK = 0.004; // m: the floor is drawn lower than it is, so that a cloth on it is fully visible

/** One floor. */
export class GroundView {
  /** @param {{ground: Color, shade: Color, line: Color}} theme */
  constructor(theme) {
    this.uniforms = {
      uShade: { value: new Color() }, uLine: { value: new Color() },
      uOrigin: { value: new Vector2() }, uRadius: { value: 10 }, uCell: { value: 0.5 },
    };
    this.upright = true;
    this.at = { point: new Vector3(), normal: UP, centre: new Vector3() }; // where it was placed
    this.material = change(new ShadowMaterial({ transparent: false, toneMapped: false }), 'ground', (shader) => this.extend(shader));
    this.mesh = new Mesh(new CircleGeometry(1, 96).rotateX(-Math.PI / 2), this.material);
    this.mesh.receiveShadow = true;
    this.mesh.renderOrder = 4; // drawn after the objects on it, because these hide it
    this.setTheme(theme);
  }

  /** @param {{ground: Color, shade: Color, line: Color}} theme */
  setTheme(theme) {
    this.material.color.copy(theme.ground).convertLinearToSRGB();
    this.uniforms.uShade.value.copy(theme.shade).convertLinearToSRGB();
    this.uniforms.uLine.value.copy(theme.line).convertLinearToSRGB();
  }

  /**
   * @param {Vector3} point a point of the plane
   * @param {Vector3} normal unit normal
   * @param {Vector3} centre the disc is centred below this point
   * @param {number} radius radius of the disc, m
   */
  place(point, normal, centre, radius) {
    this.at = { point, normal, centre };
    this.mesh.scale.set(radius, 1, radius);
    this.move(new Quaternion(), new Vector3());
    this.uniforms.uRadius.value = radius;
    this.uniforms.uCell.value = 0.5 * 10 ** Math.max(0, Math.round(Math.log10(radius / 14)));
  }

  /** Displaces the plane from where it was placed; the grid moves with it, the disc stays below its centre. @param {Quaternion} rotation @param {Vector3} shift */
  move(rotation, shift) {
    const { point, normal, centre } = this.at;
    const now = normal.clone().applyQuaternion(rotation);
    const turn = new Quaternion().setFromUnitVectors(UP, normal);
    const through = point.clone().applyQuaternion(rotation).add(shift);
    const foot = centre.clone().addScaledVector(now, -centre.clone().sub(through).dot(now));
    this.upright = now.y > 0.999;
    this.mesh.quaternion.copy(rotation).multiply(turn);
    this.mesh.position.copy(foot).addScaledVector(now, -SINK);
    const local = foot.sub(shift).applyQuaternion(this.mesh.quaternion.clone().invert());
    this.uniforms.uOrigin.value.set(local.x, local.z);
  }

  /** @param {WebGLProgramParametersWithUniforms} shader */
  extend(shader) {
    Object.assign(shader.uniforms, this.uniforms, skyUniforms, contactUniforms);
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nuniform float uRadius;\nvarying vec2 vGround;\nvarying vec3 vPlace;')
      .replace('#include <begin_vertex>', '#include <begin_vertex>\nvGround = position.xz * uRadius;\nvPlace = (modelMatrix * vec4(position, 1.0)).xyz;');
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', `#include <common>
        ${SKY}
        ${CONTACT}
        varying vec3 vPlace;
        uniform vec3 uShade;
        uniform vec3 uLine;
        uniform vec2 uOrigin;
        uniform float uRadius;
        uniform float uCell;
        varying vec2 vGround;
        float gridLine(vec2 at, vec2 spread) {
          vec2 line = clamp(1.0 - abs(fract(at - 0.5) - 0.5) / spread, 0.0, 1.0);
          return max(line.x, line.y) * clamp(1.2 - 4.0 * max(spread.x, spread.y), 0.0, 1.0);
        }`)
      .replace(/gl_FragColor = [^;]*;/, `
        float away = length(vGround) / uRadius;
        vec2 cell = (vGround + uOrigin) / uCell;
        vec2 spread = fwidth(cell);
        float lines = 0.16 * gridLine(cell, spread) + 0.2 * gridLine(0.5 * cell, 0.6 * spread);
        vec3 lit = mix(color, uLine, lines) * (1.12 - 0.5 * away);
        float fade = clamp(1.0 - away, 0.0, 1.0);
        gl_FragColor = vec4(mix(skyColor(), mix(uShade, lit, getShadowMask()) * contactLight(vPlace), fade * (1.6 - 0.6 * fade)), 1.0);`)
      .replace('#include <colorspace_fragment>', '');
  }

  dispose() {
    this.mesh.removeFromParent();
    this.mesh.geometry.dispose();
    this.material.dispose();
  }
}
