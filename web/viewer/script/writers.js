// SPDX-License-Identifier: MIT
// Writes recordings as programs that repeat the recorded commands.
//
// A program is complete. It makes a world of its own, or takes the one whose address is given. It stops the clock,
// loads the scene, gives every command at its tick by stepping the world there, compares the hash of the state at the
// end, and lets the clock run on if it ran before. Ids are names, not state. The objects of the scene get ids from the
// first id in the reply to scene.load on; the object of a command gets the id in the command's reply. A program uses
// the ids that objects have in the world where it runs. Without a scene the commands are given to the world as it is,
// with as many ticks between them as in the recording.
import { pythonProgram } from './python.js';
import { javascriptProgram } from './javascript.js';
import { toJson, toShell } from './literal.js';

/** @typedef {{tick: number, method: string, params: object, made: number[]}} RecordedCommand */
/** @typedef {{name: string, firstId: number, tickHz: number, commands?: object[]}} RecordedScene a scene; with its commands, unless it is one of Weft's own */

/**
 * @typedef {object} Recording
 * @property {string} url of the world
 * @property {RecordedScene} [scene] the scene that the recording begins with
 * @property {RecordedCommand[]} commands
 * @property {number} [tick] the last tick
 * @property {string} [stateHash] hash of the state at the last tick
 */

/** A recording as one JSON document, the input of weftctl rebuild. @param {Recording} recording */
function jsonDocument({ scene, commands, tick, stateHash }) {
  const lines = commands.map(({ tick: at, method, params, made }) => (
    `    ${toJson({ tick: at, method, params, ...(made.length > 0 && { made }) })}`));
  const members = [
    ...(scene ? [`  "scene": ${toJson({ name: scene.name, firstId: scene.firstId, tickHz: scene.tickHz })}`] : []),
    ...(scene?.commands ? [`  "sceneCommands": [\n${scene.commands.map((one) => `    ${toJson(one)}`).join(',\n')}\n  ]`] : []),
    `  "commands": [${lines.length > 0 ? `\n${lines.join(',\n')}\n  ` : ''}]`,
    ...(scene ? [`  "tick": ${tick}`, `  "stateHash": ${toJson(stateHash)}`] : []),
  ];
  return `{\n${members.join(',\n')}\n}\n`;
}

/** A single command as the request that is sent over the WebSocket. @param {Recording} recording */
function json(recording) {
  const { scene, commands: [only, ...others] } = recording;
  if (scene || !only || others.length > 0) return jsonDocument(recording);
  return `${toJson({ jsonrpc: '2.0', id: 1, method: only.method, params: only.params })}\n`;
}

/** name=value where the shell and weftctl keep a value unchanged; JSON otherwise. @param {RecordedCommand} command */
function weftctlCall({ method, params }) {
  const pairs = Object.entries(params).map(([name, value]) => {
    if (!/^[A-Za-z]\w*$/.test(name)) return null;
    if (typeof value === 'string' && /^[A-Za-z#][\w -]*$/.test(value) && !/^(true|false|null)$/.test(value)) return toShell(`${name}=${value}`);
    if (Array.isArray(value) && value.length > 1 && value.length <= 4 && value.every((item) => typeof item === 'number')) return `${name}=${value.map(toJson).join(',')}`;
    return toShell(`${name}=${toJson(value)}`);
  });
  return pairs.includes(null) ? `weftctl call ${method} ${toShell(toJson(params))}` : ['weftctl call', method, ...pairs].join(' ');
}

/** @param {Recording} recording */
function weftctlScript(recording) {
  const { url, scene, commands } = recording;
  if (!scene && commands.length === 1) return `${weftctlCall(commands[0])}\n`;
  return `#!/bin/sh
# ${aboutOf(recording)}
${scene ? `# It runs in a world of its own, which ends with it. WEFT_URL names a world to use instead, whose state is lost;
# WEFT_TOKEN is a token, where the server wants one.` : '# WEFT_URL names another server or world, WEFT_TOKEN a token.'}
command -v weftctl >/dev/null || PATH="$PATH:./build:$(dirname "$0")/build"
if ! command -v weftctl >/dev/null; then
  echo "weftctl is not found: it is build/weftctl where Weft was built; put that folder on the PATH, or run this where it lies" >&2
  exit 127
fi
${scene ? `if [ -z "\${WEFT_URL:-}" ]; then
  export WEFT_URL=${toShell(url)}
  own="rebuild-$$-$(date +%s)"
  if ! weftctl call world.create "name=$own" scene=empty temporary=true >/dev/null; then
    echo "no new world can be made: set WEFT_URL to the address of a world that may be overwritten" >&2
    exit 1
  fi
  WEFT_URL="\${WEFT_URL%/*}/$own"
fi
export WEFT_URL` : `export WEFT_URL="\${WEFT_URL:-${url}}"`}
exec weftctl rebuild - <<'END'
${jsonDocument(recording)}END
`;
}

/** Describes a program in a sentence. @param {Recording} recording */
function aboutOf({ scene, commands, tick }) {
  return scene
    ? `Loads the scene "${scene.name}", runs ${commands.length} commands at their ticks, and compares the state's hash at tick ${tick}.`
    : `Runs ${commands.length} ${commands.length === 1 ? 'command' : 'commands'} in a world as it is.`;
}

/**
 * The formats that can be copied, in the order of the menu.
 * @type {{id: string, title: string, file: string, write: (recording: Recording) => string}[]}
 */
export const FORMS = [
  { id: 'python', title: 'Python', file: 'rebuild.py', write: (recording) => pythonProgram(recording, aboutOf(recording)) },
  { id: 'javascript', title: 'JavaScript', file: 'rebuild.mjs', write: (recording) => javascriptProgram(recording, aboutOf(recording)) },
  { id: 'weftctl', title: 'weftctl', file: 'rebuild.sh', write: weftctlScript },
  { id: 'json', title: 'Raw JSON', file: 'rebuild.json', write: json },
];
