// SPDX-License-Identifier: MIT
// The scenes of the comparison as the numbers that bullet_scene.cpp reads.

import { balloon, balloonMesh, boxPlaces, boxWalls, boxes, bridge, bridgeJoints, cloth, clothPins, clothPoints, gridTriangles, plankPlaces, twist, twistPins, twistPlace, twistPoints, twistTriangles } from './scenes.mjs';

const sheet = (points, triangles, pins, mass) => [points.length, ...points.flat(), triangles.length, ...triangles.flat(), pins.length, ...pins, mass];

const numbers = {
  cloth: () => sheet(clothPoints, gridTriangles(cloth.side, cloth.side), clothPins, cloth.mass),
  boxes: () => [boxWalls.length, ...boxWalls.flatMap(({ centre, size }) => [...centre, ...size]), boxes.count, boxes.size, boxes.mass, boxes.friction, ...boxPlaces.flat()],
  bridge: () => [bridge.planks, ...bridge.size, bridge.mass, ...plankPlaces.flat(), bridgeJoints.length, ...bridgeJoints.flatMap(({ before, after, point }) => [before, after, ...point]), 0, bridge.load.height, 0, bridge.load.size, bridge.load.mass],
  twist: (ticks) => [...sheet(twistPoints, twistTriangles, twistPins, twist.mass), twist.thickness / 2, ...Array.from({ length: ticks }, (_, i) => twistPins.flatMap((pin) => twistPlace(pin, i + 1))).flat()],
  balloon: () => [...sheet(balloonMesh.points.map(([x, y, z]) => [x, y + balloon.height, z]), balloonMesh.triangles, [], balloon.mass), balloon.gauge],
};

/** What bullet_scene reads of a scene that lasts `ticks`. */
export const scene = (name, ticks) => `${numbers[name](ticks).join(' ')}\n`;
